import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

import tokviz
from tokviz import load, token_spans, trace
from tokviz.core.relatives import merge_tree
from tokviz.core.samples import SAMPLES, sample

ODD_PIECES = [
    *("the ", " bread", "กา", "ที่", "你好", "aaaa", "12345", "👩‍🍳", "\n  "),
    *("<|endoftext|>", "<s>"),
]
PIECES = st.lists(st.sampled_from(ODD_PIECES) | st.text(max_size=8), max_size=12).map("".join)
NAMES = ["gpt2", "cl100k_base", "o200k_base"]


@pytest.fixture(scope="session")
def tokenizers(trained):
    return {name: load(name) for name in NAMES} | {"trained": trained}


@given(PIECES, st.sampled_from([*NAMES, "trained"]))
def test_ends_equal_the_encoders(tokenizers, text, name):
    tokenizer = tokenizers[name]
    history = trace(tokenizer, text, allowed_special="all")
    ids = tokenizer.encode(text, allowed_special="all")
    assert history.ends == token_spans(tokenizer, ids).byte_ends.tolist()
    assert history.ids_at(len(tokenizer.merge_tokens)) == ids
    assert history.gaps.dtype == np.int32
    assert len(history.gaps) == max(0, len(history.data) - 1)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name != "gpt2")) for name in NAMES] + ["trained"]
)
def test_cutting_the_vocabulary_agrees_with_tokens_at(tokenizers, name):
    tokenizer = tokenizers[name]
    n_merges = len(tokenizer.merge_tokens)
    text = "".join(map(sample, SAMPLES)) + "<|endoftext|><s>x" + "".join(ODD)
    history = trace(tokenizer, text, allowed_special="all")
    rng = np.random.default_rng(5)
    for k in [0, 1, n_merges, *rng.integers(0, n_merges, 6).tolist()]:
        cut = tokenizer.truncated(k)
        ids = cut.encode(text, allowed_special="all")
        assert history.tokens_at(k) == token_spans(cut, ids).byte_ends.tolist()
        assert history.ids_at(k) == ids
        assert history.curve()[k] == len(ids)


def walk(node):
    if node.left is None:
        return [node]
    for part in (node.left, node.right):
        assert part.rank is None or part.rank < node.rank
    return walk(node.left) + walk(node.right)


def test_a_merge_tree_leads_to_the_bytes_of_its_token(tokenizers):
    text = sample("mixed")
    for tokenizer in tokenizers.values():
        history = trace(tokenizer, text)
        for i in range(0, len(history.ends), 23):
            tree = history.merge_tree(i)
            leaves = walk(tree)
            assert all(len(leaf.token_bytes) == 1 for leaf in leaves)
            assert b"".join(leaf.token_bytes for leaf in leaves) == tree.token_bytes
            if tree.rank is not None:
                assert tokenizer.merge_pair(tree.rank) == (tree.left.token_bytes, tree.right.token_bytes)


def test_a_merge_tree_may_be_deeper_than_the_stack_of_python():
    ranks = {bytes([i]): i for i in range(256)}
    n = 1_390
    token = b"<" + b"b" * n
    ranks |= {token[: i + 2]: 256 + i for i in range(n)}
    tokenizer = tokviz.Tokenizer("deep", "none", ranks)
    for tree in (trace(tokenizer, token.decode()).merge_tree(0), merge_tree(tokenizer, token)):
        assert (tree.token_bytes, tree.rank) == (token, n - 1) and "MergeNode" in repr(tree) and tree == tree
        for rank in range(n - 1, -1, -1):
            assert (tree.rank, tree.right.token_bytes) == (rank, token[rank + 1 : rank + 2])
            tree = tree.left
        assert (tree.rank, tree.token_bytes, tree.byte_start, tree.byte_end) == (None, token[:1], 0, 1)


def test_why_not_gives_each_reason():
    gpt2 = load("gpt2")
    assert trace(gpt2, "two words").why_not(0).reason == "pretoken boundary"
    special = trace(gpt2, "a<|endoftext|>b", allowed_special="all")
    assert special.why_not(0).reason == special.why_not(1).reason == "special token"
    bytes_only = gpt2.truncated(0)
    assert trace(bytes_only, "ab").why_not(0).reason == "no merge"
    # With the merges bc then ab, the text abc ends as a|bc: ab exists, but bc took the b first.
    toy = tokviz.Tokenizer("toy", "none", {bytes([i]): i for i in range(256)} | {b"bc": 256, b"ab": 257})
    why = trace(toy, "abc").why_not(0)
    assert why.reason == "lower rank"
    assert (why.lost.left, why.lost.right, why.lost.rank) == (b"a", b"b", 1)
    assert (why.lost.taken, why.lost.taken_rank, why.lost.taken_bytes) == ("right", 0, b"bc")


def test_the_last_meeting_is_of_the_two_tokens_and_has_no_merge(tokenizers):
    text = sample("english")[:2000] + sample("thai")[:500]
    for tokenizer in tokenizers.values():
        history = trace(tokenizer, text)
        starts = [0, *history.ends]
        for i in range(len(history.ends) - 1):
            why = history.why_not(i)
            if why.reason == "pretoken boundary":
                continue
            last = why.meetings[-1]
            assert last.left == history.data[starts[i] : starts[i + 1]]
            assert last.right == history.data[starts[i + 1] : starts[i + 2]]
            assert last.rank is None
            for meeting in why.meetings[:-1]:
                assert meeting.rank is None or meeting.rank > meeting.taken_rank


def test_what_is_out_of_range_is_refused():
    history = trace(load("gpt2"), "one")
    for call in (lambda: history.tokens_at(-1), lambda: history.merge_tree(1), lambda: history.why_not(0)):
        with pytest.raises(ValueError):
            call()
    assert trace(load("gpt2"), "").tokens_at(5) == []
