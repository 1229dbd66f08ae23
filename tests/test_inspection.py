from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

import tokviz
from tokviz.counting import pretoken_counts
from tokviz.inspection import duplicates, longest_tokens, script_coverage, suspects, texts, usage
from tokviz.pretokens import well_formed


@pytest.mark.parametrize("name", ["gpt2", "o200k_base", "trained"])
def test_lists_are_of_the_whole_vocabulary(name, trained):
    tokenizer = trained if name == "trained" else tokviz.load(name)
    n = len(tokenizer.mergeable_ranks)
    assert sum(script_coverage(tokenizer).values()) == n
    longest = longest_tokens(tokenizer, n)
    assert sorted(longest) == sorted((i, token) for token, i in tokenizer.mergeable_ranks.items())
    assert [len(token) for _, token in longest] == sorted(map(len, tokenizer.mergeable_ranks), reverse=True)
    grouped = [token_id for group in duplicates(tokenizer) for token_id, _ in group]
    assert len(grouped) == len(set(grouped))
    for group in duplicates(tokenizer):
        assert len({text.removeprefix(" ").casefold() for _, text in group}) == 1 < len(group)


def test_duplicates_differ_in_case_or_one_space_only():
    text = "low Low LOW  low lower, Lower"
    tokenizer = tokviz.train(text, vocab_size=266)
    groups = [{text for _, text in group} for group in duplicates(tokenizer)]
    assert {"low", " low", " Low", " LOW"} in groups
    assert {" lower", " Lower"} in groups


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
        ("AT&T", None), (" < b", None), (" classes", None), ("100%", None), (" comma", None), ("a[0]", None),
    ],
)  # fmt: skip
def test_suspects_are_markup_and_addresses_and_not_text(token, holds):
    found = {suspect.text: suspect.holds for suspect in suspects(vocabulary_of(token))}
    assert found.get(token) == holds


def n_split(tokenizer, text):
    """Return how many characters of a text a token ends inside of."""
    ends = tokviz.trace(tokenizer, text).ends
    starts = [0]
    for character in well_formed(text):
        starts.append(starts[-1] + len(character.encode()))
    return sum(any(start < end < stop for end in ends) for start, stop in pairwise(starts))


@given(st.lists(st.sampled_from(["low ", "ก", "中", "😀a", "\n", *ODD]), max_size=8))
def test_usage_is_what_encoding_gives(trained, documents):
    counts = pretoken_counts(documents, trained.split_pattern)
    figures = usage(trained, counts)
    ids = [token_id for document in documents for token_id in trained.encode(document)]
    assert figures.n_tokens == len(ids)
    assert figures.n_used == len(set(ids))
    assert figures.n_used + figures.n_unused == len(trained.mergeable_ranks)
    assert figures.n_chars == sum(len(well_formed(document)) for document in documents)
    assert figures.n_split == sum(n_split(trained, document) for document in documents)


def test_usage_counts_split_characters():
    figures = usage(tokviz.load("gpt2"), {" กa": 3, "é": 2})
    assert (figures.n_chars, figures.n_split, figures.split) == (11, 3, (("ก", 3),))


def test_parts_of_characters_have_no_text():
    gpt2 = tokviz.load("gpt2")
    whole = texts(gpt2)
    assert 0 < len(gpt2.mergeable_ranks) - len(whole) < 1000
    assert all(gpt2.token_bytes(i).decode() == text for i, text in list(whole.items())[::97])
