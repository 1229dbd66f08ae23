"""Checks of an object that encodes and decodes, with a time for each."""

from collections.abc import Sequence
from typing import Any

from tokviz.checks.outcomes import Outcome, compared, shown
from tokviz.checks.probes import MALFORMED
from tokviz.checks.questions import Failed, Solution


def encoded_and_decoded(
    solution: Solution, texts: Sequence[str], *, seconds: float | None = None, **options: Any
) -> list[tuple[list[Any], Any]] | Failed:
    """Return the ids of texts, each with what these are decoded to, or a Failed that says which of the two failed."""
    found = solution.each("encode", texts, seconds=seconds, **options)
    if isinstance(found, Failed):
        return found.of("encode")
    for each in found:
        if not isinstance(each, list | tuple):
            return Failed(f"encode returned {shown(each)}; expected is a list of ids")
    ids = [list(each) for each in found]
    decoded = solution.each("decode", ids, seconds=seconds)
    return decoded.of("decode") if isinstance(decoded, Failed) else [*zip(ids, decoded, strict=True)]


def malformed_outcome(solution: Solution, ids: Sequence[int]) -> Outcome:
    """Return how bytes that are no UTF-8 are decoded, given the id of each byte."""
    given = [[ids[byte] for byte in data] for data in MALFORMED]
    expected = [data.decode("utf-8", errors="replace") for data in MALFORMED]
    found = solution.each("decode", given)
    what = "decode, with U+FFFD for bytes that are no UTF-8"
    return compared(what, found, expected, given, "lists of ids")
