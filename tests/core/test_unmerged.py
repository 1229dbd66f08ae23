"""Vocabularies with tokens that no merge makes, or that a token of higher rank makes, as Llama 3 and Qwen 3.5 have."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokviz
from tokviz import Tokenizer, trace
from tokviz.core.pair_history import PairHistory
from tokviz.core.relatives import merge_tree, tokens_made_directly_from
from tokviz.formats.python_code import Example, tiktoken_code_if_equivalent
from tokviz.live.views.merge_steps import upcoming_rank
from tokviz.seams.canonical import canonical
from tokviz.seams.settled_tokens import settled
from tokviz.training.naive import naive_tokens
from tokviz.training.trim import trim
from tokviz.vocabulary.reach import NEVER, reach_by_token_id

BYTES = {bytes([i]): i for i in range(256)}
TOKENS = st.lists(st.text("ab", min_size=2, max_size=6), unique=True, max_size=12)
TEXT = st.text("ab c", max_size=24)


def made_of(tokens: list[str], *, takes_whole: bool = True) -> Tokenizer:
    return Tokenizer(
        "odd", r"[ab]+|[^ab]", BYTES | {t.encode(): 256 + i for i, t in enumerate(tokens)}, (), (), takes_whole
    )


def naive_encoding(tokenizer: Tokenizer, text: str, k: int) -> list[bytes]:
    """Return the tokens of a text under the vocabulary cut to the first k merges, by hand."""
    ranks = {token: rank for token, rank in tokenizer.mergeable_ranks.items() if rank < 256 + k}
    found = []
    for pretoken in tokenizer.pretokens(text):
        piece = pretoken.encode()
        is_taken = tokenizer.takes_whole and piece in ranks
        found += [piece] if is_taken else naive_tokens(piece, ranks)
    return found


@given(TOKENS, TEXT, st.booleans())
def test_every_step_of_a_trace_is_the_encoding_under_the_vocabulary_cut_there(tokens, text, takes_whole):
    tokenizer = made_of(tokens, takes_whole=takes_whole)
    history = trace(tokenizer, text)
    for k in range(len(tokens) + 1):
        expected = naive_encoding(tokenizer, text, k)
        assert [history.data[a:b] for a, b in pairwise([0, *history.tokens_at(k)])] == expected
        assert history.ids_at(k) == [tokenizer.mergeable_ranks[token] for token in expected]
        assert history.curve()[k] == len(expected)
        counted = PairHistory.of_trace(history).top_pair_table(k, n_rows=99)
        pairs = [*pairwise(history.ids_at(k))]
        ends = [*np.cumsum([len(token) for token in expected])]
        within = [pair for pair, end in zip(pairs, ends, strict=False) if end not in history.pretoken_ends]
        assert {row.pair: row.count for row in counted.rows} == {pair: within.count(pair) for pair in within}
    assert tokenizer.encode(text) == history.ids_at(len(tokens))
    assert tokenizer.truncated(len(tokens) // 2).encode(text) == history.ids_at(len(tokens) // 2)


@given(TOKENS, TEXT, st.booleans())
def test_trees_reasons_and_relatives_agree_with_the_merges(tokens, text, takes_whole):
    tokenizer = made_of(tokens, takes_whole=takes_whole)
    history = trace(tokenizer, text)
    for i, (start, end) in enumerate(pairwise([0, *history.ends])):
        tree, pair = history.merge_tree(i), None
        if end - start > 1:
            pair = tokenizer.merge_pair(tree.rank)
            assert tokenizer.merge_tokens[tree.rank] == tree.token_bytes
        assert (tree.token_bytes in tokenizer.unmerged) == (pair is None and end - start > 1)
        if pair:
            assert (tree.left.token_bytes, tree.right.token_bytes) == pair
            assert all(tree.token_bytes in tokens_made_directly_from(tokenizer, part) for part in pair)
    for i in range(len(history.ends) - 1):
        why = history.why_not(i)
        assert why.reason == "pretoken boundary" or (why.lost is None) == (why.reason == "no merge")
        if why.lost:  # what came first is of no higher rank, whatever it was made of
            assert why.lost.taken_rank <= why.lost.rank


@given(TOKENS, TEXT, st.booleans())
def test_trimming_keeps_the_tokens_of_a_text(tokens, text, takes_whole):
    tokenizer = made_of(tokens, takes_whole=takes_whole)
    trimmed = trim(tokenizer, text)
    assert trimmed.tokenizer.encode(text) == [trimmed.ids[token_id] for token_id in tokenizer.encode(text)]


@given(TOKENS, st.lists(st.integers(0, 11), max_size=9))
def test_ids_that_are_not_canonical_have_a_reason(tokens, drawn):
    tokenizer = made_of(tokens)
    ids = [256 + i if i < len(tokens) else 97 + i % 2 for i in drawn]
    found = canonical(tokenizer, ids)
    assert found.canonical == tokenizer.encode(tokenizer.decode(ids))
    assert found.is_canonical == (not found.differences)


@pytest.mark.parametrize("takes_whole", [pytest.param(True, marks=pytest.mark.slow), False])
def test_an_audit_proves_that_what_is_not_taken_whole_never_occurs(takes_whole):
    tokenizer = made_of(["abab"], takes_whole=takes_whole)
    assert (reach_by_token_id(tokenizer)[256].reach == NEVER) != takes_whole
    assert tokenizer.encode("abab abab") == ([256, 32, 256] if takes_whole else [97, 98, 97, 98, 32, 97, 98, 97, 98])
    assert tokenizer.encode("ababab") == [97, 98] * 3 and tokenizer.merges == []
    assert tokenizer != made_of(["abab"], takes_whole=not takes_whole)


@given(TOKENS, TEXT, st.booleans())
def test_what_is_unusual_is_all_that_ranks_of_gaps_do_not_tell(tokens, text, takes_whole):
    tokenizer = made_of(tokens, takes_whole=takes_whole)
    history = trace(tokenizer, text)
    unusual = {(one.byte_start, one.byte_end): one for one in history.unusual()}
    for k in range(len(tokens) + 1):
        for start, end in pairwise([0, *history.tokens_at(k)]):
            made_by = max(history.gaps[start : end - 1].tolist(), default=None)
            token_id, one = tokenizer.mergeable_ranks[history.data[start:end]], unusual.get((start, end))
            own = tokenizer.merge_rank(token_id)
            assert one is None or one.token_id == token_id
            assert made_by == own or (one and one.middle and history.gaps[one.middle - 1] == made_by > own)
            if own is not None and tokenizer.merge_pair(own) is None:
                assert one and one.middle is None


@pytest.mark.parametrize("takes_whole", [True, False])
def test_what_can_still_change_a_token_is_found_by_what_encoding_does(takes_whole):
    tokenizer = made_of(["abb"], takes_whole=takes_whole).with_special_tokens({}, name="odd")
    named = Tokenizer("odd", "cl100k", tokenizer.mergeable_ranks, takes_whole=takes_whole)
    assert {seam.continuation for seam in settled(named, "ab").seams} == {"b" if takes_whole else None}
    assert (named.encode("abb") == [256]) == takes_whole
    assert tiktoken_code_if_equivalent(Example(named, "text", "abb")) is None or takes_whole


def test_a_token_that_is_taken_whole_before_merges_make_it_is_no_merge_to_guess():
    tokenizer = made_of(["aba", "ab"])
    assert upcoming_rank(trace(tokenizer, "aba"), 0, source="elsewhere") == 2
    assert upcoming_rank(trace(tokenizer, "abab"), 0, source="elsewhere") == 1


def test_of_the_merges_that_ids_lack_the_first_is_named():
    tokenizer = Tokenizer("odd", "none", BYTES | {b"abc": 256, b"bc": 257})
    [difference] = canonical(tokenizer, [97, 98, 99, 97]).differences
    assert difference.merged == (b"b", b"c")


def test_a_token_may_be_made_of_one_of_higher_rank():
    tokenizer = made_of(["aba", "ab"])
    assert tokenizer.merge_tokens == [b"aba", b"ab"] and tokenizer.merges == [(257, 97), (97, 98)]
    assert trace(tokenizer, "abab").gaps.tolist() == [1, 1, -1]
    assert trace(tokenizer, "aba").gaps.tolist() == [0, 0]  # which is taken whole as soon as it is a token
    assert merge_tree(tokenizer, b"aba").left.token_bytes == b"ab"
    assert tokviz.trim(tokenizer, "abab").tokenizer.n_vocab == 258
