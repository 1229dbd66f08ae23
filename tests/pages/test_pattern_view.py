"""What the page of bytes and patterns sends to a browser, and what the switches of a browser do."""

import base64
import json

import numpy as np
import pytest
from odd_texts import ODD
from opening import ROOT, data_sent, opened, text_of
from streamlit.testing.v1 import AppTest

from pages.ui.pattern_view import NAMED, pattern_data, pretoken_table
from pages.ui.records import pack
from pages.ui.unicode_view import CHARACTERS_MAX, SIZED_MAX, unicode_data
from tokviz.alternatives import cuts
from tokviz.patterns import ALTERNATIVES
from tokviz.pretokens import pretokens, well_formed


def numbers(packed: list) -> list[int]:
    width, data = packed
    return np.frombuffer(base64.b64decode(data), f"<u{width}").tolist()


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("pattern", [*NAMED, "", "|", r"\p{L}+|(?i)x|\d", r"(a|b)\1|(c)\2|.", "(?x) a # b|c\n | \\s"])
def test_a_browser_gets_every_pretoken_with_its_alternative(pattern, text):
    text = well_formed(text)
    data = pattern_data(cuts(text, pattern), pattern, [])
    units, at, found = text.encode("utf-16-le"), 0, []
    for width in numbers(data["widths"]):
        found.append(units[2 * at : 2 * (at + width)].decode("utf-16-le"))
        at += width
    assert found == pretokens(text, pattern)
    cut_by = numbers(data["numbers"])
    assert [each["count"] for each in data["alternatives"]] == [
        cut_by.count(i + 1) for i in range(len(data["alternatives"]))
    ]
    assert data["counts"]["left"] == cut_by.count(0)
    json.dumps(data)


@pytest.mark.parametrize("text", ODD)
def test_a_browser_gets_every_character(text):
    data = unicode_data(text)
    rows = [row for cluster in data["clusters"] for row in cluster]
    assert "".join(row["text"] for row in rows) == text
    assert bytes.fromhex(" ".join(row["utf16"] for row in rows)) == text.encode("utf-16-le", "surrogatepass")
    json.dumps(data)


def test_of_a_long_text_the_beginning_is_shown_and_said():
    data = unicode_data("a" * (SIZED_MAX + 1))
    assert sum(map(len, data["clusters"])) == CHARACTERS_MAX
    assert data["characters"] == SIZED_MAX
    assert f"{SIZED_MAX:,}" in data["notice"]


def test_the_table_of_patterns_counts_what_each_cuts():
    table = pretoken_table("IT'S 1234")
    assert dict(zip(table["split pattern"], table["pretokens"], strict=True)) == {
        name: len(pretokens("IT'S 1234", name)) for name in NAMED
    }


def sent(app: AppTest) -> dict:
    """Return what the view of pretokens was sent."""
    return next(data for data in data_sent(app) if "alternatives" in data)


def test_what_is_switched_off_stays_off_where_another_pattern_has_it():
    off = [ALTERNATIVES["o200k"][2].regex]
    app = opened("pages/bytes.py", "1234", look="Split patterns", cut_pattern="o200k", cut_off=off)
    assert not app.exception
    assert [each["on"] for each in sent(app)["alternatives"]] == [True, True, False, True, True, True, True]
    assert sent(app)["counts"]["left"] == 1
    app = opened("pages/bytes.py", "1234", look="Split patterns", cut_pattern="gpt2", cut_off=off)
    assert all(each["on"] for each in sent(app)["alternatives"])


@pytest.mark.parametrize(("pattern", "words"), [("(a", "not a regular expression"), ("(a|aa)+$", "did not end")])
def test_a_pattern_that_goes_wrong_is_explained(pattern, words):
    text = "a" * 60 + "b"
    app = opened("pages/bytes.py", text, look="Split patterns", cut_pattern="your own", own_pattern=pattern)
    assert not app.exception
    assert words in app.code[0].value
    assert text_of(app) == text


def test_a_link_shows_the_same_pattern_with_the_same_switched_off():
    off = [ALTERNATIVES["gpt2"][0].regex]
    options = {"look": "Split patterns", "cut_pattern": "gpt2", "cut_off": off}
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    app.switch_page("pages/bytes.py")
    app.query_params["s"] = pack({"options": options, "text": "it's"})
    app.run()
    assert not app.exception
    assert [each["on"] for each in sent(app)["alternatives"]][:2] == [False, True]
    assert text_of(app) == "it's"
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    app.switch_page("pages/bytes.py")
    app.query_params["s"] = pack({"options": {"look": 3, "cut_pattern": "(a", "cut_off": [[1]], "own_pattern": "(a"}})
    app.run()
    assert not app.exception
