"""The live socket: what is typed arrives once, in order, and is answered; nothing is lost, and nothing is left over."""

import gc
import json
import threading
import weakref

import pytest
from odd_texts import ODD
from server.live_socket import closing_code, connect, page

import tokviz
from tokviz.live import counts
from tokviz.live.document import text_of, units_of
from tokviz.live.look import Look
from tokviz.live.session import SESSIONS, LiveSession
from tokviz.live.views.compare_view import CompareView
from tokviz.live.views.cuts_view import CutsView
from tokviz.live.views.history_view import HistoryView
from tokviz.live.views.token_view import TokenView
from tokviz.live.views.unicode_view import UnicodeView
from tokviz.live.views.vocabulary_view import VocabularyView
from tokviz.server import live as server

CL100K = tokviz.load("cl100k_base")


@pytest.fixture
def session() -> LiveSession:
    session = LiveSession()
    session.get_or_add_view("view", TokenView, session.get_or_add_document("text", "one two"), CL100K)
    return session


def noted(method, calls: list[object]):
    """Return a method that does the same, and notes each call."""

    def called(self):
        calls.append(self)
        method(self)

    return called


def ids_of(text: str) -> list[int]:
    return CL100K.encode(text)


def test_a_page_gets_the_text_and_the_tokens_and_after_a_key_what_changed(client, session):
    with connect(client, session) as socket:
        assert socket.accepted_subprotocol == "tokviz"
    with page(client, session) as browser:
        browser.follow("text")
        assert browser.take() == ["text", "text", 1, 0, "one two"]
        browser.send("show", "view")
        reply = browser.take()[2]
        assert reply["tokenizer"]["name"] == "cl100k_base" and browser.tokens["view"].ids == ids_of("one two")
        browser.type("text", 7, 0, "s")
        browser.type("text", 8, 0, "!")
        reply = browser.until_tokens("view", 1, 2)
        assert "tokenizer" not in reply
        assert browser.tokens["view"].ids == ids_of("one twos!")
        assert session.get_or_add_document("text").text == "one twos!"


