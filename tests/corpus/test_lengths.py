"""The figures of document lengths, against those of the list of all lengths."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz.corpus.lengths import LONGEST, WINDOW, DatasetTokens, bin_number, length_range_of_bin

lengths = st.lists(st.integers(0, 40) | st.integers(0, 200_000), min_size=1, max_size=60)


def counted(found: list[int]) -> DatasetTokens:
    tokens = DatasetTokens()
    for line, length in enumerate(found, 1):
        tokens.add_document("a.jsonl", line, {"prompt": length // 3, "completion": length - length // 3})
    return tokens


@given(lengths, st.integers(1, 100))
def test_figures_are_those_of_the_list_of_lengths(found, percent):
    tokens = counted(found)
    assert (tokens.n_documents, tokens.n_tokens) == (len(found), sum(found))
    assert (tokens.shortest, tokens.longest) == (min(found), max(found))
    assert tokens.length_percentile(percent) == np.percentile(found, percent, method="inverted_cdf")
    below = sum(length <= tokens.length_percentile(percent) for length in found)
    assert 100 * below >= percent * len(found)
    assert sum(tokens.by_part.values()) == sum(found)


@given(lengths, st.integers(1, 100_000))
def test_truncation_loses_what_lies_behind_the_window(found, window):
    cut = counted(found).truncation(window)
    assert cut.n_documents == sum(length > window for length in found)
    assert cut.n_tokens == sum(found) - sum(min(length, window) for length in found)


@given(lengths)
def test_every_document_is_in_the_bin_of_its_length(found):
    histogram = counted(found).length_histogram()
    assert histogram == {(first, last): sum(first <= length <= last for length in found) for first, last in histogram}
    assert sum(histogram.values()) == len(found)
    bins = list(histogram)
    assert all(before[1] + 1 == after[0] for before, after in pairwise(bins))
    assert histogram[bins[0]] and histogram[bins[-1]]


@given(st.integers(0, 2**40))
def test_a_bin_holds_its_lengths_and_ends_at_a_power_of_two(length):
    first, last = length_range_of_bin(bin_number(length))
    assert first <= length <= last and (last == 0 or last & (last - 1) == 0)


@given(lengths)
def test_the_longest_documents_are_the_first_of_the_sorted_list(found):
    expected = sorted(enumerate(found, 1), key=lambda each: (-each[1], each[0]))[:LONGEST]
    assert [(each.line, each.n_tokens) for each in counted(found).longest_documents()] == expected


def test_no_documents_have_no_lengths():
    tokens = DatasetTokens()
    assert (tokens.shortest, tokens.length_percentile(50), tokens.longest) == (None, None, None)
    assert tokens.length_histogram() == {} and tokens.longest_documents() == []
    assert tokens.truncation(WINDOW).n_tokens == 0


def test_a_window_without_a_token_is_refused():
    with pytest.raises(ValueError, match="at least 1 token, not 0"):
        counted([1]).truncation(0)
