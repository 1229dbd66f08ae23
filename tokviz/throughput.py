"""How fast a text is encoded, measured here and now.

In: an encoding function and a text. Out: bytes a second. `Tokenizer.encode` keeps nothing from one call to
the next, so every run starts with fresh caches.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

RUN_SECONDS = 0.02  # a shorter run says more of the clock than of the tokenizer
BUDGET_SECONDS = 2.0  # after so long no further run begins


@dataclass(frozen=True)
class Throughput:
    """bytes_per_second: the median of `runs` runs, in each of which the text was encoded `repeats` times."""

    bytes_per_second: float
    runs: int
    repeats: int


def throughput(
    encode: Callable[[str], object], text: str, *, runs: int = 5, clock: Callable[[], float] = time.perf_counter
) -> Throughput | None:
    """Return how fast a text is encoded; None for an empty text.

    A first call, which is not counted, warms up and tells how often a short text is to be repeated for a
    run of 0.02 seconds. Where two seconds are over, the runs made by then have to do. `clock` is in seconds.

    >>> ticks = iter([0, 0.01, 0, 0, 0.5, 0.5, 0.5, 1, 1])  # 0.01 s for one call, then two runs of 0.5 s
    >>> throughput(str.split, "a" * 100, runs=2, clock=lambda: next(ticks))
    Throughput(bytes_per_second=400.0, runs=2, repeats=2)
    """
    if not text:
        return None
    start = clock()
    encode(text)
    first = clock() - start
    repeats = max(1, min(100_000, round(RUN_SECONDS / first) if first > 0 else 100_000))
    found: list[float] = []
    began = clock()
    while len(found) < runs:
        start = clock()
        for _ in range(repeats):
            encode(text)
        found.append(clock() - start)
        if clock() - began > BUDGET_SECONDS:
            break
    n_bytes = len(text.encode("utf-8", "surrogatepass")) * repeats
    return Throughput(n_bytes / max(statistics.median(found), 1e-9), len(found), repeats)
