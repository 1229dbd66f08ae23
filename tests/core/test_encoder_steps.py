"""The rows of an encoding by hand end where the encoders end, and choose as the naive one does."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

from tokviz import load, trace, train
from tokviz.core.encoder_steps import encoding_steps
from tokviz.training.naive import naive_tokens

TEXTS = st.text(max_size=20) | st.sampled_from([" unbelievable", "ที่นี่น้ำ", "今天天气", "aaaaaaaa", "👩‍🍳", "12345"])


def rows(pretoken, tokenizer):
    return list(encoding_steps(pretoken, tokenizer))


def rows_equal_the_naive_encoders(piece, tokenizer):
    steps = rows(piece, tokenizer)
    ranks = tokenizer.mergeable_ranks
    assert [bytes([byte]) for byte in piece] == list(steps[0].tokens)
    for step, after in pairwise(steps):
        joined = [ranks.get(left + right) for left, right in pairwise(step.tokens)]
        assert [rank is None for rank in step.ranks] == [rank is None for rank in joined]
        assert step.ranks.index(min(rank for rank in step.ranks if rank is not None)) == step.winner
        # Where the naive encoder stands when it may go on to this merge, and no further.
        made = ranks[step.tokens[step.winner] + step.tokens[step.winner + 1]]
        assert naive_tokens(piece, ranks, below=made) == list(steps[_first_at(steps, rank_made(step))].tokens)
        left, right = step.tokens[: step.winner], step.tokens[step.winner + 2 :]
        assert after.tokens == (*left, step.tokens[step.winner] + step.tokens[step.winner + 1], *right)
    assert list(steps[-1].tokens) == naive_tokens(piece, ranks)
    assert steps[-1].winner is None
    return steps


def rank_made(step):
    return None if step.winner is None else step.ranks[step.winner]


def _first_at(steps, rank):
    return next(i for i, step in enumerate(steps) if rank_made(step) == rank)


@given(TEXTS, st.sampled_from(["gpt2", "cl100k_base", "trained"]))
def test_rows_equal_the_naive_encoder(trained, text, name):
    tokenizer = trained if name == "trained" else load(name)
    for pretoken in tokenizer.pretokens(text):
        rows_equal_the_naive_encoders(pretoken.encode(), tokenizer)


@pytest.mark.parametrize("text", ODD)
def test_the_ranks_of_the_rows_are_those_that_close_gaps(text, trained):
    for pretoken in trained.pretokens(text):
        steps = rows(pretoken.encode(), trained)
        closed = sorted(rank for rank in trace(trained, pretoken).gaps.tolist() if rank >= 0)
        assert sorted(map(rank_made, steps[:-1])) == closed


def test_of_equal_ranks_the_leftmost_wins():
    assert len(rows(b"aaaa", load("gpt2").truncated(0))) == 1
    toy = train("aaaa", vocab_size=257, split_pattern="none")
    assert [(step.tokens, step.winner) for step in rows(b"aaaa", toy)] == [
        ((b"a",) * 4, 0),
        ((b"aa", b"a", b"a"), 1),
        ((b"aa", b"aa"), None),
    ]
