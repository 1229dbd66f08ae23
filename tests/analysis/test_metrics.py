import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz import Tokenizer, load, text_spans, token_spans
from tokviz.analysis.metrics import agreement, metrics, n_words, share_of_whole_words
from tokviz.core.samples import sample


def test_figures_by_hand():
    figures = metrics("ab cd é", [1, 2, 2, 3])
    assert (figures.n_tokens, figures.n_distinct, figures.n_chars, figures.n_bytes) == (4, 3, 7, 8)
    assert (figures.bytes_per_token, figures.chars_per_token) == (2.0, 1.75)
    assert figures.compression_ratio == 2.0
    assert figures.fertility == 4 / 3


def test_empty_text():
    figures = metrics("", [])
    assert (figures.bytes_per_token, figures.chars_per_token, figures.fertility) == (0.0, 0.0, None)


def test_scripts_without_spaces_have_no_words():
    assert n_words(sample("thai")) is None
    assert n_words(sample("chinese")) is None
    assert n_words("a Thai word: ไทย, and English") == 6


@given(st.sets(st.integers(1, 20)), st.sets(st.integers(1, 20)))
def test_agreement_is_symmetric_and_one_for_equals(a, b):
    a, b = a | {21}, b | {21}
    assert agreement(a, b) == agreement(b, a)
    assert 0 <= agreement(a, b) <= 1
    assert (agreement(a, b) == 1) == (a == b)


def test_agreement_of_two_tokenizers():
    text = "3221 + 2334 = 5555"
    ends = {
        name: token_spans(load(name), load(name).encode(text)).byte_ends.tolist() for name in ("gpt2", "o200k_base")
    }
    shared = set(ends["gpt2"]) & set(ends["o200k_base"]) - {18}
    either = (set(ends["gpt2"]) | set(ends["o200k_base"])) - {18}
    assert agreement(*ends.values()) == len(shared) / len(either)


UNCUT = Tokenizer("none", "none", load("gpt2").mergeable_ranks)


@given(st.text(st.sampled_from("ab .\n\u3000你é😀"), max_size=40))
@pytest.mark.parametrize("name", ["gpt2", "none"])
def test_a_word_is_one_token_where_no_boundary_falls_inside(name: str, text: str):
    tokenizer = load("gpt2") if name == "gpt2" else UNCUT
    spans = text_spans(tokenizer, text)
    ends = set(spans.byte_ends.tolist())
    whole, byte, n = 0, 0, 0
    for word in re.split(r"(\s+)", text):
        inside = range(byte + 1, byte + len(word.encode()))
        byte += len(word.encode())
        if word.strip():
            n, whole = n + 1, whole + (not ends & set(inside))
    share = share_of_whole_words(spans)
    assert share is None if n_words(text) is None or not n else share == whole / n


def test_a_word_with_its_space_is_whole_and_one_with_a_comma_is_not():
    assert share_of_whole_words(text_spans(load("gpt2"), " the same, the same")) == 3 / 4
