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

    def then(self, later: "Change") -> "Change":
        """Return the change from the old state of this one to the new state of a later one.

        >>> Change(3, 3, 4).then(Change(4, 4, 5)), Change(9, 9, 10).then(Change(0, 2, 0))
        (Change(start=3, old_stop=3, new_stop=5), Change(start=0, old_stop=9, new_stop=8))
        """
        return Change(
            min(self.start, later.start),
            max(self.old_stop, later.old_stop - self.shift),
            max(self.new_stop + later.shift, later.new_stop),
        )


def change_of_units(old: bytes, new: bytes) -> Change:
    """Return what differs between two texts, given by their UTF-16 units.

    >>> change_of_units("low".encode("utf-16-le"), "lower".encode("utf-16-le"))
    Change(start=3, old_stop=3, new_stop=5)
    """
    a, b = np.frombuffer(old, np.uint16), np.frombuffer(new, np.uint16)
    shorter = min(len(a), len(b))
    different = np.flatnonzero(a[:shorter] != b[:shorter])
    front = int(different[0]) if len(different) else shorter
    rest = shorter - front
    different = np.flatnonzero(a[len(a) - rest :][::-1] != b[len(b) - rest :][::-1])
    back = int(different[0]) if len(different) else rest
    return Change(front, len(a) - back, len(b) - back)
