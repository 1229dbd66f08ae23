"""Whatever is typed in several languages, a browser is told the tokens of each text under each tokenizer."""

import pytest
from odd_texts import ODD

import tokviz
from tokviz.live.document import Document
from tokviz.live.views.ratio_view import UNITS_MAX, RatioView

NAMES = ("gpt2", "o200k_base")


def view_of(*texts: str) -> tuple[list[Document], RatioView]:
    documents = [Document(text) for text in texts]
    return documents, RatioView(tuple(documents), tuple((name, tokviz.load(name)) for name in NAMES))


@pytest.mark.parametrize("text", ODD)
def test_the_counts_are_those_of_the_tokenizers(text):
    _, view = view_of("a text", text)
    assert view.reply(whole=True)["counts"][1] == [len(tokviz.load(name).encode(text)) for name in NAMES]


def test_they_follow_every_text():
    documents, view = view_of("one", "หนึ่ง", "yksi")
    view.reply(whole=True)
    assert not view.is_behind
    documents[1].set_text("สอง")
    assert view.is_behind
    reply = view.reply(whole=False)
    assert reply["counts"] == [
        [len(tokviz.load(name).encode(text)) for name in NAMES] for text in ("one", "สอง", "yksi")
    ]
    assert "state" not in reply and reply["notice"] is None and not view.is_behind


def test_a_long_text_is_cut_short_and_a_pattern_that_does_not_end_is_named(monkeypatch):
    _, view = view_of("a", "ab " * UNITS_MAX)
    assert "the counts cover" in view.reply(whole=True)["notice"]
    monkeypatch.setattr("tokviz.core.pretokens.TIMEOUT_SECONDS", 0.1)
    hostile = tokviz.Tokenizer("hostile", "(a|aa)+$", {bytes([i]): i for i in range(256)})
    view = RatioView((Document("b"), Document("a" * 60 + "b")), (("hostile", hostile), ("gpt2", tokviz.load("gpt2"))))
    reply = view.reply(whole=True)
    assert reply["counts"][1][0] is None and reply["counts"][1][1] and reply["notice"].startswith("hostile: ")
