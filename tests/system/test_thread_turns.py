"""ThreadTurns: one thread works at a time, the client that has worked least is next, and nobody waits forever."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from processes import until

from tokviz.system.thread_turns import SLICE, ThreadTurns, holding, releasing_turn, yield_turn


class Log:
    """Who worked when; `most` is how many worked at once."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.now = self.most = 0

    def work(self, turns: ThreadTurns, name: str, pieces: int = 1) -> None:
        with turns.turn(name):
            for _ in range(pieces):
                self.now += 1
                self.most = max(self.most, self.now)
                time.sleep(SLICE)
                self.names.append(name)
                self.now -= 1
                yield_turn()


def test_one_works_at_a_time_and_all_come_to_an_end():
    turns, log = ThreadTurns(), Log()
    with ThreadPoolExecutor(12) as pool:
        for name in "abcabcabcabc":
            pool.submit(log.work, turns, name, 2)
    assert log.most == 1
    assert sorted(log.names) == sorted("abc" * 8)


def test_a_newcomer_goes_before_those_who_have_worked_long():
    turns, log = ThreadTurns(), Log()
    with ThreadPoolExecutor(4) as pool:
        for name in "aab":
            pool.submit(log.work, turns, name, 20)
        until(lambda: len(log.names) >= 25)
        pool.submit(log.work, turns, "new", 1)
    n_before = log.names.index("new")
    assert n_before < 32


def test_a_task_that_has_begun_goes_on_before_other_tasks_of_the_same_client():
    """Else a lock that the one holds would keep the other, and so everybody."""
    turns, lock, done = ThreadTurns(), threading.Lock(), []

    def work_with_lock() -> None:
        with turns.turn("a"), lock:
            for _ in range(10):
                time.sleep(SLICE)
                yield_turn()
            done.append("a")

    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(work_with_lock), pool.submit(work_with_lock), pool.submit(Log().work, turns, "b", 5)]
        for future in futures:
            future.result(20)
    assert done == ["a", "a"]


def test_whoever_waits_for_something_else_holds_up_nobody():
    turns, heard = ThreadTurns(), threading.Event()

    def wait() -> None:
        with turns.turn("a"), releasing_turn():
            assert heard.wait(20)

    def tell() -> None:
        with turns.turn("b"):
            heard.set()

    with ThreadPoolExecutor(2) as pool:
        for future in [pool.submit(wait), pool.submit(tell)]:
            future.result(20)


def test_whoever_waits_for_a_lock_holds_up_nobody():
    turns, lock, log = ThreadTurns(), threading.Lock(), Log()

    def wait() -> None:
        with turns.turn("a"), holding(lock):
            log.names.append("locked")

    with ThreadPoolExecutor(2) as pool:
        with lock:
            waiting = pool.submit(wait)
            pool.submit(log.work, turns, "b").result(20)
        waiting.result(20)
    assert log.names == ["b", "locked"]


def test_a_turn_within_a_turn_is_the_same():
    turns, log = ThreadTurns(), Log()
    with turns.turn("a"):
        log.work(turns, "a")
        log.work(turns, "b")
    log.work(turns, "c")
    assert log.names == ["a", "b", "c"]


def test_an_error_ends_a_turn():
    turns, log = ThreadTurns(), Log()
    try:
        with turns.turn("a"):
            raise ValueError("wrong")
    except ValueError:
        log.work(turns, "a")
    assert log.names == ["a"]


def test_without_a_turn_there_is_nothing_to_yield():
    yield_turn()
    with releasing_turn():
        pass
