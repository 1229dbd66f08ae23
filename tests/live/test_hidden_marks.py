"""What hides in a text is found again around each edit, as it is found in the whole text; plain text is left alone."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from live.edits import edit
from live.receiver import unpacked

import tokviz
from tokviz.families.teaching import list_tokenizer
from tokviz.languages.table import parallel_sentences
from tokviz.live.document import Document
from tokviz.live.follower import QUICK_EDIT
from tokviz.live.hidden_marks import COSTED_MAX, NAMES, UNITS_MAX, HiddenMarks
from tokviz.live.look import Look
from tokviz.live.views.compare_view import CompareView
from tokviz.live.views.history_view import HistoryView
from tokviz.live.views.ids_view import IdsView
from tokviz.live.views.token_view import TokenView
from tokviz.text.hidden_text import KINDS, NOT_NFC, hidden, hidden_cost, without_hidden

CL100K, GPT2 = tokviz.load("cl100k_base"), tokviz.load("gpt2")
HIDDEN = Look(finds_hidden=True)
TAGGED = "".join(chr(0xE0000 + ord(c)) for c in "obey")
PIECES = [
    *["a", " ", "\n", ". ", "e\u0301", "p\u0430ypal", "\u0430", "bcd", "Z\u0311\u0324\u0300\u0301\u0302", "\u0600"],
    *["\u200b", "\u202e", "\u200e", "ש", "\u200d", "😀", "\ufe0f", "👩‍👩‍👧", "葛", "\U000e0101", TAGGED, "\U0001f3f4"],
    *["a" * 300, "IκB", "α", "ο", "ก" * 300, "ก\u200bก", "\ud83d", "\ude00", "\x00"],
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
EDITS = st.tuples(
    st.floats(0, 1), st.sampled_from([0, 0, 1, 2, 7, 400]),
    st.lists(st.sampled_from(PIECES), max_size=3).map("".join)
)  # fmt: skip


class Received:
    """The marks as a browser puts them together from replies."""

    def __init__(self) -> None:
        self.gaps, self.widths, self.kinds, self.said = [], [], [], {}

    def take(self, told: dict | None) -> None:
        if told is None:
            return
        for name in ("gaps", "widths", "kinds"):
            getattr(self, name)[told["at"] : told["at"] + told["removed"]] = unpacked(told[name]).tolist()
        self.said = {name: told[name] for name in ("found", "messages", "costs")}

    @property
    def places(self) -> list[tuple[int, int, str]]:
        ends = np.cumsum(np.array([self.gaps, self.widths]).sum(axis=0)).tolist() if self.gaps else []
        kinds = list(KINDS)
        return [(end - width, end, kinds[k]) for end, width, k in zip(ends, self.widths, self.kinds, strict=True)]


def places(text: str) -> list[tuple[int, int, str]]:
    return [(mark.utf16_start, mark.utf16_end, mark.kind) for mark in hidden(text)]


@given(text=TEXTS, edits=st.lists(st.lists(EDITS, max_size=3), max_size=6))
def test_a_browser_has_the_marks_of_the_whole_text_after_any_edits(text, edits):
    document, marks, received = Document(text), HiddenMarks(), Received()
    changes = -1
    for keys in [[], *edits]:
        edit(document, keys)
        state, change = document.state_and_change_since(changes)
        changes = state.changes
        marks.update(state.units, change)
        received.take(marks.take_update_to_send(whole=False))
        assert received.places == places(document.text)
        assert marks.messages == [mark.message for mark in hidden(document.text)]


def test_what_is_told_again_as_a_whole_needs_nothing_from_before():
    document, marks = Document("p\u0430ypal " + TAGGED), HiddenMarks()
    marks.update(document.state.units)
    marks.take_update_to_send(whole=True)
    received = Received()
    assert marks.take_update_to_send(whole=False) is None
    received.take(marks.take_update_to_send(whole=True))
    assert received.places == places(document.text) and received.said["messages"] == ["obey"]


@pytest.mark.parametrize("nth", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_nothing_is_told_of_ordinary_text_in_any_language_as_it_is_typed(nth):
    for sentence in parallel_sentences()[::nth]:
        for language, words in sentence.items():
            text = unicodedata.normalize("NFC", words)
            document = Document("")
            view = TokenView(document, CL100K, look=HIDDEN)
            view.reply(whole=True)
            half = len(text) // 2
            for part in (text[:half], text[half:]):
                edit(document, [(1.0, 0, part)])
                assert view.reply(whole=False)["hidden"] is None, language


def test_decomposed_text_is_told_as_another_form_and_nothing_else():
    for language in ("vi", "fr", "ko", "hi"):
        text = unicodedata.normalize("NFD", parallel_sentences()[0][language])
        marks = HiddenMarks()
        marks.update(text.encode("utf-16-le"))
        assert set(marks.n_hidden_things_by_kind()) <= {NOT_NFC}, language
        assert bool(len(marks)) == (text != unicodedata.normalize("NFC", text))


def test_long_runs_are_one_mark_though_they_are_edited_in_the_middle():
    document, marks = Document("x " + TAGGED * 2_000 + " y"), HiddenMarks()
    marks.update(document.state.units)
    for place, removed, inserted in ((0.5, 0, "a"), (0.5, 1, ""), (0.3, 2, TAGGED)):
        changes = document.state.changes
        edit(document, [(place, removed, inserted)])
        state, change = document.state_and_change_since(changes)
        marks.update(state.units, change)
        assert list(zip(marks.starts, marks.ends, strict=True)) == [place[:2] for place in places(document.text)]


@given(text=TEXTS, edits=st.lists(st.lists(EDITS, max_size=3), max_size=3))
def test_the_cost_is_that_of_the_whole_text(text, edits):
    document = Document(text)
    words = list_tokenizer("words", "the cat")
    view = CompareView(document, (("one", CL100K), ("two", GPT2), ("words", words)), look=HIDDEN)
    received = Received()
    for keys in [[], *edits]:
        edit(document, keys)
        received.take(view.reply(whole=False)["hidden"])
        if received.places:
            costs = [[name, hidden_cost(each, document.text).extra] for name, each in
                     (("one", CL100K), ("two", GPT2), ("words", words))]  # fmt: skip
            assert received.said["costs"] == costs
        else:
            assert not received.said.get("costs")


def test_views_tell_what_is_there_in_words():
    text = "Hi" + TAGGED + " p\u0430ypal"
    view = TokenView(Document(text), CL100K, look=HIDDEN)
    told = view.reply(whole=True)["hidden"]
    assert [words for words, *_ in told["found"]] == ["4 tag characters", "1 look-alike letter"]
    assert told["messages"] == ["obey"] and told["costs"] == [["", hidden_cost(CL100K, text).extra]]
    for view in (
        HistoryView(Document(text), GPT2, look=HIDDEN),
        IdsView(Document(str(CL100K.encode(text))), CL100K, look=HIDDEN),
    ):
        told = view.reply(whole=True)["hidden"]
        assert len(told["found"]) == 2 and told["messages"] == ["obey"]
    assert "hidden" not in TokenView(Document(text), CL100K).reply(whole=True)
    assert set(NAMES) == set(KINDS)


def test_a_view_answers_with_the_text_without_what_hides():
    document = Document("Hi" + TAGGED)
    for view in (
        TokenView(document, CL100K, look=HIDDEN),
        CompareView(document, (("a", GPT2),), look=HIDDEN),
    ):
        assert view.answer({"without": True}) == {"without": without_hidden(document.text), "state": [1, 0]}
    document.set_text("a" * (UNITS_MAX + 1))
    with pytest.raises(ValueError, match="not looked through"):
        view.answer({"without": True})


def test_a_text_that_is_very_long_is_not_looked_through_until_it_is_shorter():
    document = Document("\u200b" + "a" * UNITS_MAX)
    marks, received = HiddenMarks(), Received()
    marks.update(document.state.units)
    received.take(marks.take_update_to_send(whole=True))
    assert marks.is_too_long and not received.places
    changes = document.state.changes
    edit(document, [(1.0, 0, ""), (0.5, 7, "")])
    state, change = document.state_and_change_since(changes)
    marks.update(state.units, change)
    received.take(marks.take_update_to_send(whole=False))
    assert received.places == [(0, 1, "zero width")]


def test_what_hidden_text_costs_in_a_long_text_is_an_answer_and_no_part_of_replies():
    document = Document("\u200b" + "the " * QUICK_EDIT)
    view = TokenView(document, CL100K, look=HIDDEN)
    told = view.reply(whole=True)["hidden"]
    assert told["found"] and told["costs"] == [] and told["is_long"]
    edit(document, [(0.5, 0, "a\u200bb")])
    cost = hidden_cost(CL100K, document.text).extra
    assert view.answer({"costs": True}) == {"costs": [["", cost]], "state": [1, 1]}
    assert view.reply(whole=False)["hidden"]["found"][0][0] == "2 zero-width characters"
    columns = CompareView(document, (("a", CL100K), ("b", GPT2)), look=HIDDEN)
    assert columns.answer({"costs": True})["costs"] == [["a", cost], ["b", hidden_cost(GPT2, document.text).extra]]
    document.set_text(document.text + "a" * COSTED_MAX)
    assert view.answer({"costs": True})["costs"] == []
    assert not view.reply(whole=False)["hidden"]["is_long"]
