"""What a check found out, and how it asks the child process that runs somebody's file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tokviz.checks.solution import Failed, attempt
from tokviz.system import sandbox
from tokviz.system.child_turns import Client, Task

SECONDS = 30.0  # of processor time, for each question
State = Literal["ok", "differs", "failed"]


@dataclass(frozen=True)
class Outcome:
    """What was checked, how it went, and in words what to know about it.

    state: "ok", "differs" from what was expected, or "failed" with an error.
    """

    what: str
    state: State
    words: str = ""


def ask(path: str, task: Callable[..., Any], *arguments: Any, seconds: float | None = None) -> Any:
    """Return what a task returns for the module in a file, or a Failed; each question is a client of its own."""
    try:
        with sandbox.as_task(Task(Client())):
            return sandbox.call(attempt, path, task, *arguments, seconds=seconds or SECONDS, what="it", key=path)
    except sandbox.SandboxError as e:
        return Failed(str(e), e.why == "time")


def compared(what: str, found: Any, expected: Any, differs: Callable[[], str]) -> Outcome:
    """Return the outcome of a result: failed, as expected, or in words how it differs."""
    if isinstance(found, Failed):
        return Outcome(what, "failed", found.words)
    return Outcome(what, "ok") if found == expected else Outcome(what, "differs", differs())


def first_differing(inputs: Sequence[Any], found: Sequence[Any], expected: Sequence[Any]) -> str:
    """Return in words the first input with another result than expected, and how many there are.

    >>> first_differing(["a", "b"], [1, 3], [1, 2])
    "1 of 2 texts, the first 'b': yours gives 3, expected 2"
    """
    differing = [i for i, (one, other) in enumerate(zip(found, expected, strict=True)) if one != other]
    i = differing[0]
    return (
        f"{len(differing)} of {len(inputs)} texts, the first {_shown(inputs[i])}: yours gives {_shown(found[i])}, "
        f"expected {_shown(expected[i])}"
    )


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


SHOWN = 80  # characters of an input or a result
