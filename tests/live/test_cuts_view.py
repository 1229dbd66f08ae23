"""Whatever edits a document takes, a browser holds the pretokens of the whole text, each with what cut it."""

import json

import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st
from live.edits import EDITS, TEXTS, edit
from live.receiver import ReceivedTokens
from odd_texts import ODD

from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.pretokens import pretokens, well_formed_text
from tokviz.live.document import Document, units_of
from tokviz.live.views.cuts_view import CHARACTERS_MAX, CutsView
from tokviz.text.alternatives import alternative_at, alternatives, cuts

NAMED = [name for name in SPLIT_PATTERNS if name != "none"]
OWN = ["", "|", r"\p{L}+|(?i)x|\d", r"(a|b)\1|(c)\2|.", "(?x) a # b|c\n | \\s"]


class ReceivedCuts(ReceivedTokens):
    """Pretokens as a browser puts them together; of a reply with the alternatives all are new."""

    def take(self, reply: dict) -> None:
        super().take({**reply, **({"tokenizer": None} if "alternatives" in reply else {})})
        self.counts, self.cut, self.notice = reply["counts"], reply["cut"], reply["notice"]


def check(received: ReceivedCuts, text: str, pattern: str, off: tuple[int, ...] = ()) -> None:
    found = cuts(well_formed_text(text), pattern, off=off)
    units, places = units_of(well_formed_text(text)), zip(received.starts, received.widths, strict=True)
    shown = [units[2 * start : 2 * (start + width)].decode("utf-16-le") for start, width in places]
    assert shown == [cut.pretoken for cut in found]
    assert received.sizes == [len(pretoken.encode()) for pretoken in shown]
    assert received.ids == [0 if cut.alternative is None else cut.alternative + 1 for cut in found]
    assert received.cut == [received.ids.count(i + 1) for i in range(len(alternatives(pattern)))]
    assert received.counts["left"] == received.ids.count(0) and received.counts["pretokens"] == len(found)
    assert received.counts["longest"] == max(map(len, shown), default=0)
    assert received.end == len(units) // 2


@pytest.mark.parametrize("pattern", NAMED)
@given(text=TEXTS, edits=st.lists(st.lists(EDITS, max_size=3), max_size=6))
def test_after_any_edits_a_browser_holds_what_the_whole_text_is_cut_into(pattern, text, edits):
    document, received = Document(text), ReceivedCuts()
    view = CutsView(document, pattern)
    for i, keys in enumerate([[], *edits]):
        edit(document, keys)
        assert view.is_behind == bool(i == 0 or keys)
        reply = json.loads(json.dumps(view.reply(whole=i == 0)))
        assert reply["state"] == [1, document.state.sequence] and not view.is_behind
        received.take(reply)
        check(received, document.text, pattern)
        # What is known of a pretoken from elsewhere says the same as asking the alternatives one by one.
        text, offered = well_formed_text(document.text), alternatives(pattern)
        for cut in cuts(text, pattern):
            asked = alternative_at(text, cut.char_start, cut.char_start + len(cut.pretoken), pattern)
            assert asked == (None if cut.alternative is None else offered[cut.alternative])


@pytest.mark.parametrize(("pattern", "off"), [*((own, ()) for own in OWN), ("gpt2", (1, 3)), (r"(a)\1|\s|.", (0,))])
@each("text", ODD)
def test_patterns_that_run_in_a_child_are_told_just_the_same(pattern, off, text):
    document, received = Document("ab " + text), ReceivedCuts()
    view = CutsView(document, pattern, off=off)
    received.take(view.reply(whole=True))
    edit(document, [(0, 3, "")])
    received.take(view.reply(whole=False))
    check(received, text, pattern, off)
    assert view.is_reply_quick(whole=False) == (not pattern)
    assert [each["on"] for each in view.alternatives] == [i not in off for i in range(len(view.alternatives))]


def test_a_key_amid_a_long_text_is_a_short_message_and_quick_where_the_text_is_not_too_long():
    document = Document("It's what we'll say: 1234567\n" * 100)
    view = CutsView(document, "cl100k")
    assert not view.is_reply_quick(whole=True)
    view.reply(whole=True)
    edit(document, [(0.5, 0, "x")])
    assert view.is_reply_quick(whole=False)
    assert len(json.dumps(view.reply(whole=False))) < 400


@pytest.mark.slow
def test_a_pattern_that_does_not_end_or_dies_is_named_until_the_text_is_another():
    for pattern, text, mended in (("(a|aa)+$", "a" * 60 + "b", "aab"), ("(a(?R)?b)|(?R)", "a" * 20_000 + "c", "")):
        document, received = Document(text), ReceivedCuts()
        view = CutsView(document, pattern)
        received.take(view.reply(whole=True))
        assert f"the split pattern '{pattern}'" in received.notice and received.ids == []
        document.set_text(mended)
        received.take(view.reply(whole=False))
        assert received.notice is None
        check(received, mended, pattern)


def test_a_pattern_that_does_not_compile_makes_no_view():
    with pytest.raises(ValueError, match="not a regular expression"):
        CutsView(Document(), "(a")


@pytest.mark.parametrize("character", ["a", "😀"])
def test_of_a_long_text_the_beginning_is_cut_and_said(character):
    document, received = Document(character * CHARACTERS_MAX), ReceivedCuts()
    view = CutsView(document, "gpt2")
    received.take(view.reply(whole=True))
    assert received.notice is None
    edit(document, [(1, 0, "x")])
    received.take(view.reply(whole=False))
    assert f"{CHARACTERS_MAX:,}" in received.notice
    assert received.widths == [len(units_of(character)) // 2 * CHARACTERS_MAX]
    assert pretokens(character * CHARACTERS_MAX, "gpt2") == [character * CHARACTERS_MAX]
    with pytest.raises(ValueError):
        view.answer({})
