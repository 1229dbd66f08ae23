"""Merges that begin with characters, in an order other than that of ids, held against an encoder by hand."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz import Tokenizer, text_spans, trace
from tokviz.core.bpe import FROM_START, parents, parents_of_all, tokens
from tokviz.core.encoder_steps import encoding_steps
from tokviz.core.normalizer import Normalizer
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.pair_history import PairHistory

ALPHABET = "aé中😀 "
CHARACTERS = st.sets(st.sampled_from(ALPHABET))
MERGES = st.lists(st.text(ALPHABET, min_size=2, max_size=5), unique=True, max_size=10)
SIZES = st.lists(st.integers(1, 3), max_size=10)
TEXT = st.text(ALPHABET + "bß", max_size=20)


def groups_of(merges, sizes):
    """Cut a list into groups of these sizes, and into single ones after them."""
    groups, rest = [], merges
    for size in sizes:
        groups, rest = [*groups, rest[:size]], rest[size:]
    return [[token.encode() for token in group] for group in [*groups, *([one] for one in rest)] if group]


def made_of(characters, groups, *, takes_whole=False, **options):
    """Return a tokenizer whose ids are in no order: merges from 500 down, characters from 600 on, bytes from 1,000."""
    byte_ids = range(1_000, 1_256)
    ids = {token: 500 - i for i, token in enumerate(t for group in groups for t in group)}
    ids |= {c.encode(): 600 + i for i, c in enumerate(sorted(characters))}
    ids = {bytes([i]): byte_id for i, byte_id in enumerate(byte_ids)} | ids
    ranks = OrderedRanks(ids, groups, starts_with_characters=True, byte_ids=byte_ids)
    return Tokenizer("odd", r" *[^ ]+| +", ranks, {"<s>": 7}, (), takes_whole, **options)


def naive_tokens(pretoken, characters, order):
    """Return the tokens of a pretoken by hand: of pairs that are tokens the first in order, the leftmost of equals."""
    parts = []
    for c in pretoken:
        parts += [c.encode()] if c in characters else [bytes([b]) for b in c.encode()]
    while True:
        found = [(order[a + b], i) for i, (a, b) in enumerate(pairwise(parts)) if a + b in order]
        if not found:
            return parts
        i = min(found)[1]
        parts[i : i + 2] = [parts[i] + parts[i + 1]]


def naive_encoding(tokenizer, characters, text, groups, *, k):
    order = {token: i for i, group in enumerate(groups) for token in group}
    order = {token: i for token, i in order.items() if tokenizer.mergeable_ranks.order[token] < k}
    found = []
    for pretoken in tokenizer.pretokens(text):
        whole = pretoken.encode()
        is_taken = tokenizer.takes_whole and whole in order
        found += [whole] if is_taken else naive_tokens(pretoken, characters, order)
    return found


@given(CHARACTERS, MERGES, TEXT, st.booleans())
def test_every_step_is_the_encoding_under_the_vocabulary_cut_there(characters, merges, text, takes_whole):
    groups = groups_of(merges, [])
    tokenizer = made_of(characters, groups, takes_whole=takes_whole)
    history = trace(tokenizer, text)
    for k in range(len(merges) + 1):
        expected = naive_encoding(tokenizer, characters, text, groups, k=k)
        assert [history.data[a:b] for a, b in pairwise([0, *history.tokens_at(k)])] == expected
        assert history.ids_at(k) == [tokenizer.mergeable_ranks[token] for token in expected]
        assert history.curve()[k] == len(expected)
        table = PairHistory.of_trace(history).top_pair_table(k, n_rows=99)
        ends = [*np.cumsum([len(token) for token in expected])]
        pairs = [*pairwise(history.ids_at(k))]
        within = [pair for pair, end in zip(pairs, ends, strict=False) if end not in history.pretoken_ends]
        assert {row.pair: row.count for row in table.rows} == {pair: within.count(pair) for pair in within}
    assert tokenizer.encode(text) == history.ids_at(len(merges))
    assert tokenizer.truncated(len(merges) // 2).encode(text) == history.ids_at(len(merges) // 2)


@given(CHARACTERS, MERGES, SIZES)
def test_parents_of_all_are_those_of_each(characters, merges, sizes):
    ranks = made_of(characters, groups_of([*merges, *characters], sizes)).mergeable_ranks
    assert [*parents_of_all(ranks.merge_tokens, ranks)] == [parents(token, ranks) for token in ranks.merge_tokens]


@given(CHARACTERS, MERGES, SIZES, TEXT)
def test_equal_merges_are_made_from_the_left(characters, merges, sizes, text):
    groups = groups_of(merges, sizes)
    tokenizer = made_of(characters, groups)
    history = trace(tokenizer, text)
    unusual = {(one.byte_start, one.byte_end): one for one in history.unusual()}
    for k in (sum(map(len, groups[:n])) for n in range(len(groups) + 1)):  # equals come at one step
        expected = naive_encoding(tokenizer, characters, text, groups, k=k)
        assert history.ids_at(k) == [tokenizer.mergeable_ranks[token] for token in expected]
        for start, end in pairwise([0, *history.tokens_at(k)]):
            made_by = max(history.gaps[start : end - 1].tolist(), default=FROM_START)
            own = tokenizer.merge_rank(tokenizer.mergeable_ranks[history.data[start:end]])
            assert own == (None if made_by < 0 else made_by) or (start, end) in unusual


@given(st.integers(1, 90))
def test_a_run_of_equals_grows_from_the_left_for_tiktoken_too(n):
    groups = [[b" a"], [b" " * size for size in (2, 3, 4, 5, 7)]]
    tokenizer = made_of(" a", groups)
    text = " " * n + "a" + " " * n
    assert tokenizer.encode(text) == trace(tokenizer, text).ids_at(99)


@given(CHARACTERS, MERGES, TEXT)
def test_trees_steps_and_reasons_agree(characters, merges, text):
    tokenizer = made_of(characters, groups_of(merges, []))
    history = trace(tokenizer, text)
    for i, (start, end) in enumerate(pairwise([0, *history.ends])):
        tree = history.merge_tree(i)
        assert (tree.left is None) == tokenizer.mergeable_ranks.is_symbol(history.data[start:end])
        assert tree.left is None or tokenizer.merge_pair(tree.rank) == (tree.left.token_bytes, tree.right.token_bytes)
    for i in range(len(history.ends) - 1):
        why = history.why_not(i)
        assert why.reason == "pretoken boundary" or (why.lost is None) == (why.reason == "no merge")
    for pretoken in tokenizer.pretokens(text):
        *_, last = encoding_steps(pretoken.encode(), tokenizer)
        assert [tokenizer.mergeable_ranks[t] for t in last.tokens] == tokenizer.encode_pretoken(pretoken)
    assert pickle.loads(pickle.dumps(tokenizer)) == tokenizer
    assert text_spans(tokenizer, text).ids.tolist() == tokenizer.encode(text)


def test_the_facts_of_a_small_vocabulary():
    tokenizer = made_of("aé", [["é".encode() + b"a"]])
    assert tokenizer.kind == "BPE with byte fallback" and tokenizer.starts_with_characters
    assert trace(tokenizer, "éa中").gaps.tolist() == [FROM_START, 0, -1, -1, -1]
    assert tokenizer.decode(tokenizer.encode("éa中")) == "éa中"
    unused = tokenizer.mergeable_ranks.byte_ids[ord("a")]
    assert tokenizer.token_bytes(unused) == b"a" and tokenizer.encode("a") != [unused]
    assert tokens("中é".encode()[:4], tokenizer.mergeable_ranks, below=9) == [b"\xe4", b"\xb8", b"\xad", b"\xc3"]
    assert tokenizer.merge_rank(500) == 0 and tokenizer.merge_rank(600) is None


def test_an_id_given_to_a_byte_and_to_a_token_is_refused():
    ranks = OrderedRanks({bytes([i]): i for i in range(256)} | {b"a": 300}, [], byte_ids=range(256))
    with pytest.raises(ValueError, match="id 97 is given"):
        Tokenizer("twice", "none", ranks, {"<s>": 97})


@given(CHARACTERS, MERGES, st.text("aé中 e\u0301▁", max_size=20), st.sampled_from(["", "first", "each"]), st.booleans())
def test_tokens_of_a_changed_text_lead_back_to_it(characters, merges, text, prefix, marks):
    normalizer = Normalizer("NFC", marks_are_spaces=marks, prefix=prefix)
    tokenizer = made_of(characters, groups_of(merges, []), normalizer=normalizer)
    spans = text_spans(tokenizer, text)
    assert spans.text == text and spans.ids.tolist() == tokenizer.encode(text)
    assert list(tokenizer.encode_iter([text, text]))[1].tolist() == tokenizer.encode(text)
    assert [int(spans.byte_starts[0]), int(spans.byte_ends[-1])] == [0, len(text.encode())] if text else not len(spans)
    assert (spans.byte_starts[1:] == spans.byte_ends[:-1]).all()
    changed, sources = tokenizer.normalized(text)
    assert changed == tokenizer.decode(tokenizer.encode(text))
    assert (sources is None) == (changed == text)
