"""A page whose view is painted first: what else it shows waits for the browser, but not for long, and is all there."""

import json
import threading

import pytest
import streamlit as st
from opening import data_sent, labels, opened, seen
from streamlit.testing.v1 import AppTest

from pages.ui.shared import live
from tokviz import load

SCRIPT = """
import streamlit as st
from pages.ui.shared.live import await_view, live_session, reserve_row

row = reserve_row("tools")
await_view("view")
st.session_state.is_shown = live_session().is_shown("view")
row.button("In the row")
st.text("Below")
"""


@pytest.fixture
def served(monkeypatch) -> pytest.MonkeyPatch:
    """Pages as a server shows them."""
    monkeypatch.setattr(live, "is_served", True)
    return monkeypatch


def test_the_rest_of_a_page_comes_as_soon_as_a_browser_has_its_view(served):
    served.setattr(live, "LONGEST_WAIT", 60.0)
    page = AppTest.from_string(SCRIPT)
    session = page.session_state["live"] = live.LiveSession()
    shown = threading.Timer(0.1, session.set_shown, ["view"])
    shown.start()
    page.run(timeout=30)
    assert page.session_state["is_shown"]
    assert [button.label for button in page.button] == ["In the row"] and page.text[0].value == "Below"


def test_the_rest_of_a_page_comes_without_a_browser_too(served):
    served.setattr(live, "LONGEST_WAIT", 0.05)
    page = AppTest.from_string(SCRIPT).run()
    assert not page.session_state["is_shown"]
    assert [button.label for button in page.button] == ["In the row"] and page.text[0].value == "Below"


@pytest.mark.parametrize(
    ("script", "view"),
    [
        ("app.py", "playground"),
        ("pages/merges.py", "machine"),
        ("pages/compare.py", "compare"),
        ("pages/vocabulary.py", "vocabulary"),
        ("pages/bytes.py", "unicode"),
        ("pages/seams.py", "seams Settled"),
    ],
)
def test_pages_show_their_header_at_once_and_fill_its_menus_once_their_view_is_painted(monkeypatch, script, view):
    awaited = []

    def stop(_: object, name: str, *, wait: float) -> None:
        awaited.append(name)
        st.stop()

    monkeypatch.setattr(live.LiveSession, "is_shown", stop)
    page = opened(script, "two words")
    assert awaited == [view]
    assert view in [data.get("view") for data in data_sent(page)]
    assert "Present" in labels(page) and "finds_hidden" not in [toggle.key for toggle in page.toggle]
    monkeypatch.undo()
    assert "finds_hidden" in [toggle.key for toggle in seen(script).toggle]


def test_from_ids_opens_on_an_example_that_is_marked_as_one():
    page = opened("app.py", input="Ids")
    (example,) = (data["example"] for data in data_sent(page) if data.get("document") == "ids")
    assert page.session_state["live"].documents["ids"].text == example != ""


def test_from_ids_opens_on_the_ids_of_a_text_of_the_users_own():
    page = opened("app.py", "my own words " * 2_000, input="Ids")
    ids = json.loads(page.session_state["live"].documents["ids"].text)
    assert load("cl100k_base").decode(ids) == ("my own words " * 2_000)[:20_000]
    assert [data.get("example") for data in data_sent(page) if data.get("document") == "ids"] == [""]
    assert any("its first 20,000 characters" in caption.value for caption in page.caption)


def test_a_link_with_an_unknown_kind_of_input_opens_on_the_text():
    page = opened("app.py", input="Smoke signals")
    assert not page.exception and page.session_state["input"] == "Text"


def test_a_view_comes_with_its_text_and_first_reply_except_where_an_editor_below_brings_the_text(served):
    served.setattr(live, "LONGEST_WAIT", 0.0)
    page = opened("app.py", "two words")
    (view,) = (data for data in data_sent(page) if data.get("view") == "playground")
    (_, name, *state, text), (kind, shown, reply) = view["ahead"]
    assert (name, text, kind, shown, reply["counts"]["tokens"]) == ("text", "two words", "tokens", "playground", 2)
    assert state == reply["state"]
    page = opened("pages/bytes.py", "two words", look="Split patterns")
    assert [data["ahead"] for data in data_sent(page) if data.get("view") == "cuts"] == [[]]
