"""Whatever a browser asks a view, it gets an answer or an error in words, and the socket lives on."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from live.browser import Browser
from server.live_socket import closing_code, connect, page
from starlette.websockets import WebSocketDisconnect

import tokviz
from tokviz.chats.chatml import chat_tokenizer
from tokviz.chats.formats import ChatML
from tokviz.core.samples import sample
from tokviz.families.library_training import train_wordpiece
from tokviz.live.look import Look
from tokviz.live.session import LiveSession
from tokviz.live.views.compare_view import CompareView
from tokviz.live.views.cuts_view import CutsView
from tokviz.live.views.history_view import HistoryView
from tokviz.live.views.ids_view import IdsView
from tokviz.live.views.prompt_view import PromptView
from tokviz.live.views.token_view import TokenView
from tokviz.live.views.unicode_view import UnicodeView
from tokviz.live.views.vocabulary_view import VocabularyView
from tokviz.server import failures
from tokviz.server import live as server

INTEGERS = st.integers() | st.sampled_from([-1, 0, 1, 2**31, 2**63, -(2**63), 2**70, 10**400])
NUMBERS = INTEGERS | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=8,
)
OF_TOKEN = {"token": 1, "revision": 1}
OF_STEP = {"revision": 1, "k": 3, "pretoken": None, "stays": [1, 3], "predicting": True, "guess": [97, 98]}
QUESTIONS = {
    "tokens": OF_TOKEN,
    "words": OF_TOKEN,
    "ids": OF_TOKEN,
    "prompt": OF_TOKEN,
    "columns": OF_TOKEN,
    "history": OF_STEP,
    "vocabulary": {"token": 300},
    "tables": {"want": "no fingerprint"},
    "cuts": {},
    "unicode": {},
}
KEYS = sorted({key for question in QUESTIONS.values() for key in question})


def mutated(question: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A question with some of its values replaced, some left out, and some of another one put in."""
    changes = st.dictionaries(st.sampled_from(KEYS), JSON, max_size=3)
    gone = st.sets(st.sampled_from(KEYS), max_size=1)
    return st.builds(lambda c, g: {key: v for key, v in (question | c).items() if key not in g}, changes, gone)


@pytest.fixture(scope="module")
def session(trained) -> LiveSession:
    session = LiveSession()
    document = session.get_or_add_document("text", "one two <s> the strawberry 😀 " * 4)
    session.get_or_add_view("tokens", TokenView, document, trained, look=Look("all"))
    session.get_or_add_view("words", TokenView, document, train_wordpiece(sample("mixed"), vocab_size=500))
    session.get_or_add_view("ids", IdsView, session.get_or_add_document("numbers", "97 98 300 5"), trained)
    session.get_or_add_view(
        "prompt", PromptView, (("user", document, "final", ""),), chat_tokenizer(tokviz.load("gpt2")), ChatML()
    )
    session.get_or_add_view("columns", CompareView, document, (("trained", trained),))
    session.get_or_add_view("history", HistoryView, document, trained)
    session.get_or_add_view("vocabulary", VocabularyView, document, trained)
    session.get_or_add_view("tables", VocabularyView, document, trained)
    session.get_or_add_view("cuts", CutsView, document, "gpt2")
    session.get_or_add_view("unicode", UnicodeView, document)
    return session


@pytest.fixture(scope="module")
def browser(client, session) -> Iterator[Browser]:
    """A page that shows all views."""
    with page(client, session) as browser:
        for name in QUESTIONS:
            browser.send("show", name)
            browser.until(lambda m, name=name: m[1] == name)
        yield browser


def asked(browser: Browser, name: str, question: dict[str, Any]) -> dict[str, Any]:
    """The answer to a question."""
    browser.send("ask", name, 7, question)
    kind, of, number, answer = browser.until(lambda m: m[0] == "answer")
    assert (kind, of, number) == ("answer", name, 7) and isinstance(answer, dict)
    return answer


@pytest.mark.parametrize("name", [name for name in QUESTIONS if name not in ("columns", "cuts", "unicode")])
def test_a_question_is_answered(browser, name):
    assert set(asked(browser, name, QUESTIONS[name])) != {"error"}


@pytest.mark.parametrize("name", QUESTIONS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_every_question_gets_an_answer_or_an_error(browser, name, caplog, data):
    failures._logged_at.clear()
    question = data.draw(mutated(QUESTIONS[name]) | st.dictionaries(st.text(max_size=9), JSON, max_size=4))
    answer = asked(browser, name, question)
    assert isinstance(answer.get("error"), str | None)
    assert not caplog.records, "an exception that the view has not foreseen"


@pytest.mark.parametrize("number", ["Infinity", "-Infinity", "NaN", "1e999", "-1e999"])
def test_a_number_that_is_not_finite_is_not_a_message(client, number):
    session = LiveSession()
    with connect(client, session) as socket:
        socket.send_text(f'["ask", "tokens", 1, {{"token": {number}, "revision": 1}}]')
        assert closing_code(socket) == server.REFUSED


class Failing(TokenView):
    """A view with a mistake in it."""

    def answer(self, question):
        raise ZeroDivisionError("a mistake")

    def reply(self, *, whole):
        if self.document.text == "fail":
            raise ZeroDivisionError("another mistake")
        return super().reply(whole=whole)


def test_a_mistake_in_a_view_is_an_error_to_the_browser_and_logged_once_a_minute(client, trained, caplog):
    failures._logged_at.clear()
    session = LiveSession()
    session.get_or_add_view("view", Failing, session.get_or_add_document("text", "one"), trained)
    with page(client, session) as browser:
        for _ in range(5):
            assert asked(browser, "view", {}) == {"error": "ZeroDivisionError: a mistake"}
    assert len(caplog.records) == 1 and "Failing" in caplog.text and "Traceback" in caplog.text


def test_a_mistake_in_a_reply_closes_the_socket_and_is_logged_once_a_minute(client, trained, caplog):
    failures._logged_at.clear()
    session = LiveSession()
    session.get_or_add_view("view", Failing, session.get_or_add_document("text", "fail"), trained)
    for _ in range(5):
        with connect(client, session) as socket:
            socket.send_text('["show", "view"]')
            assert closing_code(socket) == server.FAILED
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_a_session_that_connects_again_and_again_is_turned_away(client):
    def connected(session: LiveSession) -> bool:
        with page(client, session, shows="nothing") as browser:
            try:
                return browser.take() == ["gone", "nothing"]
            except WebSocketDisconnect as e:
                assert e.code == server.REPLACED
                return False

    session, other = LiveSession(), LiveSession()
    found = [connected(session) for _ in range(server.CONNECTIONS_AT_ONCE + 10)]
    assert all(found[: server.CONNECTIONS_AT_ONCE]) and not all(found)
    assert connected(other)
