"""The tables of pages and options: what follows from a row, and that one more row is enough."""

import json
import re
import shutil

import pytest
import streamlit as st
from opening import ROOT, button, data_sent, text_of, without_script
from streamlit.testing.v1 import AppTest

from pages.ui.holding import restore_values
from pages.ui.lessons.texts import exercise_texts
from pages.ui.options import OPTIONS, Option
from pages.ui.pages import LEARN, PAGES, PLAYGROUND, TURNS, Page
from pages.ui.playground.chat_formats import MINE
from pages.ui.session_contents import CHAT, TEXTS, linked_values, session_contents
from pages.ui.shared.text import set_document_text
from tokviz.lessons import LESSONS, text_key
from tokviz.records.packing import unpack

CHAT_TEXTS = {"rows", "functions", "template"}

PAGE = """
import streamlit as st

from pages.ui.frame.frame import begin_page
from pages.ui.options import show_option_widget
from pages.ui.pages import PAGES

begin_page(PAGES["Greek"])()
show_option_widget("ending", st.segmented_control, "Ending", options=["ς", "σ"], required=True)
"""


@pytest.fixture
def greek(tmp_path, monkeypatch):
    """The app with one page and one option more."""
    shutil.copy(ROOT / "app.py", tmp_path)
    (tmp_path / "pages").mkdir()
    for script in (ROOT / "pages").glob("*.py"):
        shutil.copy(script, tmp_path / "pages")
    (tmp_path / "pages" / "greek.py").write_text(PAGE)
    words = ("two endings", "Two letters, one sound.")
    page = Page("Greek", "pages/greek.py", ":material/translate:", *words, holds="the ending")
    monkeypatch.setitem(PAGES, page.title, page)
    monkeypatch.setitem(OPTIONS, "ending", Option("ending", "ς", linked=(page,)))
    app = AppTest.from_file(tmp_path / "app.py", default_timeout=60)
    app.switch_page("pages/greek.py")
    return app


def test_a_page_and_an_option_are_a_row_each_and_the_rest_follows(greek):
    app = greek.run()
    assert not app.exception
    assert [title.value for title in app.title] == ["Greek"]
    assert "Two letters, one sound." in [caption.value for caption in app.caption]
    # In the row, and in the list with what it is for.
    assert {"Greek", "**Greek** · :small[two endings]"} <= {link.proto.label for link in app.get("page_link")}
    app.segmented_control(key="ending").set_value("σ").run()
    kept = next(sent["value"] for sent in data_sent(app) if "value" in sent)
    assert {key: value for key, value in kept["values"].items() if key != "rows"} == {"ending": "σ"}
    button(app, "Share").click().run()
    assert any("holds the ending, and the tokenizers" in caption.value for caption in app.caption)
    packed = app.code[-1].value.partition("?s=")[2]
    values = unpack(packed)
    assert values.pop("text") == text_of(app)
    assert values == {"ending": "σ", "missing": [], "tokenizers": []}


def test_a_link_sets_the_new_option_and_no_other_that_links_do_not_carry(greek):
    from tokviz.records.packing import pack

    greek.query_params["s"] = pack({"ending": "σ", "landing": False})
    app = greek.run()
    assert app.segmented_control(key="ending").value == "σ"
    assert "landing" not in app.session_state


def test_options_name_pages_and_have_plain_values():
    for key, option in OPTIONS.items():
        assert set(option.linked) <= {*PAGES.values()}, key
        assert json.loads(json.dumps(option.default)) == option.default, key


def other_than(default: object) -> object:
    """Return another value of the same type."""
    if isinstance(default, bool):
        return not default
    return [*default, "x"] if isinstance(default, list) else default + ("x" if isinstance(default, str) else 1)


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
@pytest.mark.parametrize("source", ["Text", "Chat", "Ids"])
def test_whatever_a_page_links_is_the_same_where_the_link_is_opened(page, source):
    with without_script():
        for key, option in OPTIONS.items():
            st.session_state[key] = other_than(option.default)
        st.session_state.update(input=source, chat_format=MINE, lesson=LESSONS[0].slug)
        for name in ("text", "second", "ids", "checked_ids", "rollouts", "functions", "template"):
            set_document_text(name, f"{name}, typed here")
        exercise = LESSONS[0].exercises[0]
        set_document_text(text_key(LESSONS[0], exercise), "typed in a lesson")
        shown = linked_values(page)
    with without_script():
        restore_values(json.loads(json.dumps(shown)), session_contents())
        st.session_state.update(input=source, chat_format=MINE, lesson=LESSONS[0].slug)
        assert linked_values(page) == shown
    named = {*page.texts} if page is not PLAYGROUND else {"Text": {"text"}, "Ids": {"ids"}}.get(source, CHAT_TEXTS)
    others = {LEARN: {text_key(LESSONS[0], exercise)}, TURNS: {CHAT.key}}.get(page, set())
    assert shown.keys() - OPTIONS.keys() == named | others


def test_no_two_things_that_a_session_holds_have_one_key():
    own = [held.key for held in (*TEXTS, CHAT, *exercise_texts())]
    assert len(session_contents()) == len(OPTIONS) + len(own)
    assert {name for page in PAGES.values() for name in page.texts} == {text.key for text in TEXTS}
    assert not session_contents().keys() & {"tokenizers", "missing"}  # which links have for other things


def test_the_documents_name_every_page_in_the_order_of_the_menus():
    readme, guide = (ROOT / "README.md").read_text(), (ROOT / "docs" / "guide.md").read_text()
    listed = readme.partition("## The pages")[2].partition("\n## ")[0]
    assert re.findall(r"^- \*\*(.+?)\*\*:", listed, re.M) == list(PAGES)
    assert PAGES.keys() <= set(re.findall(r"^## (.+)$", guide, re.M))
