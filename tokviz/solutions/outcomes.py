"""What a check found out, and the words for it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import eq
from typing import Any, Literal

from tokviz.solutions.questions import FailedError, Solution
from tokviz.text.glyphs import escaped_text

State = Literal["ok", "differs", "failed"]
SHOWN = 80  # characters of an input or a result


@dataclass(frozen=True)
class Outcome:
    """What was checked, how it went, and in words what to know about it.

    state: "ok", "differs" from what was expected, or "failed" with an error.
    """

    what: str
    state: State
    words: str = ""


class StopCheck(Exception):
    """Nothing more can be found out: the last outcome, or none."""

    def __init__(self, *outcomes: Outcome) -> None:
        self.outcomes = outcomes


@contextmanager
def stop_on_failure(what: str, *, may_lack: bool = False) -> Iterator[None]:
    """Stop the check if this fails, as an outcome; without one where it may lack what is not implemented."""
    try:
        yield
    except ValueError as e:
        is_lacking = may_lack and isinstance(e, FailedError) and e.is_not_implemented
        raise StopCheck(*([] if is_lacking else [_failed_outcome(what, e)])) from e


def outcomes_of(check: Callable[..., Iterator[Outcome]], solution: Solution, name: str) -> tuple[Outcome, ...]:
    """Return what a check finds out about something in a file, until it stops."""
    found: list[Outcome] = []
    try:
        found.extend(check(solution, name))
    except StopCheck as e:
        found.extend(e.outcomes)
    return tuple(found)


def outcome_of_call(
    what: str, find: Callable[[], Sequence[Any]], expected: Sequence[Any], inputs: Sequence[Any], noun: str = "texts"
) -> Outcome:
    """Return the outcome of results that are yet to be found: failed, or as `outcome_of` does."""
    try:
        return outcome_of(what, find(), expected, inputs, noun)
    except ValueError as e:
        return _failed_outcome(what, e)


def _failed_outcome(what: str, error: ValueError) -> Outcome:
    return Outcome(what, "failed", escaped_text(str(error)))


def outcome_of(
    what: str, found: Sequence[Any], expected: Sequence[Any], inputs: Sequence[Any], noun: str = "texts"
) -> Outcome:
    """Return the outcome of results for inputs: as expected, or in words how they differ."""
    if found == expected:
        return Outcome(what, "ok")
    return Outcome(what, "differs", difference_text(inputs, found, expected, noun))


def name_with_most_matches(found: Sequence[Any], expected: Mapping[str, Sequence[Any]]) -> str:
    """Return under which name most results are as expected.

    >>> name_with_most_matches([1, 2, 3], {"a": [1, 0, 0], "b": [0, 2, 3]})
    'b'
    """
    return max(expected, key=lambda name: sum(map(eq, found, expected[name])))


def difference_text(inputs: Sequence[Any], found: Sequence[Any], expected: Sequence[Any], noun: str = "texts") -> str:
    """Return in words the first input with another result than expected, and how many there are.

    >>> difference_text(["a", "b"], [1, 3], [1, 2])
    "1 of 2 texts, the first 'b': yours gives 3, expected 2"
    """
    differing = [i for i, (one, other) in enumerate(zip(found, expected, strict=True)) if one != other]
    i = differing[0]
    return (
        f"{len(differing)} of {len(inputs)} {noun}, the first {shortened_repr(inputs[i])}: yours gives "
        f"{shortened_repr(found[i])}, expected {shortened_repr(expected[i])}"
    )


def shortened_repr(value: Any) -> str:
    """Return a value as Python writes it, or the beginning of that."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
