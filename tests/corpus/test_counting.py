"""Counting documents in blocks and in several processes equals cutting each document at once."""

import sys
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from odd_texts import ODD
from processes import children_of

from tokviz import SPLIT_PATTERNS
from tokviz.core.cut_places import last_safe_cut
from tokviz.core.pretokens import pretokens, split_at_special_tokens, well_formed_text
from tokviz.corpus import counting
from tokviz.corpus.blocks import texts_to_pretokenize
from tokviz.corpus.counting import merged_counts, numbered_batch_counts, pretoken_counts, text_batches
from tokviz.system.child_pool import ChildPool

# White space and line ends of every kind, what clings to them, and a separator that Python calls white space.
TEXTS = st.text(st.sampled_from("aB1ก\u0e38中!/'s \t\n\r\x0b\x85\xa0\u2028\u3000\x1c<>"), max_size=30)
PATTERNS = [*SPLIT_PATTERNS, "[a-z]+", r"(?<=a)\s|.", "(a)|b"]
LONG = "".join(f"one two {i % 999}. " for i in range(40_000))
SPECIAL = ["<s>", "<s>a", "a <"]


def counted_at_once(documents, pattern, special=()):
    return Counter(
        pretoken
        for document in documents
        for part, is_special in split_at_special_tokens(well_formed_text(document), special)
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
    cut = last_safe_cut(text, pattern)
    assert pretokens(text[:cut], pattern) + pretokens(text[cut:] + more, pattern) == pretokens(text + more, pattern)


@given(TEXTS, st.sampled_from(PATTERNS), st.integers(1, 9), st.integers(1, 9), st.booleans())
def test_a_document_in_blocks_equals_the_document(text, pattern, size, enough, with_special):
    special = SPECIAL if with_special else []
    text = text.replace("<", "<s>" if with_special else "<")
    texts = texts_to_pretokenize(in_blocks(text, size), pattern, special_tokens=special, block=enough)
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
    texts = list(texts_to_pretokenize(in_blocks(text, 500), pattern, block=1_000))
    assert "".join(texts) == text
    assert [p for some in texts for p in pretokens(some, pattern)] == pretokens(text, pattern)
    can_be_cut = " t" in text or ("\n中" in text)
    assert (max(map(len, texts)) < 2_000) == can_be_cut


def test_a_document_of_a_pattern_of_your_own_is_not_cut():
    assert [len(text) for text in texts_to_pretokenize(["one two. "] * 50, "[a-z]+", block=20)] == [450]


def test_several_processes_equal_one():
    documents = [f"{text} {i}" for i in range(40) for text in ODD]
    small = ((p for p in documents[i : i + 9]) for i in range(0, len(documents), 9))
    assert_same(
        pretoken_counts(small, "cl100k", workers=2),
        counted_at_once(["".join(documents[i : i + 9]) for i in range(0, len(documents), 9)], "cl100k"),
    )


@pytest.mark.slow
@settings(max_examples=3)  # each starts two processes
@given(st.lists(TEXTS, max_size=9), st.integers(1, 20), st.sampled_from(PATTERNS))
def test_batches_counted_by_several_processes_equal_one_run(documents, size, pattern):
    split = text_batches([well_formed_text(document) for document in documents], size)
    assert_same(
        merged_counts(counts for _, counts in numbered_batch_counts(split, pattern, workers=2)),
        counted_at_once(documents, pattern),
    )


def test_batches_are_given_back_in_their_order():
    split = [[f"{i}"] for i in range(20)]
    assert [[number, *counts] for number, counts in numbered_batch_counts(split, "none", workers=2)] == [
        [number, *texts] for number, texts in enumerate(split)
    ]


def children():
    return children_of("tokviz.system.child_pool")


def test_a_process_that_is_killed_is_an_error_in_words():
    parts = numbered_batch_counts(([f"{i}"] for i in range(1_000_000)), "none", workers=2)
    next(parts)
    children()[0].kill()
    with pytest.raises(ValueError, match="fewer workers"):
        list(parts)
    assert not children()


def test_no_process_is_left_when_the_counting_is_given_up():
    parts = numbered_batch_counts(([f"{i}"] for i in range(1_000_000)), "none", workers=3)
    next(parts)
    assert 1 <= len(children()) <= 2
    parts.close()
    assert not children()


def test_an_interrupt_is_given_what_is_counted_so_far():
    numbers = []
    parts = numbered_batch_counts(([f"{i}"] for i in range(1_000_000)), "none", workers=2)
    numbers.append(next(parts)[0])
    with pytest.raises(KeyboardInterrupt):
        numbers.append(parts.throw(KeyboardInterrupt)[0])
        numbers += [number for number, _ in parts]
    assert list(dict.fromkeys(numbers)) == list(range(max(numbers) + 1))
    assert not children()


def test_where_no_process_can_be_started_this_one_counts_all(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    split = [[f"{i}"] for i in range(20)]
    assert [list(counts) for _, counts in numbered_batch_counts(split, "none", workers=3)] == split


@pytest.mark.slow
def test_what_a_process_refuses_is_refused():
    with pytest.raises(ValueError, match="did not end within"):
        list(numbered_batch_counts([["a" * 60 + "b"], ["a"]], "(a|aa)+$", workers=2))


@pytest.mark.parametrize(
    ("documents", "pattern", "alone", "n_shared"),
    [
        ([LONG], "cl100k", 0, 2),
        pytest.param([LONG], "gpt2", 0, 2, marks=pytest.mark.slow),
        pytest.param(["one two. ", LONG], r"\w+|\W", 0, 1, marks=pytest.mark.slow),  # a pattern that cannot be cut
        pytest.param([LONG], "cl100k", 60, 0, marks=pytest.mark.slow),
    ],
)
def test_only_what_takes_long_is_counted_by_several_processes(documents, pattern, alone, n_shared, monkeypatch):
    taken = []

    class NotedPool(ChildPool):
        def submit(self, function, batch, pattern):
            taken.append(batch)
            return super().submit(function, batch, pattern)

    monkeypatch.setattr(counting, "ChildPool", NotedPool)
    monkeypatch.setattr(counting, "ALONE", alone)
    monkeypatch.setattr(counting, "n_cores", lambda: 3)
    monkeypatch.setattr(counting, "SMALL_BATCH", 200_000)  # so that LONG makes several
    counts = pretoken_counts(documents, pattern, workers=None)
    assert len(taken) >= n_shared and bool(taken) == bool(n_shared)
    assert_same(counts, pretoken_counts(documents, pattern, workers=1))
    assert not children()


def test_counts_stay_inside_documents_and_outside_special_tokens():
    assert pretoken_counts(["ab", "ab<s>cd"], "none", special_tokens=["<s>"]) == {"ab": 2, "cd": 1}


def test_batches_hold_what_they_are_given():
    assert list(text_batches(["ab", "c", "", "d", "efgh"], 3)) == [["ab", "c"], ["", "d", "efgh"]]


@pytest.mark.parametrize("document", [b"bytes", 7, None])
def test_what_is_not_a_document_is_refused(document):
    with pytest.raises(ValueError, match="a document must be a str"):
        pretoken_counts([document])


@given(st.lists(TEXTS, max_size=3), st.sampled_from(PATTERNS))
def test_long_texts_without_a_place_to_cut_are_counted_alike(documents, pattern):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "SMALL_BATCH", 5)
        assert_same(pretoken_counts(documents, pattern), counted_at_once(documents, pattern))
