"""Memory: what all texts of a server may take together, so that a few tabs cannot use up the machine.

A text counts in steps of 100,000 UTF-16 units, so a shorter one is never refused. Each unit counts two bytes, and those
that a view follows as many more as their tokens take.
"""

import threading

STEP = 100_000  # units
UNIT_BYTES = 2
FOLLOWED_BYTES = 30  # for each unit that a view follows: its tokens, twice while they change, and the reply
FOLLOWED_MAX = 1_000_000  # units. Tokenizing as many takes about half a second; a view that lags longer feels broken.
BYTES_MAX = 1_000_000_000  # of all texts


class Memory:
    """Counts what texts take.

    >>> memory = Memory(bytes_max=10_000_000)
    >>> memory.try_resize(0, 250_000), memory.try_resize(0, 250_000)
    (True, False)
    >>> memory.max_grown_length(0)
    199999
    """

    def __init__(self, bytes_max: int = BYTES_MAX) -> None:
        self.bytes_max, self.used = bytes_max, 0
        self._lock = threading.RLock()  # garbage may be collected, and with it a text, while it is held

    def try_resize(self, old: int, new: int, *, must: bool = False) -> bool:
        """Count a text of `old` units as one of `new`; return False, and count nothing, if that is too much.

        It is never too much if the text must be held, or takes no more than before.
        """
        more = bytes_counted_for_length(new) - bytes_counted_for_length(old)
        with self._lock:
            if more > 0 and self.used + more > self.bytes_max and not must:
                return False
            self.used += more
        return True

    def max_grown_length(self, length: int) -> int:
        """Return how many units a text, now of this length, may have."""
        left = self.bytes_max - self.used + bytes_counted_for_length(length)
        followed = min(left // (UNIT_BYTES + FOLLOWED_BYTES), FOLLOWED_MAX)
        units = followed if followed < FOLLOWED_MAX else (left - FOLLOWED_MAX * FOLLOWED_BYTES) // UNIT_BYTES
        return max(units // STEP, length // STEP) * STEP + STEP - 1


def bytes_counted_for_length(length: int) -> int:
    """Return what a text of this many units counts.

    >>> bytes_counted_for_length(99_999), bytes_counted_for_length(1_000_000), bytes_counted_for_length(20_000_000)
    (0, 32000000, 70000000)
    """
    counted = length // STEP * STEP
    return counted * UNIT_BYTES + min(counted, FOLLOWED_MAX) * FOLLOWED_BYTES


TEXTS = Memory()
