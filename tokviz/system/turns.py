"""Turns: long work of many parties in threads of one process, a piece at a time.

Threads of one process take Python's interpreter from each other, and from the loop that answers everybody. So one of
them works at a time. The next is whoever has worked least of late, and a long piece of work gives way in between.
"""

import threading
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

SLICE = 0.02  # seconds of work, after which it may have to give way
# Work under way gives way only to a party that has worked at most half as much. If it gave way more readily, the work
# of all would sit half done in memory.
MUCH = 2
HALF_LIFE = 10.0  # seconds after which work counts half
FORGOTTEN = 1e-4  # seconds of work that count no more


class _Turn:
    """One party's work. is_begun: it has had its turn, and gave way."""

    def __init__(self, whose: Hashable) -> None:
        self.whose, self.is_begun = whose, False
        self.go = threading.Semaphore(0)
        self.since = 0.0


class Turns:
    """Gives one thread its turn at a time; a party has one piece of work under way at most.

    >>> turns = Turns()
    >>> with turns.turn("somebody"):
    ...     breathe()
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: _Turn | None = None
        self._waiting: list[_Turn] = []
        self._busy: set[Hashable] = set()  # parties whose work has begun
        self._worked: dict[Hashable, tuple[float, float]] = {}  # seconds of work, and when they were counted

    @contextmanager
    def turn(self, whose: Hashable) -> Iterator[None]:
        """Wait for a turn of this party, and have it within the block, unless this thread has one already."""
        if _local.turn:
            yield
            return
        turn = _Turn(whose)
        self._take(turn)
        _local.turn = self, turn
        try:
            yield
        finally:
            _local.turn = None
            with self._lock:
                self._busy.discard(whose)
                self._release()

    def give_way(self, turn: _Turn) -> None:
        """Let others have a turn where they have worked much less, and go on when it is this one's again."""
        if time.perf_counter() - turn.since < SLICE:
            return
        with self._lock:
            self._count()
            next_one = self._next()
            if next_one is None or MUCH * self._seconds(next_one.whose) > self._seconds(turn.whose):
                return
            self._release()
        self._take(turn)

    @contextmanager
    def away(self, turn: _Turn) -> Iterator[None]:
        """Let others work within the block, which waits for something, other work of this party included."""
        with self._lock:
            self._busy.discard(turn.whose)
            self._release()
        try:
            yield
        finally:
            self._take(turn)

    def _take(self, turn: _Turn) -> None:
        """Wait until it is this one's turn."""
        with self._lock:
            self._waiting.append(turn)
            if self._running is None:
                self._start_next()
        try:
            turn.go.acquire()
        except BaseException:  # an interrupt
            with self._lock:
                if turn in self._waiting:
                    self._waiting.remove(turn)
                elif self._running is turn:
                    self._release()
            raise

    def _release(self) -> None:
        """End the turn under way."""
        self._count()
        self._running = None
        self._start_next()

    def _start_next(self) -> None:
        if turn := self._next():
            self._waiting.remove(turn)
            self._busy.add(turn.whose)
            self._running, turn.is_begun, turn.since = turn, True, time.perf_counter()
            turn.go.release()

    def _next(self) -> _Turn | None:
        """Return who is next: of those who have worked least, the one that has waited longest."""
        able = [turn for turn in self._waiting if turn.is_begun or turn.whose not in self._busy]
        return min(able, key=lambda turn: self._seconds(turn.whose), default=None)

    def _count(self) -> None:
        """Count the work of the turn under way, and forget what was long ago."""
        if turn := self._running:
            now = time.perf_counter()
            self._worked[turn.whose] = self._seconds(turn.whose) + now - turn.since, now
            turn.since = now
            for whose in [whose for whose in self._worked if self._seconds(whose) < FORGOTTEN]:
                del self._worked[whose]

    def _seconds(self, whose: Hashable) -> float:
        """Return for how long a party has worked of late."""
        seconds, when = self._worked.get(whose, (0.0, 0.0))
        return seconds * 0.5 ** ((time.perf_counter() - when) / HALF_LIFE)


LONG_WORK = Turns()  # of the sessions of a server


class _Local(threading.local):
    """The turn that this thread has."""

    turn: tuple[Turns, _Turn] | None = None


_local = _Local()


def breathe() -> None:
    """Give way between two pieces of long work, if this thread has its turn in something."""
    if found := _local.turn:
        turns, turn = found
        turns.give_way(turn)


@contextmanager
def away() -> Iterator[None]:
    """Let others have their turns while this thread waits for something within the block."""
    if found := _local.turn:
        turns, turn = found
        with turns.away(turn):
            yield
    else:
        yield


@contextmanager
def locked(lock: threading.Lock) -> Iterator[None]:
    """Hold a lock within the block; let others have their turns while waiting for it."""
    if not lock.acquire(blocking=False):
        with away():
            lock.acquire()
    try:
        yield
    finally:
        lock.release()
