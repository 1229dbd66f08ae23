"""Turns with child processes: one child for each client, clients in turn, and children in reserve for newcomers.

A client that has lately kept a child busy for long is heavy, and may not use the children in reserve. A long turn is
preempted while clients that are not heavy wait, and starts again later. After a turn that failed, its client waits for
a backoff, which doubles with each failure in a row.
"""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

RESERVED_CHILDREN = 2  # which heavy clients leave free
LONG_SECONDS = 0.1  # of processor time; a turn that takes longer makes its client heavy
QUICK_ERROR_SECONDS = 0.3  # of processor time; a turn that takes longer, and ends in an error, has failed
HEAVY_SECONDS = 60.0
BACKOFF_MIN, BACKOFF_MAX = 1.0, 60.0
BACKOFF_AWAITED = 4.0  # by a caller that waits; one with a longer backoff is refused at once
RESERVED_SECONDS = 2.0  # a child is reserved for a client whose turn has come
POLL_SECONDS = 0.1


class Client:
    """A session or the like, for which children work; `wake` is called when its turn has come after one was refused."""

    def __init__(self, wake: Callable[[], None] = lambda: None) -> None:
        self.wake = wake
        self.heavy_until = self.backoff = self.backoff_until = 0.0
        self.queued: Turn | None = None  # its place in the queue, for a task that retries

    def backoff_left(self, now: float) -> float:
        """Return the seconds until this client may have a turn."""
        return max(self.backoff_until - now, 0.0)


def never() -> bool:
    """Return False."""
    return False


@dataclass(eq=False)
class Task:
    """Work of a client that takes any number of turns with children.

    is_abandoned: whether nobody waits for it any more; its turn is then stopped at once. is_stale: whether newer work
    replaces it; its turn is then stopped once half of its time is over. max_wait: seconds to wait for a turn. retries:
    whether the caller asks again for a refused turn, when it is woken or at `retry_at`; it never waits for a backoff.
    was_cancelled: whether a turn was stopped or refused for such a reason; its result must then not be used.
    """

    client: Client
    is_abandoned: Callable[[], bool] = never
    is_stale: Callable[[], bool] = never
    max_wait: float = 20.0
    retries: bool = False
    retry_at: float | None = field(default=None, init=False)
    was_cancelled: bool = field(default=False, init=False)


@dataclass(eq=False)
class Turn:
    """One call of a task, in the queue or with a child; `seconds` is the processor time it may take.

    used: the processor time it has taken. has_caller: whether a thread waits for it. reserved_at: since when a child
    is reserved for it while no thread waits. was_preempted: whether it is to start again later. succeeded: whether it
    gave a result or a quick error; False for a slow error, and if it ran out of memory or ended its child; None if
    it was only stopped.
    """

    task: Task
    seconds: float
    what: str
    has_caller: bool = True
    reserved_at: float | None = None
    used: float = 0.0
    was_heavy: bool = False
    was_preempted: bool = False
    succeeded: bool | None = None

    @property
    def is_long(self) -> bool:
        """Whether it has taken long."""
        return self.used > LONG_SECONDS

    @property
    def client(self) -> Client:
        """The client it is for."""
        return self.task.client


class TurnRefused(Exception):
    """A turn was refused; `backoff`: the seconds its client must wait after a failure, 0 if the children are busy."""

    def __init__(self, backoff: float = 0.0) -> None:
        super().__init__(backoff)
        self.backoff = backoff


