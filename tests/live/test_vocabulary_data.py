"""What a browser is sent of a vocabulary: all tokens once, and a report of one."""

import base64
import json
import zlib
from itertools import pairwise

import numpy as np

import tokviz
from tokviz.core.relatives import tokens_made_directly_from
from tokviz.live.views.vocabulary_data import packed_vocabulary_columns, token_report
from tokviz.vocabulary.facts import vocabulary_facts


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
    ids, tokens, kinds, scripts = unpacked(packed_vocabulary_columns(vocabulary))
    assert (ids, tokens) == (facts.ids.tolist(), facts.tokens)
    assert (kinds, scripts) == (facts.kinds.tolist(), facts.scripts.tolist())


def test_a_token_of_many_bytes_fits():
    tokenizer = tokviz.train("a" * 2048, vocab_size=266, split_pattern="none")
    columns = packed_vocabulary_columns(tokenizer)
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
    assert report["n_children"] == len(tokens_made_directly_from(gpt2, b" the"))
    json.dumps(report)


def test_a_report_of_every_token_of_a_small_vocabulary_holds(trained):
    spans = tokviz.token_spans(trained, trained.encode("the same text"))
    for token_id in (*trained.mergeable_ranks.values(), *trained.special_tokens.values()):
        report = token_report(trained, token_id, spans)
        assert report["error"] is None
        assert b"".join(trained.tokens_bytes(report["parents"])) in (b"", trained.token_bytes(token_id))
        assert (report["rank"] is None) == (report["parents"] == [])
        json.dumps(report)
