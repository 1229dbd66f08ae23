"""Whose turn it is to have a child process work: one child for a client, clients in turn, room for whoever comes new.

A client is somebody for whom work is done, such as a session. One that has used a child for long lately is heavy, and
a part of the children is closed to it. Work that turns out long gives way where others wait who are not, and begins
again later. After work that did not end, the client rests, twice as long each time; work that ends well ends that.
"""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

ROOM = 2  # children that heavy clients leave free
LONG_SECONDS = 0.1  # of processor time; work that takes longer makes its client heavy
IN_VAIN_SECONDS = 0.3  # work that takes longer, and ends in an error, has failed
HEAVY_SECONDS = 60.0
REST_MIN, REST_MAX = 1.0, 60.0
RESTS_AWAITED = 4.0  # by a caller that waits; a longer rest is refused at once
CALLED_SECONDS = 2.0  # a place is kept for a client whose turn has come
LOOK_SECONDS = 0.1


class Client:
    """Somebody for whom children work; `wake` is called once a turn has come that was refused before."""

    def __init__(self, wake: Callable[[], None] = lambda: None) -> None:
        self.wake = wake
        self.heavy_until = self.rest = self.rests_until = 0.0
        self.place: Turn | None = None  # in the line, of work that is to be asked for again

    def rest_left(self, now: float) -> float:
        """Return the seconds until anything may run for it."""
        return max(self.rests_until - now, 0.0)


def never() -> bool:
    """Return False."""
    return False


@dataclass(eq=False)
class Errand:
    """What may need children, for a client.

    is_gone: whether nobody waits for it any more; it then stops at once. is_stale: whether something newer is wanted;
    it then stops once half of its time is over. patience: seconds to wait for a turn. comes_back: whether what is
    refused is asked for again, at its turn or at `again_at`; no rest is then awaited. is_dropped: whether it was
    stopped; what it brings is then not to be used.
    """

    client: Client
    is_gone: Callable[[], bool] = never
    is_stale: Callable[[], bool] = never
    patience: float = 20.0
    comes_back: bool = False
    again_at: float | None = field(default=None, init=False)
    is_dropped: bool = field(default=False, init=False)


@dataclass(eq=False)
class Turn:
    """A piece of work in the line, or with a child, for which it has so many seconds of processor time.

    used: what it has taken of that. called: since when a child is kept for it while nobody waits. gave_way: whether it
    is to begin again later. ended_well: whether it brought something, be it a quick error; False for an error that took
    long, or the memory or the child; None if it was only stopped.
    """

    errand: Errand
    seconds: float
    what: str
    is_here: bool = True
    called: float | None = None
    used: float = 0.0
    was_heavy: bool = False
    gave_way: bool = False
    ended_well: bool | None = None

    @property
    def is_long(self) -> bool:
        """Whether it has taken long."""
        return self.used > LONG_SECONDS

    @property
    def client(self) -> Client:
        """Whose work it is."""
        return self.errand.client


class NotNow(Exception):
    """A turn that was refused; `rest`: the seconds that the client rests, 0 if the children are busy."""

    def __init__(self, rest: float = 0.0) -> None:
        super().__init__(rest)
        self.rest = rest


