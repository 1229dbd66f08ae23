"""Checks of an object that encodes and decodes, with a time for each."""

from collections.abc import Sequence
from typing import Any

from tokviz.solutions.outcomes import Outcome, outcome_of_call, shortened_repr
from tokviz.solutions.probes import MALFORMED
from tokviz.solutions.questions import FailedError, Solution, prefix_failures_with


def encoded_and_decoded(
    solution: Solution, texts: Sequence[str], *, seconds: float | None = None, **options: Any
) -> list[tuple[list[Any], Any]]:
    """Return the ids of texts, each with what these are decoded to; a FailedError says which of the two failed."""
    with prefix_failures_with("encode"):
        found = solution.call_on_each("encode", texts, seconds=seconds, **options)
    for each in found:
        if not isinstance(each, list | tuple):
            raise FailedError(f"encode returned {shortened_repr(each)}; expected is a list of ids")
    ids = [list(each) for each in found]
    with prefix_failures_with("decode"):
        return [*zip(ids, solution.call_on_each("decode", ids, seconds=seconds), strict=True)]


def malformed_bytes_decoding_outcome(solution: Solution, ids: Sequence[int]) -> Outcome:
    """Return how bytes that are not UTF-8 are decoded, given the id of each byte."""
    given = [[ids[byte] for byte in data] for data in MALFORMED]
    expected = [data.decode("utf-8", errors="replace") for data in MALFORMED]
    what = "decode, with U+FFFD for bytes that are not UTF-8"
    return outcome_of_call(what, lambda: solution.call_on_each("decode", given), expected, given, "lists of ids")
