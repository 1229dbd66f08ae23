"""ChildTurns, in seconds of a clock that the tests set: nothing runs and nobody waits."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from processes import until

from tokviz.system import child_turns
from tokviz.system.child_turns import BACKOFF_MAX, RESERVED_CHILDREN, ChildTurns, Client, Task, Turn, TurnRefused

N_CHILDREN = 4
TICK = 0.1
NEVER = 1e9  # seconds of work
ALLOWED = 2.0  # seconds for each piece of work


class Room:
    """Children that share `n_cores`, and clients that ask again when they are woken."""

    def __init__(self, n_cores: int = 2) -> None:
        self.now, self.n_cores = 0.0, n_cores
        self.turns = ChildTurns(N_CHILDREN, clock=lambda: self.now)
        self.people: list[Person] = []
        self.most = 0

    def person(self, needs: float, *, again: bool = False) -> "Person":
        """Let somebody come with work of this many seconds; again and again if they type on."""
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
                if person.called or (person.task.retry_at or NEVER) <= self.now:
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
        self.task = Task(self.client, max_wait=0, retries=True)
        try:
            self.turn = self.room.turns.take(self.task, ALLOWED)
            self.begun.append(self.room.now)
        except TurnRefused:
            self.turn = None

    def work(self, seconds: float) -> None:
        turn = self.turn
        turn.used += seconds
        is_stopped = self.room.turns.decide_to_stop(turn)
        if not is_stopped and turn.used < min(self.needs, ALLOWED):
            return
        if not is_stopped:
            turn.succeeded = self.needs <= ALLOWED
            self.done += [self.room.now - self.came] * turn.succeeded
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


def test_a_newcomer_after_twelve_who_came_at_once_waits_for_none_of_them_to_end():
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
    first = room.turns.take(Task(client), ALLOWED)
    with pytest.raises(TurnRefused):
        room.turns.take(Task(client, max_wait=0), ALLOWED)
    room.turns.end(first)
    room.turns.end(room.turns.take(Task(client, max_wait=0), ALLOWED))
    people = [room.person(0.05) for _ in range(12)]
    room.go_on(5)
    assert [person.done[0] for person in people] == sorted(person.done[0] for person in people)


def test_a_caller_that_waits_goes_before_a_client_that_will_be_woken():
    room = Room()
    held = [room.turns.take(Task(Client()), ALLOWED) for _ in range(N_CHILDREN)]
    calls: list[str] = []
    with pytest.raises(TurnRefused):
        room.turns.take(Task(Client(lambda: calls.append("view")), max_wait=0, retries=True), ALLOWED)
    with ThreadPoolExecutor(1) as pool:
        page = pool.submit(room.turns.take, Task(Client()), ALLOWED)
        until(lambda: len(room.turns._waiting) == 2)
        room.turns.end(held.pop())
        assert page.result(10) and not calls
    room.turns.end(held.pop())
    assert calls == ["view"]


def test_backoffs_grow_until_work_succeeds():
    room = Room()
    person = room.person(NEVER, again=True)
    room.go_on(400)
    waits = [round(after - before) for before, after in zip(person.begun, person.begun[1:], strict=False)]
    assert waits[:5] == [4, 6, 10, 18, 34] and waits[5:] == [round(ALLOWED + BACKOFF_MAX)] * len(waits[5:])
    person.needs = 0.02
    room.go_on(BACKOFF_MAX + 5)
    assert person.done and not person.client.backoff and not person.client.backoff_left(room.now)


def test_a_client_in_backoff_is_told_how_long_it_is():
    room = Room()
    client = Client()
    turn = room.turns.take(Task(client), 60)
    turn.used, turn.succeeded = 30.0, False
    room.turns.end(turn)
    for retries in (True, False):
        task = Task(client, retries=retries)
        with pytest.raises(TurnRefused) as refused:
            room.turns.take(task, ALLOWED)
        assert refused.value.backoff == 30 and task.retry_at == 30


def test_what_nobody_waits_for_is_not_begun_and_is_stopped_where_it_is():
    room = Room()
    is_abandoned = is_stale = False
    task = Task(Client(), is_abandoned=lambda: is_abandoned, is_stale=lambda: is_stale)
    turn = room.turns.take(task, ALLOWED)
    turn.used, is_stale = 0.4 * ALLOWED, True
    assert not room.turns.decide_to_stop(turn)  # what is nearly done is let end
    turn.used = 0.6 * ALLOWED
    assert room.turns.decide_to_stop(turn) and task.was_cancelled and turn.succeeded is False
    turn = room.turns.take(task := Task(Client(), is_abandoned=lambda: is_abandoned), ALLOWED)
    is_abandoned = True
    assert room.turns.decide_to_stop(turn) and task.was_cancelled and turn.succeeded is None
    room.turns.end(turn)
    with pytest.raises(TurnRefused):
        room.turns.take(Task(Client(), is_abandoned=lambda: True), ALLOWED)


def test_a_place_is_kept_in_the_line_until_its_page_leaves_or_does_not_come():
    room = Room()
    held = [room.turns.take(Task(Client()), ALLOWED) for _ in range(N_CHILDREN)]
    calls: list[str] = []

    def refused(name: str) -> Client:
        client = Client(wake=lambda: calls.append(name))
        with pytest.raises(TurnRefused):
            room.turns.take(Task(client, max_wait=0, retries=True), ALLOWED)
        return client

    first, second, third = map(refused, ("first", "second", "third"))
    room.turns.leave_queue(second)
    room.turns.end(held.pop())
    assert calls == ["first"]
    room.turns.leave_queue(refused("last"))  # the child is kept for the first
    room.now += child_turns.RESERVED_SECONDS + 1
    assert room.turns.take(Task(third, max_wait=0, retries=True), ALLOWED)
    room.turns.end(held.pop())
    assert room.turns.take(Task(first, max_wait=0, retries=True), ALLOWED)


def test_children_in_reserve_are_closed_to_heavy_clients():
    room = Room()
    heavy = [Client() for _ in range(N_CHILDREN)]
    for client in heavy:
        turn = room.turns.take(Task(client), 60)
        turn.used, turn.succeeded = 5.0, True
        room.turns.end(turn)
    for client in heavy[:-RESERVED_CHILDREN]:
        room.turns.take(Task(client, max_wait=0), ALLOWED)
    with pytest.raises(TurnRefused):
        room.turns.take(Task(heavy[-1], max_wait=0), ALLOWED)
    for _ in range(RESERVED_CHILDREN):
        room.turns.take(Task(Client(), max_wait=0), ALLOWED)
