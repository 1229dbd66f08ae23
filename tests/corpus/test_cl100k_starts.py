"""Texts cut all at once start their pretokens where the regular expression does, and are counted as it counts them."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from odd_texts import ODD

from tokviz.core.pretokens import pretokens, well_formed_text
from tokviz.corpus.cutting import joined_texts as module
from tokviz.corpus.cutting.cl100k_starts import cl100k_pretoken_starts
from tokviz.corpus.cutting.joined_texts import END, JoinedTexts

ASCII = "aAzZ'sSlLvVeErRdmt19!/\"( \t\n\r\x0b\x0c\x1c\x1f\x00\x7f"
NEAR = st.text(st.sampled_from(ASCII), max_size=30) | st.text(
    st.sampled_from(ASCII + "ſ٣²\x85\xa0\u2028\u3000กุ中ǅÿ\U00010400\U0001d7d8😀"), max_size=30
)
TEXTS = st.lists((NEAR | st.text(max_size=50)).map(well_formed_text).filter(bool), min_size=1, max_size=6)
NO_MORE = 0x32400  # no letter, number or space is beyond it
PLACES = ("a{}a ", "1{}11", " {}\n", "\n{} a", "'{}E", "'l{}")


def cut_at_once(texts):
    joined = JoinedTexts(texts)
    bounds = pairwise(cl100k_pretoken_starts(joined).tolist())
    return [joined.text[begin:end] for begin, end in bounds if joined.kinds[begin] != END]


def cut_one_by_one(texts):
    return [pretoken for text in texts for pretoken in pretokens(text, "cl100k")]


@pytest.mark.parametrize(
    ("around", "end"),
    [("a{}a ", NO_MORE), *(pytest.param(around, 0x110000, marks=pytest.mark.slow) for around in PLACES)],
)
def test_every_character_in_its_place(around, end):
    characters = [chr(i) for i in range(end) if not 0xD800 <= i < 0xE000]
    texts = ["".join(around.replace("{}", character) + "\0" for character in characters)]
    assert cut_at_once(texts) == cut_one_by_one(texts)


@given(TEXTS)
@example(["a\n \n  "])
@example(["!\n\n  \n x", "'ſx", " 's", "''s", "'llx'l"])
def test_any_texts(texts):
    assert cut_at_once(texts) == cut_one_by_one(texts)


def test_odd_texts():
    texts = [text for text in map(well_formed_text, ODD) if text]
    assert cut_at_once(texts) == cut_one_by_one(texts)
    for text in texts:
        assert cut_at_once([text]) == cut_one_by_one([text])


def counted(texts):
    joined = JoinedTexts(texts)
    counts = {}
    for pretoken, n in joined.pretokens_with_partial_counts(cl100k_pretoken_starts(joined)):
        counts[pretoken] = counts.get(pretoken, 0) + n
    return counts


@given(TEXTS)
@example(["a", "a\0", "aaaaaaaa", "aaaaaaaa\0", "a" * 15, "a" * 16, "a" * 17, "a" * 18, "a" * 17])
def test_counts_and_their_order_are_those_of_the_pretokens(texts):
    expected = Counter(cut_one_by_one(texts))
    assert counted(texts) == expected
    assert list(counted(texts)) == list(expected)


def test_pretokens_that_share_a_hash_are_told_apart(monkeypatch):
    monkeypatch.setattr(module, "_ODD", np.zeros(3, np.uint64))
    texts = ["to be or not to be", "to be"]
    assert counted(texts) == Counter(cut_one_by_one(texts))
    assert list(counted(texts)) == ["to", " be", " or", " not", " to"]
