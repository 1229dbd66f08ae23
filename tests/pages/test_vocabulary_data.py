"""What the vocabulary page sends to a browser: all tokens once, and a report of one."""

import base64
import json
import zlib
from itertools import pairwise

import numpy as np
import pytest
from opening import button, opened

import tokviz
from pages.ui.session_tokenizers.opened_records import list_record
from pages.ui.shared.options import DEFAULTS
from pages.ui.vocabulary.vocabulary_charts import LOOKS
from tokviz.analysis.relatives import children
from tokviz.analysis.vocabulary_facts import vocabulary_facts
from tokviz.live.views.vocabulary_data import token_report, vocabulary_columns


def unpacked(columns: dict) -> tuple[list[int], list[bytes], list[int], list[int]]:
    """Return ids, tokens, kinds and scripts as a browser reads them."""
    blob, count, width = zlib.decompress(base64.b64decode(columns["packed"])), columns["count"], columns["width"]
    lengths = np.frombuffer(blob, f"<u{width}", count).tolist()
    kinds, scripts = (np.frombuffer(blob, np.uint8, count, count * (width + i)).tolist() for i in (0, 1))
    tokens, at = [], count * (width + 2)
    for length in lengths:
        tokens.append(blob[at : at + length])
        at += length
    assert at == len(blob)
    runs = [*columns["ids"], [count, 0]]
    ids = [first_id + i - first for (first, first_id), (end, _) in pairwise(runs) for i in range(first, end)]
    return ids, tokens, kinds, scripts


def test_a_browser_gets_every_token(vocabulary):
    facts = vocabulary_facts(vocabulary)
    ids, tokens, kinds, scripts = unpacked(vocabulary_columns(vocabulary))
    assert (ids, tokens) == (facts.ids.tolist(), facts.tokens)
    assert (kinds, scripts) == (facts.kinds.tolist(), facts.scripts.tolist())


def test_a_token_of_many_bytes_fits():
    tokenizer = tokviz.train("a" * 2048, vocab_size=266, split_pattern="none")
    columns = vocabulary_columns(tokenizer)
    assert columns["width"] == 2
    assert unpacked(columns)[1] == vocabulary_facts(tokenizer).tokens


def test_a_token_of_very_many_bytes_is_reported_without_its_tree():
    tokenizer = tokviz.train("a" * 20_000, vocab_size=270, split_pattern="none")
    spans = tokviz.token_spans(tokenizer, tokenizer.encode("a" * 9))
    longest = token_report(tokenizer, 269, spans)
    assert longest["tree"] is None and "leaves" in longest["no_tree"]
    assert tokenizer.tokens_bytes(longest["parents"]) == [b"a" * 8192] * 2
    assert token_report(tokenizer, 262, spans)["tree"] is not None


def test_a_report_names_relatives_and_every_use():
    gpt2 = tokviz.load("gpt2")
    text = "the cat, the dog and the น้ำ"
    ids = gpt2.encode(text)
    report = token_report(gpt2, ids[0], tokviz.token_spans(gpt2, ids))
    assert report["n_uses"] == 1
    the = gpt2.encode(" the")[0]
    report = token_report(gpt2, the, tokviz.token_spans(gpt2, ids))
    assert report["n_uses"] == len(report["places"]) == ids.count(the)
    assert all("".join(place[1:]) in text and place[2] == " the" for place in report["places"])
    assert [text.index(" the"), text.rindex(" the")] == [place[0] for place in report["places"]]
    assert gpt2.tokens_bytes(report["parents"]) == [b" t", b"he"]
    assert report["n_children"] == len(children(gpt2, b" the"))
    json.dumps(report)


def test_a_report_of_every_token_of_a_small_vocabulary_holds(trained):
    spans = tokviz.token_spans(trained, trained.encode("the same text"))
    for token_id in (*trained.mergeable_ranks.values(), *trained.special_tokens.values()):
        report = token_report(trained, token_id, spans)
        assert report["error"] is None
        assert b"".join(trained.tokens_bytes(report["parents"])) in (b"", trained.token_bytes(token_id))
        assert (report["rank"] is None) == (report["parents"] == [])
        json.dumps(report)


@pytest.mark.parametrize("look", LOOKS)
def test_every_look_shows_without_an_exception(look):
    app = opened("pages/vocabulary.py", "the ingredients", tokenizer="gpt2", vocabulary_look=look)
    assert not app.exception
    assert app.session_state["vocabulary_look"] == look


def test_the_use_of_a_text_is_counted():
    app = opened("pages/vocabulary.py", "the the cat", tokenizer="gpt2", vocabulary_look="Used in the text")
    assert "It uses 3 of 50,256, and never the other 50,253" in next(t.value for t in app.text if "It uses" in t.value)


def test_the_overlap_is_told_in_words():
    app = opened("pages/vocabulary.py", tokenizer="cl100k_base", vocabulary_look="Overlap", overlap_with="gpt2")
    assert "43,066 tokens are in both" in next(t.value for t in app.text if "in both" in t.value)
    assert DEFAULTS["overlap_with"] in app.selectbox[1].value


def test_a_vocabulary_is_trimmed_to_the_text_and_joins_the_list():
    text = "the theory of tea <|endoftext|>"
    app = button(opened("pages/vocabulary.py", text, tokenizer="gpt2"), "Trim to the text").click().run()
    assert not app.exception
    expected = tokviz.trim(tokviz.load("gpt2"), text).tokenizer
    assert {each.label: each.value for each in app.metric} == {
        "Tokens before": "50,257",
        "Tokens after": f"{expected.n_vocab:,}",
    }
    for _ in range(2):  # a second time it is there already
        app = button(app, "Add it to the list").click().run()
        assert not app.exception
        assert {name: each.tokenizer for name, each in app.session_state["opened"].items()} == {
            "gpt2 trimmed": expected
        }
        assert app.session_state["tokenizer"] == "gpt2 trimmed"
        app.session_state["tokenizer"] = "gpt2"
        app = button(app.run(), "Trim to the text").click().run()


def test_a_text_with_special_tokens_is_trimmed_to_as_it_is_shown():
    app = opened("pages/vocabulary.py", "<|endoftext|>", tokenizer="gpt2", allow_special=True)
    app = button(app, "Trim to the text").click().run()
    assert [each.value for each in app.metric] == ["50,257", "257"]


def test_only_a_text_and_byte_level_tokenizers_are_trimmed():
    app = button(opened("pages/vocabulary.py", "", tokenizer="gpt2"), "Trim to the text").click().run()
    assert not app.exception and "There is no text to trim to" in app.code[0].value
    words = list_record("words", "words", ["a"])
    app = opened("pages/vocabulary.py", "a", opened={"words": words}, tokenizer="words")
    assert not app.exception and "Trim to the text" not in [each.label for each in app.button]
