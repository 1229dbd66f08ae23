"""Whatever edits a document takes, a browser that applies the replies holds the history of the whole text."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from live.edits import EDITS, TEXTS, edit
from live.kinds import NORMALIZERS, tokenizer_of_kind
from live.receiver import unpacked

import tokviz
from tokviz.core.samples import sample
from tokviz.live.document import Document
from tokviz.live.hidden_marks import HiddenMarks
from tokviz.live.look import Look
from tokviz.live.views.history_view import HistoryView


class ReceivedHistory:
    """A history as a browser puts it together."""

    def __init__(self) -> None:
        self.data, self.gaps, self.sizes, self.ids, self.special = b"", [], [], {}, []
        self.characters: dict[str, int] = {}

    def take(self, reply: dict) -> None:
        if "tokenizer" in reply:
            self.__init__()
        begin, stop = reply["at"], reply["at"] + reply["removed"]
        self.data = self.data[:begin] + reply["text"].encode() + self.data[stop:]
        self.gaps[begin:stop] = (unpacked(reply["gaps"]) - 2).tolist()
        self.ids |= dict(zip(unpacked(reply["ranks"]).tolist(), unpacked(reply["ids"]).tolist(), strict=True))
        self.characters |= dict(reply["characters"])
        pretokens = reply["pretokens"]
        self.sizes[pretokens["at"] : pretokens["at"] + pretokens["removed"]] = unpacked(pretokens["sizes"]).tolist()
        self.special = reply["special"]


@pytest.fixture(scope="module", params=["gpt2", "cl100k", "o200k", "llama3", "none", "own", *NORMALIZERS])
def tokenizer(request) -> tokviz.Tokenizer:
    pattern = r"\p{L}+(?=\s)|[0-9]+|\S" if request.param == "own" else request.param
    text = sample("mixed") + "the 123 'll ที่นี่ 你好 😀😀 AB " * 9
    if request.param in NORMALIZERS:
        return tokenizer_of_kind(request.param, text)
    return tokviz.train(text, vocab_size=500, split_pattern=pattern, special_tokens=["<|endoftext|>", "<s>", "<s>x"])


@given(text=TEXTS, edits=st.lists(st.lists(EDITS, max_size=3), max_size=6), special=st.booleans())
def test_the_history_after_edits_is_that_of_the_whole_text(tokenizer, text, edits, special):
    document, received = Document(text), ReceivedHistory()
    view = HistoryView(document, tokenizer, look=Look("all" if special else (), finds_hidden=True))
    for i, keys in enumerate([[], *edits]):
        edit(document, keys)
        reply = json.loads(json.dumps(view.reply(whole=i == 0)))
        received.take(reply)
        whole = tokviz.trace(tokenizer, document.text, allowed_special="all" if special else ())
        text, _ = tokenizer.normalized(document.text, allowed_special="all" if special else ())
        assert received.data == whole.data == text.encode()
        if not tokenizer.normalizer.is_plain:  # what hides is marked in the text that is drawn
            marks = HiddenMarks.of_text(text)
            assert (view.hidden.starts.tolist(), view.hidden.ends.tolist()) == (
                marks.starts.tolist(),
                marks.ends.tolist(),
            )
        if tokenizer.starts_with_characters:
            known = {c: tokenizer.mergeable_ranks[c.encode()] for c in text if c.encode() in tokenizer.mergeable_ranks}
            assert {c: i for c, i in known.items() if not c.isascii()}.items() <= received.characters.items()
        assert received.gaps[:-1] == whole.gaps.tolist()
        assert np.cumsum(received.sizes).tolist() == whole.pretoken_ends.tolist()
        assert {rank: int(tokenizer.merge_ids[rank]) for rank in set(received.gaps) if rank >= 0}.items() <= (
            received.ids.items()
        )
        assert len(received.special) == len(whole.special_ends)
        found = view.follower.trace()
        assert found.special_ends == whole.special_ends and found.ends == whole.ends
        answer = view.answer({"revision": reply["revision"], "k": 30, "pretoken": None, "stays": [0, 30]})
        assert ("table" in answer) == bool(document.text)


def test_steps_are_answered_about_the_history_that_the_browser_holds():
    document = Document("two unbelievable words")
    view = HistoryView(document, tokviz.load("gpt2"))
    revision = view.reply(whole=True)["revision"]
    answer = view.answer({"revision": revision, "k": 10**9, "pretoken": 3, "stays": [2, 7]})
    assert answer["k"] == len(tokviz.load("gpt2").merge_tokens) and answer["pretoken"]["start"] == 3
    assert view.stays == (2, 7)
    assert view.answer({"revision": revision - 1, "k": 0, "pretoken": 3, "stays": [2, 9]}) == {"revision": revision}
    assert view.stays == (2, 7)
    with pytest.raises(ValueError):
        view.answer({"revision": revision, "k": 0, "pretoken": 99, "stays": [2, 9]})
    document.set_text("")
    revision = view.reply(whole=False)["revision"]
    assert view.answer({"revision": revision, "k": 0, "pretoken": None, "stays": [2, 0]}) == {"revision": revision}


def test_a_key_amid_a_long_text_is_a_short_message():
    text = sample("english") * 20
    document = Document(text)
    view = HistoryView(document, tokviz.load("cl100k_base"))
    view.reply(whole=True)
    edit(document, [(0.5, 0, "x")])
    assert len(json.dumps(view.reply(whole=False))) < 600


def test_what_hides_is_marked_in_the_text_as_the_tokenizer_changed_it():
    text = "e\u0301 👩\u200d🍳 a\u200bb"
    view = HistoryView(Document(text), tokenizer_of_kind("nfc", sample("mixed")), look=Look(finds_hidden=True))
    view.reply(whole=True)
    assert view.hidden.starts.tolist() == [9]  # after é, which is one unit now
