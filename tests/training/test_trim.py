"""A trimmed vocabulary gives its text the same tokens, and holds what these need and no more."""

import csv
import random
from io import StringIO

import pytest
from each import quick
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD
from odd_tokenizers import NORMALIZERS, random_tokenizer

import tokviz
from tokviz.core.samples import SAMPLES, sample
from tokviz.training.trim import id_map_csv

TEXTS = st.sampled_from(["a", "ab", "abc ", "aก", "the theory of tea"]).flatmap(st.text)


def assert_same_tokens(tokenizer, trimmed, text, **allowed):
    old, new = tokenizer.encode(text, **allowed), trimmed.tokenizer.encode(text, **allowed)
    assert [trimmed.ids[i] for i in old] == new
    assert tokenizer.tokens_bytes(old) == trimmed.tokenizer.tokens_bytes(new)


@given(TEXTS, st.sampled_from(["gpt2", "cl100k_base", "o200k_base", "trained"]))
def test_a_text_has_the_same_tokens(trained, text, name):
    tokenizer = trained if name == "trained" else tokviz.load(name)
    assert_same_tokens(tokenizer, tokviz.trim(tokenizer, text), text)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_keeps_all_tokens_that_its_merges_make_and_no_others(vocabulary, name):
    text = sample(name)
    trimmed = tokviz.trim(vocabulary, text)
    assert_same_tokens(vocabulary, trimmed, text)
    history = tokviz.trace(vocabulary, text)
    made = {int(vocabulary.merge_ids[gap]) for gap in history.gaps if gap >= 0}
    kept = {vocabulary.mergeable_ranks[token] for token in trimmed.tokenizer.mergeable_ranks if len(token) > 1}
    assert kept == made
    assert len(trimmed.tokenizer.merges) == len(made)  # each of them is made by one merge of two of the others


def test_odd_texts_have_the_same_tokens():
    trimmed = tokviz.trim(tokviz.load("o200k_base"), ODD)
    for text in ODD:
        assert_same_tokens(tokviz.load("o200k_base"), trimmed, text)


def test_ids_run_from_0_in_the_old_order_with_the_special_tokens_last(vocabulary):
    tokenizer, ids = tokviz.trim(vocabulary, sample("mixed"))
    plain = {old: new for old, new in ids.items() if old not in vocabulary.special_tokens.values()}
    assert list(plain.values()) == list(range(len(tokenizer.mergeable_ranks)))
    assert [*plain] == sorted(plain)
    first = len(plain)
    assert sorted(tokenizer.special_tokens.values()) == list(range(first, first + len(vocabulary.special_tokens)))
    assert all(ids[old] == tokenizer.special_tokens[token] for token, old in vocabulary.special_tokens.items())
    assert tokenizer.n_vocab == len(ids)


def test_special_tokens_in_the_text_are_plain_unless_allowed():
    gpt2, text = tokviz.load("gpt2"), "<|endoftext|>"
    plain, allowed = tokviz.trim(gpt2, text), tokviz.trim(gpt2, [text], allowed_special="all")
    assert_same_tokens(gpt2, plain, text)
    assert_same_tokens(gpt2, allowed, text, allowed_special="all")
    assert len(allowed.ids) == 257 < len(plain.ids)
    with pytest.raises(ValueError, match="'<s>' is not a special token of gpt2"):
        tokviz.trim(gpt2, text, allowed_special="<s>")


def test_a_token_that_no_merges_make_is_kept_where_it_is_a_whole_pretoken():
    ranks = {bytes([i]): i for i in range(256)} | {b"abc": 256, b"ab": 257, b"xy": 258, b"wxyz": 259}
    odd = tokviz.Tokenizer("odd", "gpt2", ranks)
    for text in ("abc", "abc abcd", "wxyz", "wxyz awxyz xy"):
        assert_same_tokens(odd, tokviz.trim(odd, text), text)
    assert list(tokviz.trim(odd, "wxyz").tokenizer.mergeable_ranks)[256:] == [b"wxyz"]


def test_an_extended_vocabulary_trims_to_what_its_text_needs():
    start = tokviz.load("gpt2")
    extended = tokviz.train(sample("thai"), vocab_size=len(start.mergeable_ranks) + 100, start=start)
    trimmed = tokviz.trim(extended, sample("thai"))
    assert_same_tokens(extended, trimmed, sample("thai"))
    assert trimmed.tokenizer.n_vocab < 1_000


def test_the_map_comes_as_csv():
    gpt2 = tokviz.load("gpt2")
    trimmed = tokviz.trim(gpt2, 'a "quoted, ก"\n\r')
    rows = list(csv.reader(StringIO(id_map_csv(gpt2, trimmed.ids), newline="")))
    assert rows[0] == ["old id", "new id", "token"]
    assert {int(old): int(new) for old, new, _ in rows[1:]} == trimmed.ids
    tokens = {int(old): token for old, _, token in rows[1:]}
    assert tokens[198] == "\n" and tokens[1] == '"' and "\\xb8" in tokens.values()


@pytest.mark.parametrize("name", quick(NORMALIZERS, "NFC", "each space, marks"))
@pytest.mark.parametrize("takes_whole", quick([False, True], False))
def test_tokenizers_that_change_texts_or_begin_with_characters_are_trimmed(name, takes_whole):
    rng, alphabet = random.Random(name), "aA e\u0301É>▁가\u1100\u1161Σ/\n"
    for pattern in ("sentencepiece", "o200k", "none"):
        tokenizer = random_tokenizer(
            rng, alphabet, pattern, NORMALIZERS[name], 40, special=["<s>", "<t>"], takes_whole=takes_whole
        )
        for _ in range(3):
            text = "".join(rng.choices([*alphabet, "<s>", "中"], k=rng.randint(0, 30)))
            for allowed in ({}, {"allowed_special": {"<s>"}}):
                trimmed = tokviz.trim(tokenizer, text, **allowed)
                assert_same_tokens(tokenizer, trimmed, text, **allowed)
                assert_same_tokens(tokenizer, tokviz.trim(tokenizer, [[*text]], **allowed), text, **allowed)
                made = trimmed.tokenizer
                assert sorted(trimmed.ids.values()) == list(range(made.n_vocab))
                assert made.tokens_bytes(trimmed.ids.values()) == tokenizer.tokens_bytes(trimmed.ids)
                assert made.decode(made.encode("x中é")) == tokenizer.decode(tokenizer.encode("x中é"))
                assert made.normalizer == tokenizer.normalizer and made.kind == tokenizer.kind
                assert len(id_map_csv(tokenizer, trimmed.ids).splitlines()) > 256
