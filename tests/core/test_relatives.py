import pytest

import tokviz
from tokviz.core.relatives import merge_tree, tokens_made_directly_from
from tokviz.core.samples import sample
from tokviz.core.trace import MergeNode


def naive_children(tokenizer: tokviz.Tokenizer) -> dict[bytes, list[bytes]]:
    """Return the children of every token, from the merges of the whole vocabulary."""
    found: dict[bytes, list[bytes]] = {}
    for pair, made in zip(tokenizer.merges, tokenizer.merge_tokens, strict=True):
        for parent in dict.fromkeys(pair):
            found.setdefault(tokenizer.token_bytes(parent), []).append(made)
    return found


def leaves(node: MergeNode) -> list[MergeNode]:
    return [node] if node.left is None else [*leaves(node.left), *leaves(node.right)]


def test_children_are_those_of_the_merges(trained):
    expected = naive_children(trained)
    assert expected
    for token in trained.mergeable_ranks:
        assert tokens_made_directly_from(trained, token) == expected.get(token, [])


@pytest.mark.slow
def test_children_are_those_of_the_merges_of_gpt2():
    gpt2 = tokviz.load("gpt2")
    expected = naive_children(gpt2)
    for token in (b" t", b"e", b"in", b" the", b"\xe0", b" ", b"aa", b"ing", b"\n"):
        assert tokens_made_directly_from(gpt2, token) == expected.get(token, [])


def test_a_child_of_two_equal_parents_is_named_once():
    tokenizer = tokviz.train("abababab", vocab_size=258, split_pattern="none")
    assert tokens_made_directly_from(tokenizer, b"ab") == [b"abab"]


@pytest.mark.parametrize("name", ["english", "thai", "chinese"])
def test_the_tree_of_a_token_is_that_of_the_token_in_a_text(name):
    tokenizer = tokviz.load("cl100k_base")
    history = tokviz.trace(tokenizer, sample(name))
    tokens = tokenizer.tokens_bytes(tokenizer.encode(sample(name)))
    for i, token in enumerate(tokens[:200]):
        tree, expected = merge_tree(tokenizer, token), history.merge_tree(i)
        shape = [(leaf.token_bytes, leaf.token_id) for leaf in leaves(expected)]
        assert [(leaf.token_bytes, leaf.token_id) for leaf in leaves(tree)] == shape
        assert (tree.rank, tree.token_id) == (expected.rank, expected.token_id)
        assert b"".join(leaf.token_bytes for leaf in leaves(tree)) == token
        assert [leaf.byte_start for leaf in leaves(tree)] == list(range(len(token)))


def test_what_is_no_token_is_named():
    with pytest.raises(KeyError, match="no token"):
        merge_tree(tokviz.load("gpt2"), b"tokviz tokviz")


def test_a_token_that_no_merges_lead_to_is_a_leaf_if_it_is_taken_whole_and_else_has_no_tree():
    ranks = {bytes([i]): i for i in range(256)} | {b"abc": 256}
    leaf = merge_tree(tokviz.Tokenizer("toy", "none", ranks), b"abc")
    assert (leaf.token_id, leaf.rank, leaf.left) == (256, 0, None)
    with pytest.raises(ValueError, match="no merges of toy lead to its token b'abc'"):
        merge_tree(tokviz.Tokenizer("toy", "none", ranks, takes_whole=False), b"abc")
