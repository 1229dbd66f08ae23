"""Runs of consecutive numbers."""

from collections.abc import Iterable, Iterator
from itertools import groupby


def consecutive_runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first of each run of consecutive numbers, which ascend, and how many it has.

    >>> list(consecutive_runs([0, 1, 2, 7, 8]))
    [(0, 3), (7, 2)]
    """
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        (_, first), *others = run
        yield first, 1 + len(others)
