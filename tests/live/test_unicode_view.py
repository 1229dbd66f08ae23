"""Whatever edits a document takes, a browser holds the code points of the whole text and its figures."""

import json

import pytest
from each import each
from hypothesis import example, given
from hypothesis import strategies as st
from live.edits import EDITS, TEXTS, edit
from odd_texts import ODD

from tokviz.live.document import Document, text_of, units_of
from tokviz.live.views.unicode_view import CHARACTERS_MAX, SIZED_MAX, UnicodeView
from tokviz.text.code_points import characters, encoded_sizes, graphemes, normal_forms


class ReceivedCharacters:
    """Graphemes as a browser puts them together."""

    def __init__(self) -> None:
        self.clusters: list[list[dict]] = []

    def take(self, reply: dict) -> None:
        if "mark" in reply:
            self.clusters = []
        self.clusters[reply["at"] : reply["at"] + reply["removed"]] = reply["clusters"]
        self.reply = reply


def check(received: ReceivedCharacters, text: str) -> None:
    shown, rows = text[:CHARACTERS_MAX], [row for cluster in received.clusters for row in cluster]
    assert ["".join(row["text"] for row in cluster) for cluster in received.clusters] == graphemes(shown)
    for row, character in zip(rows, characters(shown), strict=True):
        assert row["number"] == ord(character.text) and row["name"] == character.name
        assert [row["utf8"], row["utf16"], row["utf32"]] == [
            data and data.hex(" ") for data in (character.utf8, character.utf16, character.utf32)
        ]
    assert received.reply["characters"] == len(text[:SIZED_MAX])
    assert received.reply["graphemes"] == len(graphemes(text[:SIZED_MAX]))
    assert received.reply["sizes"] == [vars(size) for size in encoded_sizes(text[:SIZED_MAX])]
    assert [each["text"] for each in received.reply["forms"]] == [form.text for form in normal_forms(shown)]
    assert (received.reply["notice"] is None) == (len(text) <= CHARACTERS_MAX)


@given(text=TEXTS, edits=st.lists(st.lists(EDITS, max_size=3), max_size=6), filler=st.sampled_from(["", "ก็\r" * 140]))
@example(text="\ud83d\ude00", edits=[], filler="")  # two surrogates that are one character
def test_after_any_edits_a_browser_holds_the_code_points_of_the_whole_text(text, edits, filler):
    document, received = Document(text + filler), ReceivedCharacters()
    view = UnicodeView(document)
    for i, keys in enumerate([[], *edits]):
        edit(document, keys)
        assert view.is_behind == bool(i == 0 or keys)
        received.take(json.loads(json.dumps(view.reply(whole=i == 0))))
        assert received.reply["state"] == [1, document.state.sequence] and not view.is_behind
        check(received, document.text)


@each("text", [*ODD, "\r\n\n\r\x85\u2028e\u0301\x0b\u0301\n"])
def test_a_fresh_view_tells_every_character(text):
    document, received = Document(text), ReceivedCharacters()
    received.take(UnicodeView(document).reply(whole=True))
    check(received, text_of(units_of(text)))


def test_a_key_is_a_short_message_and_quick_unless_a_line_is_very_long():
    document = Document("aก😀e\u0301 \n" * 10_000)
    view = UnicodeView(document)
    assert not view.is_reply_quick(whole=True)
    view.reply(whole=True)
    edit(document, [(0.5, 0, "x")])
    assert view.is_reply_quick(whole=False)
    assert view.reply(whole=False)["clusters"] == []
    document.set_text("aก😀e\u0301 \n" * 40)
    view.reply(whole=False)
    edit(document, [(0.5, 0, "x")])
    reply = view.reply(whole=False)
    assert len(reply["clusters"]) == 1 and reply["removed"] == 0
    document.set_text("a" * 10_000)
    view.reply(whole=False)
    edit(document, [(0.5, 0, "x")])
    assert not view.is_reply_quick(whole=False)


def test_of_a_long_text_the_beginning_is_shown_and_said():
    received = ReceivedCharacters()
    received.take(UnicodeView(Document("a" * (SIZED_MAX + 1))).reply(whole=True))
    assert sum(map(len, received.clusters)) == CHARACTERS_MAX
    assert f"{SIZED_MAX + 1:,}" in received.reply["notice"] and f"{SIZED_MAX:,}" in received.reply["notice"]
    with pytest.raises(ValueError):
        UnicodeView(Document()).answer({})
