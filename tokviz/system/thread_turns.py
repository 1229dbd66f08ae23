"""Turns for long work in threads: one client works at a time, a slice at a time.

Threads compete for Python's interpreter with each other and with the loop that serves everybody. So one of them has the
turn, and yields it between slices. The next turn goes to the client that has worked least lately.
"""

import threading
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

SLICE = 0.02  # seconds of work before a turn may be yielded
# A turn is yielded only to a client that has worked at most half as much. Yielded more readily, it would leave the work
# of all clients half done in memory.
YIELD_RATIO = 2
HALF_LIFE = 10.0  # seconds after which work counts half
NEGLIGIBLE = 1e-4  # seconds of work that no longer count


class _Turn:
    """A task of a client. has_begun: whether it has had the turn before, and yielded it."""

    def __init__(self, client: Hashable) -> None:
        self.client, self.has_begun = client, False
        self.granted = threading.Semaphore(0)
        self.since = 0.0


class ThreadTurns:
    """Gives one thread the turn at a time; a client has at most one task under way.

    >>> turns = ThreadTurns()
    >>> with turns.turn("a client"):
    ...     yield_turn()
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: _Turn | None = None
        self._waiting: list[_Turn] = []
        self._busy: set[Hashable] = set()  # clients with a task under way
        self._worked: dict[Hashable, tuple[float, float]] = {}  # seconds of work, and when they were counted

    @property
    def is_contended(self) -> bool:
        """Whether anybody waits for a turn."""
        return bool(self._waiting)

    @contextmanager
    def turn(self, client: Hashable) -> Iterator[None]:
        """Wait for a turn of this client, and hold it within the block; a thread that has a turn keeps that one."""
        if _held.get():
            yield
            return
        turn = _Turn(client)
        self._wait_for_turn(turn)
        _held.set((self, turn))
        try:
            yield
        finally:
            _held.set(None)
            with self._lock:
                self._busy.discard(client)
                self._end_turn_and_start_next()

    def yield_to_others(self, turn: _Turn) -> None:
        """After a slice of work, let clients that have worked much less go first, then go on."""
        if time.perf_counter() - turn.since < SLICE:
            return
        with self._lock:
            self._add_work_and_forget_old()
            next_one = self._next_turn()
            worked = self._decayed_work_seconds(turn.client)
            if next_one is None or YIELD_RATIO * self._decayed_work_seconds(next_one.client) > worked:
                return
            self._end_turn_and_start_next()
        self._wait_for_turn(turn)

    @contextmanager
    def releasing(self, turn: _Turn) -> Iterator[None]:
        """Release the turn within the block, which waits for something, perhaps for another task of this client."""
        with self._lock:
            self._busy.discard(turn.client)
            self._end_turn_and_start_next()
        try:
            yield
        finally:
            self._wait_for_turn(turn)

    def _wait_for_turn(self, turn: _Turn) -> None:
        """Wait until this turn is granted."""
        with self._lock:
            self._waiting.append(turn)
            if self._running is None:
                self._start_next_turn()
        try:
            turn.granted.acquire()
        except BaseException:  # an interrupt
            with self._lock:
                if turn in self._waiting:
                    self._waiting.remove(turn)
                elif self._running is turn:
                    self._end_turn_and_start_next()
            raise

    def _end_turn_and_start_next(self) -> None:
        """End the current turn, and start the next."""
        self._add_work_and_forget_old()
        self._running = None
        self._start_next_turn()

    def _start_next_turn(self) -> None:
        if turn := self._next_turn():
            self._waiting.remove(turn)
            self._busy.add(turn.client)
            self._running, turn.has_begun, turn.since = turn, True, time.perf_counter()
            turn.granted.release()

    def _next_turn(self) -> _Turn | None:
        """Return the next turn: of the clients that have worked least, the one that has waited longest."""
        ready = [turn for turn in self._waiting if turn.has_begun or turn.client not in self._busy]
        return min(ready, key=lambda turn: self._decayed_work_seconds(turn.client), default=None)

    def _add_work_and_forget_old(self) -> None:
        """Count the work of the current turn, and forget work that is too old to matter."""
        if turn := self._running:
            now = time.perf_counter()
            self._worked[turn.client] = self._decayed_work_seconds(turn.client) + now - turn.since, now
            turn.since = now
            for client in [client for client in self._worked if self._decayed_work_seconds(client) < NEGLIGIBLE]:
                del self._worked[client]

    def _decayed_work_seconds(self, client: Hashable) -> float:
        """Return how long a client has worked lately, in seconds."""
        seconds, when = self._worked.get(client, (0.0, 0.0))
        return seconds * 0.5 ** ((time.perf_counter() - when) / HALF_LIFE)


LONG_WORK = ThreadTurns()  # of the sessions of a server


_held: ContextVar[tuple[ThreadTurns, _Turn] | None] = ContextVar("turn", default=None)  # by this thread


def yield_turn() -> None:
    """Let others work between two pieces of long work if this thread has a turn."""
    if found := _held.get():
        turns, turn = found
        turns.yield_to_others(turn)


@contextmanager
def releasing_turn() -> Iterator[None]:
    """Let others work while this thread waits for something within the block."""
    if found := _held.get():
        turns, turn = found
        with turns.releasing(turn):
            yield
    else:
        yield


@contextmanager
def holding(lock: threading.Lock) -> Iterator[None]:
    """Hold a lock within the block; let others work while waiting for it."""
    if not lock.acquire(blocking=False):
        with releasing_turn():
            lock.acquire()
    try:
        yield
    finally:
        lock.release()
