"""What a tab keeps and a link carries: the same when it comes back, refused when it is damaged."""

import base64
import json
import zlib

import pytest

import tokviz
from pages.ui.records import Trained, pack, unpack, unpack_trained


@pytest.fixture(scope="module")
def record() -> Trained:
    text = "the theory of the thing <s> ที่นี่"
    made = {"split_pattern": "gpt2", "special_tokens": ["<s>"]}
    steps = tuple(tokviz.train_steps(text, vocab_size=290, **made))
    return Trained(tokviz.Tokenizer.from_steps(steps, name="ของฉัน", **made), steps, len(text.encode()))


def test_a_trained_tokenizer_comes_back_with_its_steps(record):
    back = unpack_trained(record.packed)
    assert back == record and back.tokenizer.name == "ของฉัน"
    assert back.tokenizer.special_tokens == record.tokenizer.special_tokens


def test_a_tokenizer_without_merges_comes_back():
    tokenizer = tokviz.Tokenizer("bytes", "none", {bytes([i]): i for i in range(256)})
    assert unpack_trained(Trained(tokenizer, (), 0).packed).tokenizer == tokenizer


@pytest.mark.parametrize("text", ["", "a\ud83db\x00", "ภาษา", "<|endoftext|>" * 1000])
def test_every_text_comes_back(text):
    assert unpack(pack({"text": text})) == {"text": text}


@pytest.mark.parametrize(
    "change",
    [
        {"pairs": [[300, 97]]},
        {"pairs": [[97]]},
        {"pairs": "no"},
        {"counts": [1]},
        {"split_pattern": "(a"},
        {"special_tokens": {"<s>": 3}},
        {"special_tokens": {"": 999}},
        {"special_tokens": {"<s>": -1}},
        {"special_tokens": {"<s>": 2**40}},
        {"special_tokens": {f"<{i}>": 1000 + i for i in range(2000)}},
        {"pairs": [[97, 97], *([i, i] for i in range(256, 300))], "counts": [1] * 45, "n_tokens": [1] * 45},
        {"pairs": [[97, 98], *([i, 99] for i in range(256, 5000))], "counts": [1] * 4745, "n_tokens": [1] * 4745},
        {"n_tokens": [0] * 34},
        {"n_bytes": None},
        {"n_tokens": [float("inf")] * 3},
    ],
    ids=lambda change: json.dumps(change)[:30],
)
def test_a_damaged_record_is_refused_in_words(record, change):
    with pytest.raises(ValueError, match="damaged"):
        unpack_trained(pack(unpack(record.packed) | change))


@pytest.mark.parametrize(
    "packed",
    [
        "",
        "no!",
        "ไทย",
        "abcd",
        pack({"text": "abc"})[:-6],
        base64.urlsafe_b64encode(zlib.compress(b"[" * 100_000)).decode(),
        base64.urlsafe_b64encode(zlib.compress(b" " * 50_000_000)).decode(),
        base64.urlsafe_b64encode(zlib.compress(b"\xff{}")).decode(),
    ],
    ids=["empty", "no base 64", "thai", "no zlib", "cut short", "deep", "a bomb", "no utf-8"],
)
def test_what_was_never_packed_is_refused_in_words(packed):
    with pytest.raises(ValueError, match="damaged"):
        unpack(packed)
    with pytest.raises(ValueError, match="damaged"):
        unpack_trained(packed)
