"""Every way to cut a text is counted once and has its number."""

import random
from collections import Counter
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokviz
from tokviz.core import bpe
from tokviz.core.tokenizer import Tokenizer
from tokviz.core.vocabulary import Vocabulary
from tokviz.seams.segmentations import Segmentations

TEXTS = st.text(st.sampled_from("abé"), max_size=9)
SMALL = Vocabulary(
    "small", bpe.ranks_from_merges([(97, 97), (256, 97), (97, 98), (98, 258), (195, 169), (256, 256), (259, 260)])
)


def every_way(data, ranks):
    """All ways to cut bytes into tokens, by their lengths in order."""
    if not data:
        return [[]]
    return [
        [ranks[data[:stop]], *rest]
        for stop in range(1, len(data) + 1)
        if data[:stop] in ranks
        for rest in every_way(data[stop:], ranks)
    ]


@given(TEXTS)
def test_all_ways_of_short_texts(text):
    ways, naive = Segmentations(SMALL, text), every_way(text.encode(), SMALL.mergeable_ranks)
    assert ways.count == len(naive)
    assert [ways.nth(number) for number in range(ways.count)] == naive
    assert [ways.number(way) for way in naive] == list(range(ways.count))
    assert len(ways.shortest()) == min(map(len, naive)) and ways.shortest() in naive
    assert ways.greedy() in naive


def test_greedy_and_shortest_and_bpe_may_all_differ():
    ranks = {bytes([i]): i for i in range(256)}
    for token in (b"bc", b"bcd", b"ab", b"abc", b"cd", b"cde"):
        ranks[token] = 256 + len(ranks)
    tokenizer = Tokenizer("small", "none", ranks)
    ways = Segmentations(tokenizer, "abcde")
    assert ways.tokens(ways.greedy()) == [b"abc", b"d", b"e"]
    assert ways.tokens(ways.shortest()) == [b"ab", b"cde"]
    assert ways.tokens(tokenizer.encode("abcde")) == [b"a", b"bcd", b"e"]


def test_draws_are_uniform():
    ways, rng = Segmentations(SMALL, "aabab"), random.Random(1)
    counts = Counter(ways.number(ways.draw(rng)) for _ in range(200 * ways.count))
    assert set(counts) == set(range(ways.count))
    assert all(120 < n < 290 for n in counts.values())


def test_a_thousand_bytes_have_an_exact_number_of_ways(vocabulary):
    text = "One after another, the tokens could have been others. " * 19
    ways = Segmentations(vocabulary, text[:1000])
    assert 300 < log2(ways.count) < 1_000
    ids = vocabulary.encode(text[:1000])
    assert ways.nth(ways.number(ids)) == ids
    assert len(ways.shortest()) <= min(len(ids), len(ways.greedy()))
    assert vocabulary.decode(ways.draw(random.Random(2))) == text[:1000]
    assert ways.nth(ways.count - 1) != ways.nth(0)


def test_a_way_of_single_tokens_has_the_powers_of_two():
    ranks = {bytes([i]): i for i in range(256)} | {b"a" * n: 300 + n for n in range(2, 65)}
    assert Segmentations(Vocabulary("runs", ranks), "a" * 64).count == 2**63


def test_nothing_and_lone_surrogates_and_bytes():
    gpt2 = tokviz.load("gpt2")
    nothing = Segmentations(gpt2, "")
    assert (nothing.count, nothing.nth(0), nothing.shortest(), nothing.greedy(), nothing.draw()) == (1, [], [], [], [])
    assert Segmentations(gpt2, "\ud83d").data == "\ufffd".encode()
    assert Segmentations(gpt2, b"\xff\x00").count == 1


def test_what_is_refused():
    gpt2 = tokviz.load("gpt2")
    with pytest.raises(ValueError, match="there is no way 15: they are numbered from 0 to 14"):
        Segmentations(gpt2, "lower").nth(15)
    with pytest.raises(ValueError, match="these ids are b'low', not b'lower'"):
        Segmentations(gpt2, "lower").number(gpt2.encode("low"))
    with pytest.raises(ValueError, match="at most 10,000"):
        Segmentations(gpt2, "a" * 10_001)
