"""Credit: a limit of how often something may be done, which allows bursts."""

import time


class Credit:
    """Grows by `per_second` up to `most`, and is spent."""

    def __init__(self, per_second: float, most: float) -> None:
        self.per_second, self.most = per_second, float(most)
        self._left, self._then = self.most, time.monotonic()

    def spend(self, cost: float) -> float:
        """Spend credit, and return how many seconds to wait until there is some again."""
        now = time.monotonic()
        self._left = min(self._left + (now - self._then) * self.per_second, self.most) - cost
        self._then = now
        return max(-self._left / self.per_second, 0.0)
