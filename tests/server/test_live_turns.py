"""Views whose split pattern must wait for a child process say so, and go on by themselves at their turn."""

import contextlib
import time
from collections.abc import Iterator

import pytest
from live.browser import Browser
from processes import until
from server.live_socket import page

import tokviz
from tokviz.live.session import LiveSession
from tokviz.live.views.cuts_view import CutsView
from tokviz.live.views.token_view import TokenView
from tokviz.system import sandbox
from tokviz.system.child_turns import Client, Task
from tokviz.system.thread_turns import LONG_WORK

OWN = tokviz.train("ab ab", vocab_size=257, split_pattern="[a-z]+|-", min_count=2)
CL100K = tokviz.load("cl100k_base")


def session_of(kind: type, *arguments: object, text: str = "ab ab") -> LiveSession:
    session = LiveSession()
    session.get_or_add_view("view", kind, session.get_or_add_document("text", text), *arguments)
    return session


def told(browser: Browser) -> dict:
    return browser.until(lambda message: message[1] == "view")[2]


@contextlib.contextmanager
def all_children_at_work() -> Iterator[None]:
    turns = sandbox._turns
    held = [turns.take(Task(Client()), 60) for _ in range(sandbox.CHILDREN_MAX)]
    try:
        yield
    finally:
        for turn in held:
            turns.end(turn)


def test_a_long_paste_is_read_while_others_have_the_turn(client):
    """Else what comes after it would wait as long, and with it the answers to the server's pings."""
    session = session_of(TokenView, CL100K, text="")
    with page(client, session, shows="view") as browser, LONG_WORK.turn("somebody else"):
        told(browser)
        for number in range(3):
            browser.send("edit", "text", 1, number + 1, 0, 200_000 * bool(number), "ab" * 100_000, 200_000)
        until(lambda: session.get_or_add_document("text").state.sequence == 3)


KINDS = pytest.mark.parametrize(("kind", "argument"), [(TokenView, OWN), (CutsView, "[a-z]+|-")])


@KINDS
def test_a_view_says_that_its_session_has_to_wait_and_goes_on_by_itself(client, kind, argument):
    session = session_of(kind, argument)
    session.client.backoff_until = time.monotonic() + 0.8
    with page(client, session, shows="view") as browser:
        assert "has to wait 1 second, because" in told(browser)["notice"]
        reply = told(browser)
        assert reply["notice"] is None and reply["end"] == 5


@KINDS
def test_a_view_says_that_it_waits_for_its_turn_and_goes_on_at_it(client, kind, argument):
    session = session_of(kind, argument)
    with contextlib.ExitStack() as busy:
        busy.enter_context(all_children_at_work())
        with page(client, session, shows="view") as browser:
            assert "waits for its turn" in told(browser)["notice"]
            busy.close()
            browser.until(lambda message: message[1] == "view" and not message[2]["notice"])


@pytest.mark.slow
def test_forty_pages_that_wait_for_their_turn_take_no_thread_from_others(client):
    waiting = [session_of(TokenView, OWN) for _ in range(40)]
    other = session_of(TokenView, CL100K, text="one two " * 5_000)  # long enough for a thread
    with contextlib.ExitStack() as pages, all_children_at_work():
        for browser in [pages.enter_context(page(client, session, shows="view")) for session in waiting]:
            assert "waits for its turn" in told(browser)["notice"]
        assert told(pages.enter_context(page(client, other, shows="view")))["counts"]["tokens"] == 10_001


def test_a_page_that_leaves_gives_up_its_place_and_its_child(client):
    session = session_of(TokenView, OWN)
    with all_children_at_work():
        with page(client, session, shows="view") as browser:
            told(browser)
            assert session.client.queued
        assert not session.client.queued and not sandbox._turns._waiting
