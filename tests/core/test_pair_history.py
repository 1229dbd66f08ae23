"""Pairs at any step, with multiplicities, equal a naive count; ties go to the first in the text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD
from vocabularies import NAMES

import tokviz
from tokviz.core.pair_history import PairHistory
from tokviz.core.samples import SAMPLES, sample
from tokviz.corpus.counting import pretoken_counts
from tokviz.training.naive import merged_tokens, pair_counts

ALL_ROWS = 10**6


def naive_table(pretokens, tokenizer, k):
    """Return [(pair, count)], the most frequent first, of equal ones the first in the text."""
    cut = tokenizer.truncated(k)
    counts = pair_counts([cut.encode(pretoken) for pretoken in pretokens])
    return sorted(counts.items(), key=lambda item: -item[1])


def as_table(table):
    return [(row.pair, row.count) for row in table.rows]


@given(st.lists(st.sampled_from(["low", " lower", " new", "aaaa", "ab", "กา", "你好"]), max_size=30), st.data())
def test_tables_equal_a_naive_count_over_the_corpus(pretokens, data):
    steps = list(tokviz.train_steps(pretokens, vocab_size=256 + 12, split_pattern="none"))
    tokenizer = tokviz.Tokenizer.from_steps(steps, split_pattern="none")
    k = data.draw(st.integers(0, len(steps)))
    history = PairHistory.of_counts(pretoken_counts(pretokens, "none"), tokenizer)
    naive = naive_table(pretokens, tokenizer, k)
    table = history.top_pair_table(k, n_rows=ALL_ROWS)
    assert as_table(table) == naive
    assert table.n_pairs == len(naive)
    assert table.n_tied == sum(count == naive[0][1] for _, count in naive)
    if k < len(steps):
        assert (table.rows[0].pair, table.rows[0].count) == (steps[k].pair, steps[k].count)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_first_row_is_what_training_chose(name):
    counts = pretoken_counts([sample(name)])
    steps = list(tokviz.train_steps(sample(name), vocab_size=450))
    tokenizer = tokviz.Tokenizer.from_steps(steps, split_pattern="cl100k")
    history = PairHistory.of_counts(counts, tokenizer)
    for step in steps[::7]:
        best = history.top_pair_table(step.rank, n_rows=1).rows[0]
        assert (best.pair, best.count) == (step.pair, step.count)


@pytest.mark.parametrize("name", ["trained", *NAMES])
def test_tables_of_a_text_equal_a_naive_count(name, trained):
    tokenizer = trained if name == "trained" else tokviz.load(name)
    text = sample("mixed")[:1500] + "".join(ODD)
    history = PairHistory.of_trace(tokviz.trace(tokenizer, text))
    rng = np.random.default_rng(7)
    for k in [0, *rng.integers(0, len(tokenizer.merge_tokens), 5).tolist()]:
        naive = naive_table(tokenizer.pretokens(text), tokenizer, k)
        assert as_table(history.top_pair_table(k, n_rows=ALL_ROWS)) == naive
        pair, count = naive[len(naive) // 2]
        assert history.top_pair_table(k, n_rows=1, chosen=pair).chosen.count == count
        assert history.top_pair_table(k, n_rows=1, chosen=(0, 10**6)).chosen is None


def test_texts_without_a_pair():
    gpt2 = tokviz.load("gpt2")
    for text in ("", "a", "a.b"):
        assert PairHistory.of_trace(tokviz.trace(gpt2, text)).top_pair_table(0, n_rows=5).rows == ()
    assert PairHistory.of_counts({}, gpt2).top_pair_table(3, n_rows=5).n_pairs == 0


def test_the_naive_merge_leads_from_one_table_to_the_next():
    ids = list(b"aaabdaaabac")
    tokenizer = tokviz.train("aaabdaaabac", vocab_size=259, split_pattern="none")
    history = PairHistory.of_counts({"aaabdaaabac": 1}, tokenizer)
    for k, pair in enumerate(tokenizer.merges):
        assert as_table(history.top_pair_table(k, n_rows=9)) == sorted(
            pair_counts([ids]).items(), key=lambda item: -item[1]
        )
        ids = merged_tokens(ids, pair, 256 + k)
