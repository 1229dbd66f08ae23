"""What is found in a vocabulary: nothing missed, nothing twice, and what it betrays of the training text."""

import json

import pytest
from each import quick

import tokviz
from tokviz.formats.huggingface.tokenizer import HFTokenizer
from tokviz.vocabulary.facts import vocabulary_facts
from tokviz.vocabulary.report import (
    longest_token_indices,
    markup_by_token_index,
    near_duplicate_indices,
    overlap,
    token_counts_by_script,
    unused_token_indices,
)


def texts(vocabulary, tokens):
    return [vocabulary_facts(vocabulary).texts[token] for token in tokens]


def tokens_bytes(facts, tokens):
    return [facts.tokens[token] for token in tokens]


def test_the_longest_tokens_are_sorted_and_none_is_longer(vocabulary):
    found = texts(vocabulary, longest_token_indices(vocabulary, 50))
    lengths = [*map(len, found)]
    assert lengths == sorted(lengths, reverse=True)
    longer = [token for token in vocabulary.mergeable_ranks if len(token.decode(errors="ignore")) > lengths[-1]]
    whole = [token for token in longer if token.decode(errors="replace").find("\ufffd") < 0]
    assert {token.decode() for token in whole} <= set(found)
    assert (
        len(found) == 50
        and longest_token_indices(vocabulary, 0).size == longest_token_indices(vocabulary, -1).size == 0
    )


LONG = {
    "gpt2": {" RandomRedditorWithNo", "rawdownloadcloneembedreportprint"},
    "cl100k_base": {" dequeueReusableCellWithIdentifier"},
    "o200k_base": {" วิเคราะห์บอลวันนี้"},
}


@pytest.mark.parametrize(("name", "words"), quick(LONG.items(), "gpt2"))
def test_the_longest_tokens_betray_the_training_text(name, words):
    tokenizer = tokviz.load(name)
    assert words <= set(texts(tokenizer, longest_token_indices(tokenizer, 40, words_only=True)))


@pytest.mark.slow
def test_near_duplicates_of_ingredients():
    o200k = tokviz.load("o200k_base")
    found = texts(o200k, near_duplicate_indices(o200k)["ingredients"])
    assert set(found) == {" ingredients", "Ingredients", "ingredients", " Ingredients"}


def groups_of(vocabulary):
    """Return the texts of each group of near-duplicates."""
    return [texts(vocabulary, group) for group in near_duplicate_indices(vocabulary).values()]


def test_near_duplicates_are_groups_of_distinct_tokens(vocabulary):
    groups = groups_of(vocabulary)
    assert all(len(set(group)) == len(group) > 1 for group in groups)
    assert all(len({text.strip().casefold() for text in group}) == 1 for group in groups)
    assert [len(group) for group in groups] == sorted(map(len, groups), reverse=True)


@pytest.mark.parametrize(
    ("name", "markup"), quick([("gpt2", {"</", "/>", "://"}), ("cl100k_base", {"<div", ".html", "&nbsp"})], "gpt2")
)
def test_markup_tokens_hold_markup(name, markup):
    tokenizer = tokviz.load(name)
    found = texts(tokenizer, markup_by_token_index(tokenizer))
    assert markup | {"</", "://"} <= set(found)
    assert not {" <", "<=", " the", ".get"} & set(found)


def test_unused_and_used_are_the_vocabulary(trained):
    text = "the same text, the same tokens"
    ids = trained.encode(text)
    all_ids = vocabulary_facts(trained).ids
    unused = set(all_ids[unused_token_indices(trained, ids)])
    assert unused | set(ids) == set(trained.mergeable_ranks.values())
    assert not unused & set(ids)


def test_overlap_is_that_of_the_sets(trained):
    gpt2 = tokviz.load("gpt2")
    mine, theirs = set(trained.mergeable_ranks), set(gpt2.mergeable_ranks)
    shared = overlap(trained, gpt2)
    assert set(tokens_bytes(shared.left, shared.common)) == mine & theirs
    assert set(tokens_bytes(shared.left, shared.only_left)) == mine - theirs
    assert set(tokens_bytes(shared.right, shared.only_right)) == theirs - mine
    assert (shared.n_left, shared.n_right, len(shared.common)) == (len(mine), len(theirs), len(mine & theirs))
    assert shared.jaccard == len(mine & theirs) / len(mine | theirs)
    assert [*map(sum, zip(*shared.left_right_and_common_counts_by_script().values(), strict=True))] == [
        len(mine),
        len(theirs),
        len(mine & theirs),
    ]


