"""ChildTurns at child processes, in seconds of a clock that the tests set: nothing runs and nobody waits."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from processes import until

from tokviz.system import child_turns
from tokviz.system.child_turns import REST_MAX, ROOM, ChildTurns, Client, Errand, NotNow, Turn

N_CHILDREN = 4
TICK = 0.1
NEVER = 1e9  # seconds of work
ALLOWED = 2.0  # seconds for each piece of work


class Room:
    """Children that share `n_cores`, and clients that come back when they are called."""

    def __init__(self, n_cores: int = 2) -> None:
        self.now, self.n_cores = 0.0, n_cores
        self.turns = ChildTurns(N_CHILDREN, clock=lambda: self.now)
        self.people: list[Person] = []
        self.most = 0

    def person(self, needs: float, *, again: bool = False) -> "Person":
        """Let somebody come with work that needs so many seconds; again and again if it is typed on."""
        person = Person(self, needs, again)
        self.people.append(person)
        person.ask()
        return person

    def go_on(self, seconds: float) -> None:
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            running = [person for person in self.people if person.turn]
            self.most = max(self.most, len(running))
            for person in running:
                person.work(TICK * min(1, self.n_cores / len(running)))
            for person in self.people:
                if person.called or (person.errand.again_at or NEVER) <= self.now:
                    person.ask()


class Person:
    def __init__(self, room: Room, needs: float, again: bool) -> None:
        self.room, self.needs, self.again = room, needs, again
        self.came, self.called = room.now, False
        self.client = Client(wake=self._wake)
        self.done: list[float] = []  # seconds from asking to having
        self.begun: list[float] = []
        self.turn: Turn | None = None

    def _wake(self) -> None:
        self.called = True

    def ask(self) -> None:
        self.called = False
        self.errand = Errand(self.client, patience=0, comes_back=True)
        try:
            self.turn = self.room.turns.take(self.errand, ALLOWED)
            self.begun.append(self.room.now)
        except NotNow:
            self.turn = None

    def work(self, seconds: float) -> None:
        turn = self.turn
        turn.used += seconds
        is_stopped = self.room.turns.must_stop(turn)
        if not is_stopped and turn.used < min(self.needs, ALLOWED):
            return
        if not is_stopped:
            turn.ended_well = self.needs <= ALLOWED
            self.done += [self.room.now - self.came] * turn.ended_well
        self.room.turns.end(turn)
        self.turn = None
        if is_stopped or self.again:
            self.ask()


def test_a_newcomer_is_served_at_once_beside_twelve_whose_work_never_ends():
    room = Room()
    hostile = [room.person(NEVER, again=True) for _ in range(12)]
    for _ in range(10):
        room.go_on(4)
        newcomer = room.person(0.02)
        room.go_on(1)
        assert newcomer.done and newcomer.done[0] < 0.5
    assert all(len(each.begun) > 1 for each in hostile) and room.most <= N_CHILDREN


def test_a_newcomer_behind_twelve_who_came_at_once_waits_for_none_of_them_to_end():
    room = Room()
    for _ in range(12):
        room.person(NEVER, again=True)
    newcomer = room.person(0.02)
    room.go_on(12 * ALLOWED)
    assert newcomer.done and newcomer.done[0] < 4


def test_work_that_ends_is_done_for_all_though_it_is_long():
    room = Room()
    people = [room.person(1.5) for _ in range(20)]
    room.go_on(60)
    assert all(person.done for person in people)


def test_a_client_has_one_child_at_a_time_and_others_are_taken_in_turn():
    room = Room()
    client = Client()
    first = room.turns.take(Errand(client), ALLOWED)
    with pytest.raises(NotNow):
        room.turns.take(Errand(client, patience=0), ALLOWED)
    room.turns.end(first)
    room.turns.end(room.turns.take(Errand(client, patience=0), ALLOWED))
    people = [room.person(0.05) for _ in range(12)]
    room.go_on(5)
    assert [person.done[0] for person in people] == sorted(person.done[0] for person in people)


def test_who_waits_for_a_page_goes_before_what_comes_back_by_itself():
    room = Room()
    held = [room.turns.take(Errand(Client()), ALLOWED) for _ in range(N_CHILDREN)]
    calls: list[str] = []
    with pytest.raises(NotNow):
        room.turns.take(Errand(Client(lambda: calls.append("view")), patience=0, comes_back=True), ALLOWED)
    with ThreadPoolExecutor(1) as pool:
        page = pool.submit(room.turns.take, Errand(Client()), ALLOWED)
        until(lambda: len(room.turns._waiting) == 2)
        room.turns.end(held.pop())
        assert page.result(10) and not calls
    room.turns.end(held.pop())
    assert calls == ["view"]


def test_rests_grow_until_work_ends_well():
    room = Room()
    person = room.person(NEVER, again=True)
    room.go_on(400)
    waits = [round(after - before) for before, after in zip(person.begun, person.begun[1:], strict=False)]
    assert waits[:5] == [4, 6, 10, 18, 34] and waits[5:] == [round(ALLOWED + REST_MAX)] * len(waits[5:])
    person.needs = 0.02
    room.go_on(REST_MAX + 5)
    assert person.done and not person.client.rest and not person.client.rest_left(room.now)


def test_who_waits_for_the_end_of_a_rest_is_told_how_long_it_is():
    room = Room()
    client = Client()
    turn = room.turns.take(Errand(client), 60)
    turn.used, turn.ended_well = 30.0, False
    room.turns.end(turn)
    for comes_back in (True, False):
        errand = Errand(client, comes_back=comes_back)
        with pytest.raises(NotNow) as refused:
            room.turns.take(errand, ALLOWED)
        assert refused.value.rest == 30 and errand.again_at == 30


def test_what_nobody_waits_for_is_not_begun_and_is_stopped_where_it_is():
    room = Room()
    is_gone = is_stale = False
    errand = Errand(Client(), is_gone=lambda: is_gone, is_stale=lambda: is_stale)
    turn = room.turns.take(errand, ALLOWED)
    turn.used, is_stale = 0.4 * ALLOWED, True
    assert not room.turns.must_stop(turn)  # what is nearly done is let end
    turn.used = 0.6 * ALLOWED
    assert room.turns.must_stop(turn) and errand.is_dropped and turn.ended_well is False
    turn = room.turns.take(errand := Errand(Client(), is_gone=lambda: is_gone), ALLOWED)
    is_gone = True
    assert room.turns.must_stop(turn) and errand.is_dropped and turn.ended_well is None
    room.turns.end(turn)
    with pytest.raises(NotNow):
        room.turns.take(Errand(Client(), is_gone=lambda: True), ALLOWED)


def test_a_place_is_kept_in_the_line_until_its_page_leaves_or_does_not_come():
    room = Room()
    held = [room.turns.take(Errand(Client()), ALLOWED) for _ in range(N_CHILDREN)]
    calls: list[str] = []

    def refused(name: str) -> Client:
        client = Client(wake=lambda: calls.append(name))
        with pytest.raises(NotNow):
            room.turns.take(Errand(client, patience=0, comes_back=True), ALLOWED)
        return client

    first, second, third = map(refused, ("first", "second", "third"))
    room.turns.leave(second)
    room.turns.end(held.pop())
    assert calls == ["first"]
    room.turns.leave(refused("last"))  # the child is kept for the first
    room.now += child_turns.CALLED_SECONDS + 1
    assert room.turns.take(Errand(third, patience=0, comes_back=True), ALLOWED)
    room.turns.end(held.pop())
    assert room.turns.take(Errand(first, patience=0, comes_back=True), ALLOWED)


def test_room_is_kept_where_all_children_would_do_long_work():
    room = Room()
    heavy = [Client() for _ in range(N_CHILDREN)]
    for client in heavy:
        turn = room.turns.take(Errand(client), 60)
        turn.used, turn.ended_well = 5.0, True
        room.turns.end(turn)
    for client in heavy[:-ROOM]:
        room.turns.take(Errand(client, patience=0), ALLOWED)
    with pytest.raises(NotNow):
        room.turns.take(Errand(heavy[-1], patience=0), ALLOWED)
    for _ in range(ROOM):
        room.turns.take(Errand(Client(), patience=0), ALLOWED)
