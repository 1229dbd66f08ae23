"""Counting documents in blocks and in several processes equals cutting each document at once."""

import os
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from odd_texts import ODD

from tokviz import SPLIT_PATTERNS, counting
from tokviz.blocks import last_cut, texts_of
from tokviz.counting import batches, counted, merged_counts, pretoken_counts
from tokviz.pretokens import pretokens, split_special, well_formed

# White space and line ends of every kind, what clings to them, and a separator that Python calls white space.
TEXTS = st.text(st.sampled_from("aB1ก\u0e38中!/'s \t\n\r\x0b\x85\xa0\u2028\u3000\x1c<>"), max_size=30)
PATTERNS = [*SPLIT_PATTERNS, "[a-z]+", r"(?<=a)\s|.", "(a)|b"]
SPECIAL = ["<s>", "<s>a", "a <"]


def counted_at_once(documents, pattern, special=()):
    return Counter(
        pretoken
        for document in documents
        for part, is_special in split_special(well_formed(document), special)
        if not is_special
        for pretoken in pretokens(part, pattern)
    )


def assert_same(counts, expected):
    assert counts == expected
    assert list(counts) == list(expected)  # the order of first occurrence, by which ties are decided


def in_blocks(text, size):
    return [text[i : i + size] for i in range(0, len(text), size)]


@given(TEXTS, TEXTS, st.sampled_from([*SPLIT_PATTERNS]))
@example("!\n/a", "", "o200k")  # which takes slashes after line ends
def test_what_is_cut_off_keeps_its_pretokens_whatever_follows(text, more, pattern):
    cut = last_cut(text, pattern)
    assert pretokens(text[:cut], pattern) + pretokens(text[cut:] + more, pattern) == pretokens(text + more, pattern)


@given(TEXTS, st.sampled_from(PATTERNS), st.integers(1, 9), st.integers(1, 9), st.booleans())
def test_a_document_in_blocks_equals_the_document(text, pattern, size, enough, with_special):
    special = SPECIAL if with_special else []
    text = text.replace("<", "<s>" if with_special else "<")
    texts = texts_of(in_blocks(text, size), pattern, special_tokens=special, block=enough)
    assert_same(Counter(p for t in texts for p in pretokens(t, pattern)), counted_at_once([text], pattern, special))
    assert_same(
        pretoken_counts([in_blocks(text, size)], pattern, special_tokens=special),
        counted_at_once([text], pattern, special),
    )


@given(st.lists(TEXTS, max_size=5), st.sampled_from(PATTERNS))
def test_documents_equal_their_pretokens(documents, pattern):
    assert_same(pretoken_counts(documents, pattern), counted_at_once(documents, pattern))


@pytest.mark.parametrize("pattern", PATTERNS)
def test_odd_texts(pattern):
    assert_same(pretoken_counts(ODD, pattern), counted_at_once(ODD, pattern))


@pytest.mark.parametrize("pattern", ["cl100k", "gpt2"])
@pytest.mark.parametrize("text", ["one two. " * 1_500, "中文。\n" * 3_000, "x" * 9_000, "\n" * 9_000, " " * 9_000])
def test_long_documents_are_cut_where_the_pattern_allows_and_only_there(text, pattern):
    texts = list(texts_of(in_blocks(text, 500), pattern, block=1_000))
    assert "".join(texts) == text
    assert [p for some in texts for p in pretokens(some, pattern)] == pretokens(text, pattern)
    can_be_cut = " t" in text or ("\n中" in text)
    assert (max(map(len, texts)) < 2_000) == can_be_cut


def test_a_document_of_a_pattern_of_your_own_is_not_cut():
    assert [len(text) for text in texts_of(["one two. "] * 50, "[a-z]+", block=20)] == [450]


def test_several_processes_equal_one():
    documents = [f"{text} {i}" for i in range(40) for text in ODD]
    small = ((p for p in documents[i : i + 9]) for i in range(0, len(documents), 9))
    assert_same(
        pretoken_counts(small, "cl100k", workers=2),
        counted_at_once(["".join(documents[i : i + 9]) for i in range(0, len(documents), 9)], "cl100k"),
    )


@settings(max_examples=5)  # each starts two processes
@given(st.lists(TEXTS, max_size=9), st.integers(1, 20), st.sampled_from(PATTERNS))
def test_batches_counted_by_several_processes_equal_one_run(documents, size, pattern):
    split = batches([well_formed(document) for document in documents], size)
    assert_same(merged_counts(counted(split, pattern, workers=2)), counted_at_once(documents, pattern))


def test_batches_are_given_back_in_their_order():
    split = [[f"{i}"] for i in range(20)]
    assert [list(counts) for counts in counted(split, "none", workers=2)] == split


def killed(*_, **__):
    os._exit(9)


def test_a_process_that_is_killed_is_told(monkeypatch):
    monkeypatch.setattr(counting, "count_texts", killed)
    with pytest.raises(ValueError, match="fewer workers"):
        list(counted([["a"]] * 3, "none", workers=2))


def test_batches_hold_what_they_are_given():
    assert list(batches(["ab", "c", "", "d", "efgh"], 3)) == [["ab", "c"], ["", "d", "efgh"]]


@pytest.mark.parametrize("document", [b"bytes", 7, None])
def test_what_is_no_document_is_refused(document):
    with pytest.raises(ValueError, match="a document is a str"):
        pretoken_counts([document])
