"""How fast a text is encoded, measured here and now.

In: an encoding function and a text. Out: bytes a second. A short text is encoded many times over as one, or the
figure would tell what a call costs (a library's runs in a thread of its own) and not how fast the engine is.
What an encoder remembers within a call is part of its speed: `Tokenizer` encodes a pretoken once and looks it up where
it comes again, which in copies is everywhere but in the first. So the figure of a short text is one of looking up.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

RUN_SECONDS = 0.02  # a shorter run says more of the clock than of the tokenizer
LEAST_BYTES = 50_000  # a call takes as long as some hundred bytes do, which is then little
BUDGET_SECONDS = 2.0  # after so long no further run begins


@dataclass(frozen=True)
class Throughput:
    """bytes_per_second: the median of `runs` runs, each of `repeats` calls with `copies` of the text, one a line."""

    bytes_per_second: float
    runs: int
    repeats: int
    copies: int


def throughput(
    encode: Callable[[str], object], text: str, *, runs: int = 5, clock: Callable[[], float] = time.perf_counter
) -> Throughput | None:
    """Return how fast a text is encoded; None for an empty text.

    A text of less than 50,000 bytes is repeated to as many, a copy a line. A first call, which is not counted,
    warms up and tells how many calls make a run of 0.02 seconds. Where two seconds are over, the runs made by
    then have to do. `clock` is in seconds. Raises what `encode` raises: ValueError where it does not end in time, which
    copies may bring about where the text alone does not.

    >>> ticks = iter([0, 0.01, 0, 0, 0.5, 0.5, 0.5, 1, 1])  # 0.01 s for one call, then two runs of 0.5 s
    >>> throughput(str.split, "a" * 49_999, runs=2, clock=lambda: next(ticks))
    Throughput(bytes_per_second=399996.0, runs=2, repeats=2, copies=2)
    """
    if not text:
        return None
    copies = -(-LEAST_BYTES // _n_bytes(text))
    text = "\n".join([text] * copies)
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
    n_bytes = _n_bytes(text) * repeats
    return Throughput(n_bytes / max(statistics.median(found), 1e-9), len(found), repeats, copies)


def _n_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
