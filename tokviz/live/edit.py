"""Edit: what one key does to a text. Change: which stretch of a text, or of its tokens, replaced which."""

from typing import NamedTuple

import numpy as np


class Edit(NamedTuple):
    """From `start` on, the text `inserted` replaces `removed` UTF-16 units of a text."""

    start: int
    removed: int
    inserted: str


class Change(NamedTuple):
    """new[start:new_stop] replaced old[start:old_stop]; everything before and after is the same."""

    start: int
    old_stop: int
    new_stop: int

    @property
    def shift(self) -> int:
        """How far everything after the change has moved."""
        return self.new_stop - self.old_stop

    def combined_with(self, later: "Change") -> "Change":
        """Return the change from the old state of this one to the new state of a later one.

        >>> Change(3, 3, 4).combined_with(Change(4, 4, 5)), Change(9, 9, 10).combined_with(Change(0, 2, 0))
        (Change(start=3, old_stop=3, new_stop=5), Change(start=0, old_stop=9, new_stop=8))
        """
        return Change(
            min(self.start, later.start),
            max(self.old_stop, later.old_stop - self.shift),
            max(self.new_stop + later.shift, later.new_stop),
        )


def change_between(old: np.ndarray, new: np.ndarray) -> Change:
    """Return what differs between two arrays.

    >>> change_between(np.array([1, 2, 3]), np.array([1, 7, 7, 3]))
    Change(start=1, old_stop=2, new_stop=3)
    """
    shorter = min(len(old), len(new))
    front = n_leading_true(old[:shorter] == new[:shorter])
    rest = shorter - front
    back = n_leading_true((old[len(old) - rest :] == new[len(new) - rest :])[::-1])
    return Change(front, len(old) - back, len(new) - back)


def n_leading_true(values: np.ndarray) -> int:
    """Return how many values come before the first that is false."""
    first = int(values.argmin()) if len(values) else 0
    return first if len(values) and not values[first] else len(values)
