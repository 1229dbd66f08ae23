"""That a token occurs is shown by a text that has it; one that never occurs is in no text at all."""

import random
from collections import Counter
from itertools import product

import pytest
from each import quick
from many_texts import many_texts
from seams.test_settled_tokens import ALPHABETS, random_ranks
from vocabularies import NAMES
from vocabulary.contexts import assert_contexts

import tokviz
from tokviz.core import bpe
from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.tokenizer import Tokenizer
from tokviz.vocabulary.reach import ALONE, IN_CONTEXT, NEVER, NOT_FOUND, reach, reach_by_token_id

# Tokens that are not UTF-8 alone, those whose own text encodes to others, and those that no text has.
PINNED = {"gpt2": (344, 0, 13), "cl100k_base": (773, 0, 13), "o200k_base": (1562, 12, 14)}
NO_UTF8 = [bytes([byte]) for byte in (0xC0, 0xC1, *range(0xF5, 0x100))]


@pytest.mark.parametrize("longest", [3, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("name", quick(SPLIT_PATTERNS, "none", "gpt2", "o200k"))
def test_small_vocabularies_against_all_short_texts(name, alphabet, longest):
    rng = random.Random(f"audit {name} {alphabet}")
    texts = ["".join(text) for length in range(1, longest + 1) for text in product(alphabet, repeat=length)]
    for n_merges in (6, 25)[longest == 3 :]:
        tokenizer = Tokenizer("small", name, random_ranks(rng, alphabet, n_merges))
        found = reach_by_token_id(tokenizer)
        assert_contexts(tokenizer, found)
        seen = {token_id for ids in tokenizer.encode_batch(texts) for token_id in ids}
        assert not {token_id for token_id in seen if found[token_id].reach == NEVER}
        assert {one.reach for one in found.values() if one.why == ""} == {ALONE}


@pytest.mark.slow
@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("name", SPLIT_PATTERNS)
def test_many_small_vocabularies_against_random_texts(name, alphabet):
    rng = random.Random(f"more {name} {alphabet}")
    others = alphabet + "ñФфЀ문あ𝐚🙂ſ'"
    for _ in range(8):
        tokenizer = Tokenizer("small", name, random_ranks(rng, alphabet, rng.randint(3, 60)))
        found = reach_by_token_id(tokenizer)
        assert_contexts(tokenizer, found)
        texts = ["".join(rng.choices(others, k=rng.randint(1, 9))) for _ in range(4_000)]
        seen = {token_id for ids in tokenizer.encode_batch(texts) for token_id in ids}
        assert not {token_id for token_id in seen if found[token_id].reach == NEVER}


@pytest.mark.parametrize("name", NAMES)
def test_the_pretrained_vocabularies(name):
    tokenizer = tokviz.load(name)
    found = reach_by_token_id(tokenizer)
    part = [i for i, one in found.items() if one.context is None or "part" in one.why]
    cut = [i for i, one in found.items() if "split pattern cuts" in one.why]
    counts = Counter(one.reach for one in found.values())
    assert (len(part), len(cut), counts[NEVER]) == PINNED[name]
    assert counts[NOT_FOUND] == 0
    assert_contexts(tokenizer, {i: one for i, one in found.items() if one.reach == IN_CONTEXT})
    assert all(found[tokenizer.mergeable_ranks[byte]].reach == NEVER for byte in NO_UTF8)
    never = {i for i, one in found.items() if one.reach == NEVER}
    assert not never & {i for text in many_texts() for i in tokenizer.encode(text)}


def test_a_token_that_the_pattern_cuts_until_a_small_letter_follows():
    o200k = tokviz.load("o200k_base")
    assert o200k.encode(" 亚洲AV") == [12555, 5345]
    found = reach(o200k, o200k.token_bytes(99494))
    assert found.reach == IN_CONTEXT and found.context == " 亚洲AVa"
    assert o200k.encode(found.context) == [99494, 64]


def test_a_token_whose_next_byte_always_merges_first():
    """b'\\xd0\\xbe\\xd0' ends in the first byte of a Cyrillic letter, which a small one always takes, and before a
    capital the pattern cuts."""
    o200k = tokviz.load("o200k_base")
    token = o200k.token_bytes(439)
    assert token == b"\xd0\xbe\xd0" and reach(o200k, token).reach == NEVER
    texts = (before + "о" + chr(i) + "" for before in ("", "О", " ") for i in range(0x400, 0x440))
    assert not any(439 in o200k.encode(text) for text in texts)


def test_tokens_that_no_merges_lead_to():
    ranks = bpe.ranks_from_merges([(97, 97)]) | {b"bcd": 300, b" b!": 301, b"\xe0\xb8x": 302, b"\xb8\x81x": 303}
    tokenizer = Tokenizer("toy", "gpt2", ranks)
    assert reach(tokenizer, b"bcd").reach == ALONE
    for token in (b" b!", b"\xe0\xb8x", b"\xb8\x81x"):
        assert reach(tokenizer, token).reach == NEVER
    with pytest.raises(KeyError, match="toy has no token b'xyz'"):
        reach(tokenizer, b"xyz")


def test_a_pattern_of_ones_own():
    tokenizer = tokviz.train("low lower lowest low-low", vocab_size=262, split_pattern=r"[a-z]+| ?[^a-z]+")
    found = reach_by_token_id(tokenizer)
    assert_contexts(tokenizer, found)
    assert found[tokenizer.mergeable_ranks[b"low"]].reach == ALONE