class ChildTurns:
    """The turns with a number of children; `clock` returns seconds."""

    def __init__(self, n_children: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.n_children, self.clock = n_children, clock
        self._waiting: list[Turn] = []
        self._running: list[Turn] = []
        self._changed = threading.Condition()

    def take(self, task: Task, seconds: float, what: str = "") -> Turn:
        """Wait for a turn of this task, and start it; TurnRefused if it does not come."""
        client = task.client
        with self._changed:
            turn = self._take_back_queued_turn(client)
            until = self.clock() + (0 if turn and task.retries else task.max_wait)
            if turn is None:
                turn = Turn(task, seconds, what)
                self._waiting.append(turn)
            turn.task, turn.seconds, turn.what = task, seconds, what
            turn.has_caller, turn.reserved_at = True, None
            try:
                self._wait_for_start(turn, until)
            except TurnRefused as e:
                task.was_cancelled = task.was_cancelled or task.is_abandoned()
                task.retry_at = self.clock() + (e.backoff or RESERVED_SECONDS / 2)
                raise
            finally:
                if turn.has_caller:
                    self._waiting.remove(turn)
                else:
                    client.queued = turn
            self._running.append(turn)
            turn.was_heavy = client.heavy_until > self.clock()
            return turn

    def _wait_for_start(self, turn: Turn, until: float) -> None:
        """Wait until a turn may start; TurnRefused if it does not come in time, or is not wanted any more."""
        task = turn.task
        while task.was_cancelled or task.is_abandoned() or turn not in self._allot_children():
            now = self.clock()
            backoff = turn.client.backoff_left(now)
            if task.was_cancelled or task.is_abandoned() or backoff > (0 if task.retries else BACKOFF_AWAITED):
                raise TurnRefused(backoff)
            if now >= until:
                turn.has_caller = not task.retries
                raise TurnRefused
            self._changed.wait(min(POLL_SECONDS, until - now))

    def decide_to_stop(self, turn: Turn) -> bool:
        """Return whether a running turn must be stopped: it is not wanted any more, or is preempted."""
        with self._changed:
            now, task = self.clock(), turn.task
            is_late = turn.used > turn.seconds / 2
            if task.is_abandoned() or (is_late and task.is_stale()):
                task.was_cancelled = True
                turn.succeeded = False if is_late else None
                return True
            if turn.was_heavy or not turn.is_long or self._n_running_heavy() <= self.n_children - RESERVED_CHILDREN:
                return False
            busy = {each.client for each in self._running}
            ready = {each.client for each in self._waiting if self._is_ready(each, busy, now)}
            n_light = sum(client.heavy_until <= now for client in ready)
            turn.was_preempted = n_light > self.n_children - len(self._running)
            return turn.was_preempted

    def end(self, turn: Turn) -> None:
        """End a turn."""
        with self._changed:
            now, client = self.clock(), turn.client
            self._running.remove(turn)
            if turn.is_long or turn.succeeded is False:
                client.heavy_until = now + HEAVY_SECONDS
            if turn.succeeded:
                client.backoff = 0.0
            elif turn.succeeded is False:
                client.backoff = min(max(2 * client.backoff, turn.used, BACKOFF_MIN), BACKOFF_MAX)
                client.backoff_until = now + client.backoff
            self._wake_others()

    def leave_queue(self, client: Client) -> None:
        """Remove a client from the queue."""
        with self._changed:
            if turn := self._take_back_queued_turn(client):
                self._waiting.remove(turn)
                self._wake_others()

    def _take_back_queued_turn(self, client: Client) -> Turn | None:
        """Return the waiting turn that keeps a client's place, if there is one; the place is then taken back."""
        turn, client.queued = client.queued, None
        return turn if turn in self._waiting else None

    def _wake_others(self) -> None:
        self._allot_children()
        self._changed.notify_all()

    def _n_running_heavy(self) -> int:
        return sum(each.was_heavy or each.is_long for each in self._running)

    def _is_ready(self, turn: Turn, busy: set[Client], now: float) -> bool:
        return turn.client not in busy and not turn.client.backoff_left(now)

    def _allot_children(self) -> list[Turn]:
        """Return the turns that may start now, and wake the clients of those that no thread waits for."""
        now = self.clock()
        self._waiting = [
            each for each in self._waiting if each.reserved_at is None or now - each.reserved_at <= RESERVED_SECONDS
        ]
        return list(self._allot_and_yield_turns(now))

    def _allot_and_yield_turns(self, now: float) -> Iterator[Turn]:
        n_free, n_heavy = self.n_children - len(self._running), self._n_running_heavy()
        busy = {each.client for each in self._running}
        # A caller that waits goes before a client that will be woken.
        for turn in sorted(self._waiting, key=lambda turn: turn.task.retries):
            is_heavy = turn.client.heavy_until > now
            may_use_child = not is_heavy or n_heavy < self.n_children - RESERVED_CHILDREN
            if n_free and may_use_child and self._is_ready(turn, busy, now):
                n_free -= 1
                n_heavy += is_heavy
                busy.add(turn.client)
                if not turn.has_caller and turn.reserved_at is None:
                    turn.reserved_at = now
                    turn.client.wake()
                yield turn
