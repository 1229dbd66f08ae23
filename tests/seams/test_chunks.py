"""Chunks of a text: at most N tokens each, nothing lost, an overlap as documented, and cuts where it pauses."""

import random
from itertools import islice, pairwise

import numpy as np
import pytest
import regex
from many_texts import many_texts
from odd_tokenizers import NORMALIZERS, random_tokenizer

import tokviz
from tokviz.core.spans import text_spans
from tokviz.families.teaching import list_tokenizer

GPT2 = tokviz.load("gpt2")


def check(text, tokenizer, tokens, overlap=0):
    chunks = list(tokviz.split(text, tokenizer, tokens=tokens, overlap=overlap))
    joined = ""
    for chunk in chunks:
        assert chunk.n_tokens == len(tokenizer.encode(chunk.text)) <= tokens
        assert type(chunk.char_start) is type(chunk.char_end) is int
        assert chunk.text == text[chunk.char_start : chunk.char_end]
        assert chunk.char_start <= len(joined) < chunk.char_end
        joined += chunk.text[len(joined) - chunk.char_start :]
    assert joined == text
    for before, chunk in pairwise(chunks):
        spans = text_spans(tokenizer, before.text)
        tails = np.searchsorted(spans.character_starts, spans.byte_starts[1:][-overlap:] if overlap else [])
        whole = [*(match.start() for match in regex.finditer(r"\X", before.text)), len(before.text)]
        places = [before.char_start + min(place for place in whole if place >= tail) for tail in tails]
        places.append(before.char_end)
        assert chunk.char_start in places
        for place in places[: places.index(chunk.char_start)]:  # which leave no room
            assert len(tokenizer.encode(text[place : before.char_end + 1])) > tokens


@pytest.mark.parametrize("n_texts", [40, pytest.param(2_000, marks=pytest.mark.slow)])
def test_every_chunk_fits_and_nothing_is_lost(n_texts):
    rng = random.Random(7)
    for text in islice(many_texts(), n_texts):
        tokens = rng.choice((8, 12, 40))
        check(text, GPT2, tokens, rng.choice((0, 0, 1, tokens // 2, tokens - 1)))


@pytest.mark.parametrize("n_tokenizers", [2, pytest.param(100, marks=pytest.mark.slow)])
def test_chunks_under_random_tokenizers(n_tokenizers):
    rng = random.Random(8)
    for _ in range(n_tokenizers):
        pattern, normalizer = rng.choice(["gpt2", "none", r"\w+|\W"]), rng.choice([*NORMALIZERS.values()])
        tokenizer = random_tokenizer(rng, "ab ก你👍.\n", pattern, normalizer, 30)
        for _ in range(4):
            text = "".join(rng.choices("ab ก你👍.\n", k=rng.choice((1, 30, 90))))
            tokens = rng.choice((14, 20))  # NFKC and a space in front make several tokens of a character
            check(text, tokenizer, tokens, rng.choice((0, 3, tokens - 1)))


def test_chunks_under_another_family_and_of_surrogates():
    check("the cat, the sat? " * 9, list_tokenizer("words", "the cat sat"), 5, 2)
    assert [chunk.text for chunk in tokviz.split("a\ud83d", GPT2, tokens=1)] == ["a", "\ufffd"]
    assert list(tokviz.split("", GPT2)) == []


@pytest.mark.parametrize(
    ("text", "tokens", "end"),
    [
        ("One two three four five.\n\nSix. Seven", 8, "five.\n\n"),
        ("One two three four. Five six seven", 7, "four."),
        ("one two three four\nfive six seven", 7, "four\n"),
        ("He said: “I see you now.” Then more and more", 11, "now.”"),
        ("one two three unbelievably", 3, " three"),
        ("ฉันไปตลาดเช้า แล้วกลับบ้านเย็น", 18, "เช้า"),
        ("今天天气很好。我们去公园散步", 11, "好。"),
        ("今天天气很好，我们去公园散步", 11, "好，"),
        ("aaaaa e\u0301\u0301\u0301\u0301\u0301\u0301 b", 7, "aaaaa "),
    ],
)
def test_a_chunk_ends_at_the_best_pause_near_its_end(text, tokens, end):
    first = next(tokviz.split(text, tokviz.load("cl100k_base"), tokens=tokens))
    assert first.text.endswith(end)


def test_a_far_pause_is_not_taken():
    first = next(tokviz.split("Yes. " + "word " * 30, GPT2, tokens=20))
    assert first.n_tokens == 20


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("a", {"tokens": 0}, "at least 1 token, not 0"),
        ("a", {"tokens": 4, "overlap": 4}, "below the 4 tokens of a chunk, not 4"),
        ("a", {"overlap": -1}, "not -1"),
    ],
)
def test_what_is_refused_at_once(text, options, reason):
    with pytest.raises(ValueError, match=reason):
        tokviz.split(text, GPT2, **options)


def test_a_character_that_does_not_fit_is_refused_with_what_it_takes():
    chunks = tokviz.split("ab 𓀀", GPT2, tokens=2)
    with pytest.raises(ValueError, match=r"'𓀀' at 3 takes 4 tokens: chunks must have at least 4, not 2"):
        list(chunks)


@pytest.mark.parametrize("unit", [")", "\n "])
def test_a_long_run_is_cut_in_linear_time(unit):
    """With a look back over the whole run at each place this takes minutes, and so the budget of the tests."""
    chunks = list(tokviz.split(unit * 30_000, GPT2, tokens=1_000))
    assert "".join(chunk.text for chunk in chunks) == unit * 30_000
