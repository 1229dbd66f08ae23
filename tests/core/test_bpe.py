import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tokviz import load
from tokviz.core.bpe import merges_from_ranks, parents, parents_of_all, ranks_from_merges, tokens
from tokviz.training.naive import naive_tokens


@given(st.text("abc", min_size=1, max_size=40), st.integers(0, 60))
def test_tokens_equal_the_naive_encoder(trained, text, n):
    piece = text.encode()
    assert tokens(piece, trained.mergeable_ranks, below=256 + n) == naive_tokens(
        piece, trained.mergeable_ranks, below=256 + n
    )


def test_tokens_equal_the_naive_encoder_on_pretrained_ranks():
    ranks = load("gpt2").mergeable_ranks
    for word in ("unbelievable", " indistinguishable", "aaaaaaaaa", "สวัสดี", "你好"):
        assert tokens(word.encode(), ranks, below=10**6) == naive_tokens(word.encode(), ranks)


def test_merges_and_ranks_are_inverse(trained):
    merges = trained.merges
    assert ranks_from_merges(merges) == trained.mergeable_ranks
    assert merges_from_ranks(trained.mergeable_ranks, trained.merge_tokens) == merges


@pytest.mark.parametrize(
    "name", ["gpt2", *(pytest.param(name, marks=pytest.mark.slow) for name in ("cl100k_base", "o200k_base"))]
)
def test_every_merge_of_a_shipped_table_joins_two_tokens_of_lower_rank(name):
    tokenizer = load(name)
    assert len(tokenizer.merges) == len(tokenizer.mergeable_ranks) - 256
    singles = {tokenizer.mergeable_ranks[bytes([i])] for i in range(256)}
    for made, pair in zip(tokenizer.merge_ids.tolist(), tokenizer.merges, strict=True):
        assert all(part in singles or part < made for part in pair)


@pytest.mark.parametrize(
    ("merges", "at", "words"),
    [
        ([(97, 98), (300, 97)], 1, "names the id 300"),
        ([(97, 98), (97, 98)], 1, "is id 256 already"),
        ([(97, 98), (98, 99), (97, 257)], 2, "is never made"),
        ([(256, 97)], 0, "names the id 256"),
    ],
)
def test_merges_that_tiktoken_would_encode_differently_are_refused(merges, at, words):
    with pytest.raises(ValueError, match=words) as error:
        ranks_from_merges(merges)
    assert error.value.args[1] == at


@example(["aba", "ab", "abab"])
@given(st.lists(st.text("abc", min_size=2, max_size=7), unique=True, max_size=30))
def test_parents_of_all_are_those_of_each_also_where_merges_of_higher_ranks_come_first(texts):
    made = [text.encode() for text in texts]
    ranks = {bytes([i]): i for i in range(256)} | {token: 256 + i for i, token in enumerate(made)}
    assert [*parents_of_all(made, ranks)] == [parents(token, ranks) for token in made]


def test_parents_of_what_no_merge_leads_to():
    assert parents(b"abc", {bytes([i]): i for i in range(256)} | {b"abc": 256}) is None
