from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

import tokviz
from tokviz.core.bpe import ranks_from_merges
from tokviz.core.pretokens import well_formed_text
from tokviz.corpus.counting import pretoken_counts
from tokviz.vocabulary.usage import usage_of_pretoken_counts, usage_of_texts


def n_split(tokenizer, text):
    """Return how many characters of a text a token ends inside of."""
    ends = tokviz.trace(tokenizer, text).ends
    starts = [0]
    for character in well_formed_text(text):
        starts.append(starts[-1] + len(character.encode()))
    return sum(any(start < end < stop for end in ends) for start, stop in pairwise(starts))


@given(st.lists(st.sampled_from(["low ", "ก", "中", "😀a", "\n", *ODD]), max_size=8))
def test_usage_is_what_encoding_gives(trained, documents):
    counts = pretoken_counts(documents, trained.split_pattern)
    figures = usage_of_pretoken_counts(trained, counts)
    ids = [token_id for document in documents for token_id in trained.encode(document)]
    assert figures.n_tokens == len(ids)
    assert figures.n_used == len(set(ids))
    assert figures.n_used + figures.n_unused == len(trained.mergeable_ranks)
    assert figures.n_chars == sum(len(well_formed_text(document)) for document in documents)
    assert figures.n_split == sum(n_split(trained, document) for document in documents)


def test_usage_counts_split_characters():
    figures = usage_of_pretoken_counts(tokviz.load("gpt2"), {" กa": 3, "é": 2})
    assert (figures.n_chars, figures.n_split, figures.split) == (11, 3, (("ก", 3),))


def test_a_pretoken_is_not_cut_again_where_the_pattern_looks_around():
    tokenizer = tokviz.Tokenizer("toy", "(?<=a)b+|(?s:.)", ranks_from_merges([(98, 98)]))
    counts = pretoken_counts(["abb"], tokenizer.split_pattern)
    figures = usage_of_pretoken_counts(tokenizer, counts)
    assert (figures.n_tokens, figures.n_used) == (len(tokenizer.encode("abb")), 2) == (2, 2)


@given(st.lists(st.sampled_from(["low ", "ก", "中", "😀a", "\n", *ODD]), max_size=8))
def test_usage_by_places_is_usage_by_counts(trained, documents):
    by_counts = usage_of_pretoken_counts(trained, pretoken_counts(documents, trained.split_pattern))
    by_places = usage_of_texts(trained, documents)
    assert dict(by_places.split) == dict(by_counts.split) or len(by_counts.split) == 10
    assert replace(by_places, split=()) == replace(by_counts, split=())
