"""Threads that share work and give its results in order; useful where the work lets other threads run."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from itertools import chain, islice
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 2  # items for each thread that are taken before they are due


def n_cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def results_in_order(function: Callable[[T], R], items: Iterable[T], n_threads: int) -> Iterator[R]:
    """Yield what the function makes of each item, in the order of the items.

    Threads work, unless there is one item or `n_threads` is 1. However many items there are, only a few are held.

    >>> list(results_in_order(abs, [-2, 1, -3], 2))
    [2, 1, 3]
    """
    rest = iter(items)
    first = list(islice(rest, 2)) if n_threads > 1 else []
    if len(first) < 2:
        yield from map(function, chain(first, rest))
        return
    running: deque[Future[R]] = deque()
    pool = _pool(n_threads)
    try:
        for item in chain(first, rest):
            running.append(pool.submit(function, item))
            if len(running) > AHEAD * n_threads:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    finally:
        for future in running:
            future.cancel()


@cache
def _pool(n_threads: int) -> ThreadPoolExecutor:
    """Return threads that stay: an engine that keeps what it learns by thread would start again in new ones."""
    return ThreadPoolExecutor(n_threads, "in order")


os.register_at_fork(after_in_child=_pool.cache_clear)  # a fork has none of the threads
