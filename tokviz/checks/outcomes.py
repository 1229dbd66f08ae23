"""What a check found out, and the words for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tokviz.checks.questions import Failed

State = Literal["ok", "differs", "failed"]


@dataclass(frozen=True)
class Outcome:
    """What was checked, how it went, and in words what to know about it.

    state: "ok", "differs" from what was expected, or "failed" with an error.
    """

    what: str
    state: State
    words: str = ""


def compared(what: str, found: Any, expected: Sequence[Any], inputs: Sequence[Any], noun: str = "texts") -> Outcome:
    """Return the outcome of results for inputs: failed, as expected, or in words how they differ."""
    if isinstance(found, Failed):
        return Outcome(what, "failed", found.words)
    if found == expected:
        return Outcome(what, "ok")
    return Outcome(what, "differs", first_differing(inputs, found, expected, noun))


def first_differing(inputs: Sequence[Any], found: Sequence[Any], expected: Sequence[Any], noun: str = "texts") -> str:
    """Return in words the first input with another result than expected, and how many there are.

    >>> first_differing(["a", "b"], [1, 3], [1, 2])
    "1 of 2 texts, the first 'b': yours gives 3, expected 2"
    """
    differing = [i for i, (one, other) in enumerate(zip(found, expected, strict=True)) if one != other]
    i = differing[0]
    return (
        f"{len(differing)} of {len(inputs)} {noun}, the first {shown(inputs[i])}: yours gives {shown(found[i])}, "
        f"expected {shown(expected[i])}"
    )


def shown(value: Any) -> str:
    """Return a value as Python writes it, or the beginning of that."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


SHOWN = 80  # characters of an input or a result