class ChildTurns:
    """The turns of so many children; `clock` gives seconds."""

    def __init__(self, n_children: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.n_children, self.clock = n_children, clock
        self._waiting: list[Turn] = []
        self._running: list[Turn] = []
        self._changed = threading.Condition()

    def take(self, errand: Errand, seconds: float, what: str = "") -> Turn:
        """Wait for the turn of this work, and begin it; NotNow if it does not come."""
        client = errand.client
        with self._changed:
            turn = self._place_of(client)
            until = self.clock() + (0 if turn and errand.comes_back else errand.patience)
            if turn is None:
                turn = Turn(errand, seconds, what)
                self._waiting.append(turn)
            turn.errand, turn.seconds, turn.what = errand, seconds, what
            turn.is_here, turn.called = True, None
            try:
                while errand.is_dropped or errand.is_gone() or turn not in self._next():
                    now = self.clock()
                    rest = client.rest_left(now)
                    if errand.is_dropped or errand.is_gone() or rest > (0 if errand.comes_back else RESTS_AWAITED):
                        raise NotNow(rest)
                    if now >= until:
                        turn.is_here = not errand.comes_back
                        raise NotNow
                    self._changed.wait(min(LOOK_SECONDS, until - now))
            except NotNow as e:
                errand.is_dropped = errand.is_dropped or errand.is_gone()
                errand.again_at = self.clock() + (e.rest or CALLED_SECONDS / 2)
                raise
            finally:
                if turn.is_here:
                    self._waiting.remove(turn)
                else:
                    client.place = turn
            self._running.append(turn)
            turn.was_heavy = client.heavy_until > self.clock()
            return turn

    def must_stop(self, turn: Turn) -> bool:
        """Return whether work under way is to be stopped: nobody wants it, or it gives way and begins again later."""
        with self._changed:
            now, errand = self.clock(), turn.errand
            is_late = turn.used > turn.seconds / 2
            if errand.is_gone() or (is_late and errand.is_stale()):
                errand.is_dropped = True
                turn.ended_well = False if is_late else None
                return True
            if turn.was_heavy or not turn.is_long or self._n_heavy() <= self.n_children - ROOM:
                return False
            busy = {each.client for each in self._running}
            new = {each.client for each in self._waiting if self._may_run(each, busy, now)}
            n_new = sum(client.heavy_until <= now for client in new)
            turn.gave_way = n_new > self.n_children - len(self._running)
            return turn.gave_way

    def end(self, turn: Turn) -> None:
        """End a turn."""
        with self._changed:
            now, client = self.clock(), turn.client
            self._running.remove(turn)
            if turn.is_long or turn.ended_well is False:
                client.heavy_until = now + HEAVY_SECONDS
            if turn.ended_well:
                client.rest = 0.0
            elif turn.ended_well is False:
                client.rest = min(max(2 * client.rest, turn.used, REST_MIN), REST_MAX)
                client.rests_until = now + client.rest
            self._tell_others()

    def leave(self, client: Client) -> None:
        """Drop the place that is kept for a client."""
        with self._changed:
            if place := self._place_of(client):
                self._waiting.remove(place)
                self._tell_others()

    def _place_of(self, client: Client) -> Turn | None:
        """Return the turn that waits in the place kept for a client, which then has none."""
        place, client.place = client.place, None
        return place if place in self._waiting else None

    def _tell_others(self) -> None:
        self._next()
        self._changed.notify_all()

    def _n_heavy(self) -> int:
        return sum(each.was_heavy or each.is_long for each in self._running)

    def _may_run(self, turn: Turn, busy: set[Client], now: float) -> bool:
        return turn.client not in busy and not turn.client.rest_left(now)

    def _next(self) -> list[Turn]:
        """Return the turns that may begin now, and call those that nobody waits with."""
        now = self.clock()
        self._waiting = [each for each in self._waiting if each.called is None or now - each.called <= CALLED_SECONDS]
        return list(self._first(now))

    def _first(self, now: float) -> Iterator[Turn]:
        n_free, n_heavy = self.n_children - len(self._running), self._n_heavy()
        busy = {each.client for each in self._running}
        # Who waits for a page goes before what comes back by itself.
        for turn in sorted(self._waiting, key=lambda turn: turn.errand.comes_back):
            is_heavy = turn.client.heavy_until > now
            if n_free and self._may_run(turn, busy, now) and not (is_heavy and n_heavy >= self.n_children - ROOM):
                n_free -= 1
                n_heavy += is_heavy
                busy.add(turn.client)
                if not turn.is_here and turn.called is None:
                    turn.called = now
                    turn.client.wake()
                yield turn
