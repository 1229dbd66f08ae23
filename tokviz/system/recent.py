"""Results that are kept only while somebody uses them, since they hold what users typed."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar
from weakref import WeakSet

P = ParamSpec("P")
R = TypeVar("R")


class Recent(Generic[R]):
    """The results of a function, by its arguments, with the time each was last used."""

    def __init__(self, maxsize: int) -> None:
        self._maxsize = maxsize
        self._results: OrderedDict[Hashable, tuple[float, R]] = OrderedDict()
        self._lock = Lock()
        _ALL.add(self)

    def known_result(self, key: Hashable) -> R | None:
        """Return what is kept under a key, None if nothing is."""
        found = self._renewed_entry(key)
        return None if found is None else found[1]

    def kept_or_made_result(self, key: Hashable, make: Callable[[], R]) -> R:
        """Return what is kept under a key, or make it."""
        found = self._renewed_entry(key)
        if found is not None:
            return found[1]
        made = make()  # two threads may make the same
        with self._lock:
            self._results.pop(key, None)  # the other thread's: entries are in order of time
            self._results[key] = (time.monotonic(), made)
            while len(self._results) > self._maxsize:
                self._results.popitem(last=False)
        return made

    def _renewed_entry(self, key: Hashable) -> tuple[float, R] | None:
        """Return the entry under a key, used now; None if there is none."""
        with self._lock:
            found = self._results.pop(key, None)
            if found is not None:
                found = self._results[key] = (time.monotonic(), found[1])
            return found

    def forget_unused(self, seconds: float) -> None:
        """Drop whatever nobody has used for this many seconds."""
        until = time.monotonic() - seconds
        with self._lock:
            while self._results and next(iter(self._results.values()))[0] <= until:
                self._results.popitem(last=False)


_ALL: WeakSet[Recent[Any]] = WeakSet()


def recent(maxsize: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the last results of a function, as `functools.lru_cache` does, until `forget_unused` finds them unused.

    >>> @recent(maxsize=8)
    ... def doubled(text):
    ...     print("made")
    ...     return text * 2
    >>> doubled("ab"), doubled("ab")
    made
    ('abab', 'abab')
    >>> forget_unused(0)
    >>> doubled("ab")
    made
    'abab'
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        results: Recent[R] = Recent(maxsize)

        @wraps(function)
        def kept_result(*args: P.args, **kwargs: P.kwargs) -> R:
            return results.kept_or_made_result((args, *sorted(kwargs.items())), lambda: function(*args, **kwargs))

        return kept_result

    return decorate


def forget_unused(seconds: float) -> None:
    """Drop every result of every function that nobody has used for this many seconds."""
    for results in list(_ALL):
        results.forget_unused(seconds)
