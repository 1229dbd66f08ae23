"""How many different texts there are among more than memory holds."""

from collections.abc import Iterable

import numpy as np

WAITING_MAX = 2**16  # hashes in a set, which takes ten times the memory, before they join the others


class DistinctTexts:
    """The number of different texts among those it was given, as `len`; it holds eight bytes for each, their hashes.

    The chance that any two of a million texts share a hash of 64 bits is about 1 in 37 million.

    >>> words = DistinctTexts()
    >>> words.add(["low", "er", "low"])
    >>> words.add(["er"])
    >>> len(words)
    2
    """

    def __init__(self) -> None:
        self._merged = np.empty(0, np.int64)
        self._waiting: set[int] = set()

    def add(self, texts: Iterable[str]) -> None:
        """Take texts."""
        self._waiting.update(map(hash, texts))
        if len(self._waiting) > WAITING_MAX:
            self._merge_waiting()

    def _merge_waiting(self) -> None:
        waiting = np.fromiter(self._waiting, np.int64, len(self._waiting))
        self._merged = np.union1d(self._merged, waiting)
        self._waiting.clear()

    def __len__(self) -> int:
        self._merge_waiting()
        return len(self._merged)
