"""What the page of bytes and patterns shows, and what its options do to the view of cuts."""

import pytest
from opening import linked, opened, text_of
from streamlit.testing.v1 import AppTest

from pages.ui.bytes.pattern_view import NAMED, pretoken_figures_of_beginning
from tokviz.core.named_patterns import ALTERNATIVES
from tokviz.live.views.cuts_view import CHARACTERS_MAX, CutsView


def test_the_table_of_patterns_counts_what_each_cuts():
    table = pretoken_figures_of_beginning("IT'S 1234")
    counts = dict(zip(table["split pattern"], table["pretokens"], strict=True))
    assert set(counts) == set(NAMED)
    assert [counts[name] for name in ("gpt2", "cl100k", "o200k", "llama3")] == [4, 5, 4, 5]
    assert set(pretoken_figures_of_beginning("a" * CHARACTERS_MAX + "b")["characters in the longest"]) == {
        CHARACTERS_MAX
    }


def view_of(app: AppTest) -> CutsView:
    """Return the view of cuts of a page."""
    return app.session_state["live"].views["cuts"]


def test_what_is_switched_off_stays_off_where_another_pattern_has_it():
    off = [ALTERNATIVES["o200k"][2].regex]
    app = opened("pages/bytes.py", "1234", look="Split patterns", cut_pattern="o200k", cut_off=off)
    assert not app.exception
    assert [each["on"] for each in view_of(app).alternatives] == [True, True, False, True, True, True, True]
    assert view_of(app).reply(whole=True)["counts"]["left"] == 1
    app = opened("pages/bytes.py", "1234", look="Split patterns", cut_pattern="gpt2", cut_off=off)
    assert all(each["on"] for each in view_of(app).alternatives)


def test_a_pattern_that_goes_wrong_is_explained():
    app = opened("pages/bytes.py", "aab", look="Split patterns", cut_pattern="your own", own_pattern="(a")
    assert not app.exception
    assert "not a regular expression" in app.code[0].value
    assert text_of(app) == "aab"


@pytest.mark.slow
def test_a_pattern_that_does_not_end_is_left_to_the_view():
    options = {"look": "Split patterns", "cut_pattern": "your own", "own_pattern": "(a|aa)+$"}
    app = opened("pages/bytes.py", "a" * 60 + "b", **options)
    assert not app.exception and not app.code
    assert "'(a|aa)+$' did not end" in view_of(app).reply(whole=True)["notice"]


def test_a_link_shows_the_same_pattern_with_the_same_switched_off():
    off = [ALTERNATIVES["gpt2"][0].regex]
    options = {"look": "Split patterns", "cut_pattern": "gpt2", "cut_off": off}
    app = linked("pages/bytes.py", **options, text="it's")
    assert not app.exception
    assert [each["on"] for each in view_of(app).alternatives][:2] == [False, True]
    assert text_of(app) == "it's"
    options = {"look": 3, "cut_pattern": "(a", "cut_off": [[1]], "own_pattern": "(a"}
    app = linked("pages/bytes.py", **options)
    assert not app.exception