def byte_fallback(*tokens):
    """Return a tokenizer in which a is a token, and the byte that is fallen back to."""
    vocab = {token: i for i, token in enumerate(["<unk>", "<0x61>", "<0xE0>", *tokens])}
    model = {"type": "BPE", "vocab": vocab, "merges": [], "unk_token": "<unk>", "byte_fallback": True}
    return HFTokenizer("some", json.dumps({"version": "1.0", "model": model, "added_tokens": []}).encode())


def test_tokens_with_the_same_bytes_count_once():
    shared = overlap(byte_fallback("a", "b"), byte_fallback("a", "c"))
    assert (shared.n_left, shared.n_right, len(shared.common), shared.jaccard) == (3, 3, 2, 0.5)
    sides = ((shared.left, shared.common), (shared.left, shared.only_left), (shared.right, shared.only_right))
    assert [tokens_bytes(*side) for side in sides] == [[b"a", b"\xe0"], [b"b"], [b"c"]]
    assert shared.left_right_and_common_counts_by_script() == {"Latin": (2, 2, 1), "parts of characters": (1, 1, 1)}


def test_vocabularies_without_tokens_have_nothing_in_common():
    model = {"type": "BPE", "vocab": {}, "merges": []}
    empty = HFTokenizer("none", json.dumps({"version": "1.0", "model": model, "added_tokens": []}).encode())
    assert overlap(empty, empty).jaccard == 0.0 and overlap(empty, byte_fallback("a")).jaccard == 0.0


def test_every_token_has_a_script_or_is_a_part_of_a_character(vocabulary):
    coverage = token_counts_by_script(vocabulary)
    assert sum(coverage.values()) == len(vocabulary.mergeable_ranks)
    parts = [token for token in vocabulary.mergeable_ranks if "\ufffd" in token.decode(errors="replace")]
    assert 0 < coverage["parts of characters"] <= len(parts)
    assert list(coverage.values()) == sorted(coverage.values(), reverse=True)


def test_near_duplicates_differ_in_case_or_white_space_only():
    tokenizer = tokviz.train("low Low LOW  low lower, Lower", vocab_size=266)
    groups = [set(group) for group in groups_of(tokenizer)]
    assert {"low", " low", " Low", " LOW"} in groups
    assert {" lower", " Lower"} in groups


def test_only_tokens_with_a_letter_are_near_duplicates():
    vocabulary = vocabulary_of("๑", " ๑", "ー", " ー")  # a Thai digit has a script; this letter none of its own
    assert "๑" not in near_duplicate_indices(vocabulary)
    assert texts(vocabulary, near_duplicate_indices(vocabulary)["ー"]) == ["ー", " ー"]


def vocabulary_of(*tokens):
    ranks = {bytes([i]): i for i in range(256)}
    for token in tokens:
        for end in range(2, len(token.encode()) + 1):
            ranks.setdefault(token.encode()[:end], len(ranks))
    return tokviz.Tokenizer("some", "none", ranks)


@pytest.mark.parametrize(
    ("token", "holds"),
    [
        ("<div", "tag"), ("</p>", "tag"), (" href=", "tag"), ("&nbsp;", "entity"), ("&#39;", "entity"),
        (" https", "address"), ("://", "address"), ("www.", "address"), (".com", "address"), ("[[", "wiki markup"),
        ("{|", "wiki markup"), ("\\n", "escape"), ("%20", "escape"),
        ("</", "tag"), ("&nbsp", "entity"), (".svg", "address"), (" www", "address"),
        ("AT&T", None), (" < b", None), (" classes", None), ("100%", None), (" comma", None), ("a[0]", None),
    ],
)  # fmt: skip
def test_markup_tokens_hold_markup_and_addresses_and_not_text(token, holds):
    vocabulary = vocabulary_of(token)
    found = markup_by_token_index(vocabulary)
    assert dict(zip(texts(vocabulary, found), found.values(), strict=True)).get(token) == holds
