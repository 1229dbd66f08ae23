"""The vocabulary is sent once, and the use of a token is told of the text as it is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live.edits import EDITS, TEXTS, edit

import tokviz
from tokviz.live.document import Document
from tokviz.live.views.vocabulary_data import packed_vocabulary_columns, token_report
from tokviz.live.views.vocabulary_view import VocabularyView
from tokviz.system.recent import forget_unused
from tokviz.vocabulary import findings, reach

GPT2 = tokviz.load("gpt2")


@given(text=TEXTS, edits=st.lists(EDITS, max_size=5), token=st.sampled_from([220, 64, 50256, 1169]))
def test_the_report_of_a_token_is_of_the_text_as_it_is(text, edits, token):
    document = Document(text)
    view = VocabularyView(document, GPT2)
    reply = view.reply(whole=True)
    assert reply["fingerprint"] == packed_vocabulary_columns(GPT2)["fingerprint"] and not view.is_behind
    for n, each in enumerate(edits, 1):
        edit(document, [each])
        assert view.is_behind and view.reply(whole=False) == {"state": [1, n], "revision": n + 1}
        answer = view.answer({"token": token})
        wanted = token_report(GPT2, token, tokviz.text_spans(GPT2, document.text))
        assert json.dumps(answer) == json.dumps({"state": [1, n], "notice": None, **wanted})


def test_the_tokens_are_sent_to_who_wants_them():
    view = VocabularyView(Document("a"), GPT2)
    fingerprint = view.reply(whole=True)["fingerprint"]
    assert view.answer({"want": fingerprint})["columns"]["count"] == 50257
    assert view.answer({"want": "of another"}) == {"columns": None}
    ids = view.tokenizer.encode("ไทย" * 20)
    assert view.answer({"cut": "ไทย" * 20}) == {"cut": ["ไทย" * 20, ids[:24], len(ids)]}


def test_what_is_no_token_and_a_text_that_cannot_be_cut_are_said_in_words(monkeypatch):
    monkeypatch.setattr("tokviz.core.pretokens.TIMEOUT_SECONDS", 0.2)
    with pytest.raises(ValueError, match="has no token 99999"):
        VocabularyView(Document("a"), GPT2).answer({"token": 99_999})
    slow = tokviz.Tokenizer("slow", "(a|aa)+$|b", {bytes([i]): i for i in range(256)})
    answer = VocabularyView(Document("a" * 40 + "!"), slow).answer({"token": 97})
    assert "did not end" in answer["notice"] and (answer["n_uses"], answer["children"]) == (None, [])
    long = VocabularyView(Document("ab " * 80_000), GPT2).answer({"token": 64})
    assert "240,000 characters; uses are counted in the first 200,000" in long["notice"]


def test_a_report_holds_without_how_texts_produce_the_token_which_is_computed_once(monkeypatch):
    asked, token = [], GPT2.mergeable_ranks[b"\xc0"]
    view = VocabularyView(Document("a"), GPT2, found=findings.stored_findings("gpt2"))

    def fails(*_):
        raise ValueError("busy")

    def counts(*args):
        asked.append(args)
        return found(*args)

    found = reach._reach
    forget_unused(0)
    monkeypatch.setattr(reach, "_reach", fails)
    without = view.answer({"token": token})
    monkeypatch.setattr(reach, "_reach", counts)
    told = [view.answer({"token": token}) for _ in range(2)]
    assert told == [without | {"reach": ["never", None, "no UTF-8 holds these bytes"]}] * 2 and len(asked) == 1