@pytest.mark.slow
def test_odd_texts_arrive_and_every_view_tells_its_news_of_them(client, session):
    document = session.get_or_add_document("text")
    session.get_or_add_view("columns", CompareView, document, (("cl100k_base", CL100K), ("gpt2", tokviz.load("gpt2"))))
    session.get_or_add_view("history", HistoryView, document, CL100K)
    session.get_or_add_view("cuts", CutsView, document, "cl100k")
    session.get_or_add_view("unicode", UnicodeView, document)
    session.get_or_add_view("vocabulary", VocabularyView, document, CL100K)
    with page(client, session, follows="text") as browser:
        for name in session.views:
            browser.send("show", name)
        for number, text in enumerate([*ODD, "a" * 100_000], 1):
            browser.type("text", 0, len(units_of(browser.editors["text"].text)) // 2, text)
            late = set(session.views)
            while late:
                _, name, *rest = browser.take()
                if name in late and rest[0]["state"] == [1, number]:
                    late.remove(name)
            assert document.text == text_of(units_of(text))
            assert browser.tokens["view"].ids == ids_of(document.text)


def test_an_editor_without_a_view_is_told_what_has_arrived(client, session):
    session.get_or_add_document("message", "")
    with page(client, session, follows="message") as browser:
        browser.type("message", 0, 0, "\ud83d")
        assert browser.take() == ["seen", "message", 1, 1]
        assert session.get_or_add_document("message").text == "\ud83d"
        browser.type("message", 1, 0, "\ude00")
        browser.take()
        assert session.get_or_add_document("message").text == "😀"
        browser.editors.clear()
        browser.follow("message")
        assert browser.take() == ["text", "message", 1, 2, "😀"]


def test_a_text_from_outside_is_told_at_once_and_edits_of_the_old_one_are_not_taken(client, session):
    with page(client, session) as browser:
        browser.follow("text")
        browser.send("show", "view")
        browser.until_tokens("view", 1, 0)
        thread = threading.Thread(target=session.get_or_add_document("text").set_text, args=("from a script \ud83d",))
        thread.start()
        thread.join()
        browser.send("edit", "text", 1, 1, 0, 0, "late", len("latefrom a script x"))
        assert browser.take() == ["text", "text", 2, 0, "from a script \ud83d"]
        browser.until_tokens("view", 2, 0)
        assert browser.tokens["view"].ids == ids_of("from a script \ufffd")
        browser.type("text", 0, 0, "x")
        browser.until_tokens("view", 2, 1)
        assert session.get_or_add_document("text").text == "xfrom a script \ud83d"


def test_a_text_that_is_replaced_while_tokens_are_made_is_told_before_them(client, session):
    class Replacing(TokenView):
        def reply(self, *, whole: bool) -> dict:
            reply = super().reply(whole=whole)
            self.document.set_text("replaced")
            return reply

    session.get_or_add_view("view", Replacing, session.get_or_add_document("text"), CL100K)
    with page(client, session) as browser:
        browser.follow("text")
        browser.send("show", "view")
        tokens = browser.until_tokens("view", 1, 0)
        assert tokens["state"] == [1, 0]
        assert [message[:3] for message in browser.told] == [
            ["text", "text", 1],
            ["text", "text", 2],
            ["tokens", "view", tokens],
        ]


def test_a_view_of_other_options_is_sent_whole(client, session):
    with page(client, session, shows="view") as browser:
        browser.take()
        gpt2 = tokviz.load("gpt2")
        session.get_or_add_view("view", TokenView, session.get_or_add_document("text"), gpt2)
        reply = browser.take()[2]
        assert reply["tokenizer"]["name"] == "gpt2" and browser.tokens["view"].ids == gpt2.encode("one two")
        kept = session.views["view"]
        assert (
            session.get_or_add_view("view", TokenView, session.get_or_add_document("text"), gpt2, look=Look())
            is not kept
        )
        kept = session.views["view"]
        assert (
            session.get_or_add_view("view", TokenView, session.get_or_add_document("text"), gpt2, look=Look()) is kept
        )
        browser.take()
        browser.send("hide", "view")
        del session.views["view"]
        browser.send("show", "view")
        assert browser.take() == ["gone", "view"]


def test_after_a_cut_a_page_goes_on_from_what_was_typed_meanwhile(client, session):
    with page(client, session, follows="text") as browser:
        browser.type("text", 7, 0, " three")
        browser.take()
    browser.type("text", 0, 3, "1", send=False)
    browser.type("text", 1, 0, "!", send=False)
    with page(client, session, browser):
        browser.follow("text")
        assert browser.take() == ["text", "text", 1, 1, None]
        browser.until(lambda m: m[0] == "seen" and m[3] == 3)
        assert session.get_or_add_document("text").text == browser.editors["text"].text == "1! two three"
    # What had arrived, but was not answered, is not taken twice.
    browser.type("text", 0, 0, "x", send=False)
    editor = browser.editors["text"]
    with page(client, session, browser):
        browser.resend("text")
        browser.follow("text")
        message = browser.take()
        assert message == ["text", "text", 1, 4, None]
        assert session.get_or_add_document("text").text == editor.text == "x1! two three"
        browser.send("edit", "text", 1, 4, 0, 0, "x", len("x1! two three"))
        browser.type("text", 0, 0, "y")
        assert browser.take() == ["seen", "text", 1, 5]
        assert session.get_or_add_document("text").text == editor.text == "yx1! two three"


def test_after_a_restart_the_text_of_the_tab_replaces_the_first_one(client):
    session = LiveSession()
    session.get_or_add_document("text", "one two")
    with page(client, session, follows="text") as browser:
        browser.type("text", 0, 7, "mine")
        browser.take()
    token = session.token
    del session
    gc.collect()
    with client.websocket_connect("/base/live", subprotocols=["tokviz", token]) as socket:
        assert closing_code(socket) == server.UNKNOWN
    new = LiveSession()
    document = new.get_or_add_document("text", "the first text")
    mine = browser.editors.pop("text").text
    with page(client, new, browser, follows="text"):
        browser.type("text", 0, len("the first text"), mine)
        browser.take()
        assert document.text == "mine"


def test_after_a_reload_a_text_too_long_for_the_tab_comes_from_the_session_before(client, session):
    session.get_or_add_document("text").set_text("a long text")
    new = LiveSession()
    new.get_or_add_document("text", "the first text")
    with page(client, new) as browser:
        browser.send("resume", "text", session.token)
        browser.follow("text")
        assert browser.take()[-1] == "a long text"
        browser.send("resume", "text", "no such token")
        browser.send("resume", "text", LiveSession().token)  # a session without such a document
        browser.type("text", 0, 1, "the")
        browser.take()
    assert new.get_or_add_document("text").text == "the long text"


def test_sides_that_hold_different_texts_find_together_at_the_text_of_the_page(client, session):
    with page(client, session, follows="text") as browser:
        browser.editors["text"].text = "another"
        for at in range(7, 10):
            browser.type("text", at, 0, "!")  # the lengths agree by chance, up to here
        browser.editors["text"].text += "xyz"
        for at in range(13, 16):
            browser.type("text", at, 0, "?")
        browser.until(lambda m: m[0] == "seen" and m[3] == 4)
        assert [m[0] for m in browser.told].count("again") == 1
        assert session.get_or_add_document("text").text == browser.editors["text"].text == "another!!!xyz???"


def test_a_text_that_would_be_too_long_is_not_taken_and_the_page_is_told(client, session, monkeypatch):
    monkeypatch.setattr("tokviz.live.document.UNITS_MAX", 10)
    with page(client, session, follows="text") as browser:
        browser.type("text", 7, 0, "four")
        browser.type("text", 0, 0, "x")
        assert browser.take() == ["full", "text", 1, 0, 10, False]
        browser.editors["text"] = editor = type(browser.editors["text"])()
        editor.text, editor.version = "one two", 1
        browser.type("text", 7, 0, "!")
        assert browser.take() == ["seen", "text", 1, 1]
        assert session.get_or_add_document("text").text == "one two!"


def test_questions_are_answered_the_newest_one(client, session):
    with page(client, session, shows="view") as browser:
        revision = browser.take()[2]["revision"]
        browser.send("ask", "view", 1, {"token": 1, "revision": revision})
        answer = browser.take()
        assert answer[:3] == ["answer", "view", 1]
        facts = answer[3]
        assert facts["index"] == 1 and facts["pretoken"] == " two" and facts["tree"]["bytes"] == "20 74 77 6f"
        browser.send("ask", "view", 2, {"token": 1, "revision": revision - 1})
        assert browser.take() == ["answer", "view", 2, {"revision": revision}]
        browser.send("ask", "view", 3, {"what": 1})
        assert "error" in browser.take()[3]
        browser.send("ask", "nothing", 4, {})
        assert browser.take() == ["gone", "nothing"]


LONG = ["a\\nb" * 40_000, '"quotes", [1]' * 20_000, "\ud800\x01" * 50_000, "ไทย😀" * 50_000]


@pytest.mark.parametrize("text", LONG, ids=["lines", "quotes", "escapes", "wide"])
@pytest.mark.parametrize("written", [{}, {"separators": (",", ":"), "ensure_ascii": False}], ids=["python", "browser"])
def test_a_long_edit_arrives_as_it_was_written(client, session, text, written):
    length = len(units_of(text)) // 2
    message = json.dumps(["edit", "text", 1, 1, 0, 7, text, length], **written)
    with page(client, session, follows="text") as browser:
        browser._send(message.replace("\ud800", r"\ud800"))
        assert browser.take() == ["seen", "text", 1, 1]
    assert session.get_or_add_document("text").text == text


PARTS = ",".join(["[]"] * 50_000)
NO_MESSAGES = [
    # Long ones that are not an edit, or hold more than one text.
    *[
        f'["edit","text",1,1,0,0,{PARTS},1]',
        f'["edit","text",1,1,0,0,"a",{PARTS},1]',
        f'["ask","view",1,{{"a":[{PARTS}]}}]',
    ],
    *[
        f'["edit","text",1,1,0,0,"a",[{PARTS}],"b",1]',
        f'["show","view","{"x" * 200_000}"]',
        "1" * 200_000,
        "x" * 200_000,
    ],
    *["", "no json", "{}", "[]", "[" * 100_000, "1" * 10_000],
    *['["edit", "text"]', '["edit","text",1,1,0,0,7,8]', json.dumps(["show", "x" * 300])],
]


@pytest.mark.parametrize("message", NO_MESSAGES)
def test_what_is_not_a_message_ends_the_connection(client, session, message):
    with connect(client, session) as socket:
        socket.send_text(message)
        assert closing_code(socket) == server.REFUSED


@pytest.mark.parametrize("edit", [(-1, 0), (0, -1), (8, 0), (5, 3), (2**70, 0)])
def test_an_edit_outside_the_text_changes_nothing(client, session, edit):
    with page(client, session) as browser:
        browser.send("edit", "text", 1, 1, *edit, "x", 8)
        assert browser.take() == ["again", "text", 1, 0, 7]
        assert session.get_or_add_document("text").text == "one two"


@pytest.mark.parametrize("subprotocols", [None, ["tokviz"], ["tokviz", "guessed"], ["other", "guessed"]])
def test_without_the_token_of_a_session_there_is_nothing(client, session, subprotocols):
    with client.websocket_connect("/base/live", subprotocols=subprotocols) as socket:
        assert closing_code(socket) == server.UNKNOWN


def test_a_second_page_of_a_session_takes_over(client, session):
    with connect(client, session) as first, page(client, session, follows="text") as browser:
        assert closing_code(first) == server.REPLACED
        assert browser.editors["text"].text == "one two"


def test_a_connection_that_ends_leaves_nothing_behind(client, monkeypatch):
    made = []

    class Noted(server.Connection):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            made.append(weakref.ref(self))

    monkeypatch.setattr(server, "Connection", Noted)
    session = LiveSession()
    view = weakref.ref(session.get_or_add_view("view", TokenView, session.get_or_add_document("text", "one"), CL100K))
    document, token = weakref.ref(session.get_or_add_document("text")), session.token
    with page(client, session) as browser:
        browser.follow("text")
        browser.send("show", "view")
        browser.until_tokens("view", 1, 0)
    gc.collect()
    assert made[0]() is None and session.bell.wake is None
    session.get_or_add_document("text").set_text("nobody listens")
    assert token in SESSIONS
    del session
    assert token not in SESSIONS and view() is None and document() is None  # at once: there are no circles


def test_a_script_waits_until_a_browser_has_painted_its_view_and_not_once_it_has_left(client, session):
    assert not session.is_shown("view", wait=0.05)
    with page(client, session) as browser:
        waiting = threading.Thread(target=lambda: found.append(session.is_shown("view", wait=30)))
        found: list[bool] = []
        waiting.start()
        browser.send("painted", "view")  # which is not shown yet
        browser.send("show", "view")
        browser.take()
        assert not session.is_shown("view", wait=0.05)
        browser.send("painted", "view")
        waiting.join()
        assert found == [True]
        browser.send("hide", "view")
        browser.follow("text")
        browser.take()
        assert not session.is_shown("view")
        browser.send("show", "view")
        browser.take()
        browser.send("painted", "view")
        assert session.is_shown("view", wait=30)
    assert not session.is_shown("view")


def test_what_is_told_ahead_is_what_the_socket_tells_a_new_page(client, session):
    ahead = session.first_messages_if_quick("view", "text")
    assert ahead[0] == ["text", "text", 1, 0, "one two"]
    assert [message[0] for message in session.first_messages_if_quick("view")] == ["tokens"]
    with page(client, session) as browser:
        browser.follow("text")
        assert browser.take() == ahead[0]
        browser.send("show", "view")
        kind, name, reply = browser.take()
        assert [kind, name, {**reply, "revision": ahead[1][2]["revision"]}] == ahead[1]
        assert session.first_messages_if_quick("view", "text") == []  # there is a socket now


def test_other_tokenizers_count_a_long_text_piece_by_piece_and_keys_are_answered_between(client, session, monkeypatch):
    gpt2 = tokviz.load("gpt2")
    document = session.get_or_add_document("text")
    document.set_text("low lower " * (3 * counts.PIECE // 10))
    session.get_or_add_view("counted", TokenView, document, CL100K, counted=(("gpt2", gpt2),))
    pieces = []
    monkeypatch.setattr(counts.CountFollower, "count_more", noted(counts.CountFollower.count_more, pieces))
    with page(client, session) as browser:
        browser.follow("text")
        browser.send("show", "counted")
        first = browser.until_tokens("counted", document.state.version, 0)
        assert not first["counted"] and first["uncounted"] == "gpt2: still counting."
        assert browser.tokens["counted"].ids == ids_of(document.text)
        browser.type("text", 0, 0, "x")
        typed = [document.state.version, 1]
        browser.until(lambda message: message[0] == "tokens" and message[2]["state"] == typed and message[2]["counted"])
        assert browser.told[-1][2]["counted"] == [["gpt2", len(gpt2.encode(document.text))]]
        assert len(pieces) >= 3


def test_what_takes_long_to_make_is_not_told_ahead(session):
    session.get_or_add_document("text").set_text("one two " * 100_000)
    assert session.first_messages_if_quick("view", "text") == []
    session.get_or_add_document("text").set_text("a\ud800")
    assert session.first_messages_if_quick("view", "text")[0][-1] == "a\ud800"
