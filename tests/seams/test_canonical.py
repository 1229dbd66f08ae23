"""What differs from the canonical ids is found, and nothing else; replaced, the ids are the canonical ones."""

import random

import pytest
from each import quick
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD
from vocabularies import NAMES

import tokviz
from tokviz.core import bpe
from tokviz.core.pretokens import well_formed_text
from tokviz.core.samples import sample
from tokviz.core.tokenizer import Tokenizer
from tokviz.families.teaching import list_tokenizer
from tokviz.seams.canonical import canonical
from tokviz.seams.segmentations import Segmentations

CL100K = "cl100k_base"


def assert_aligned(tokenizer, ids, allowed_special=()):
    """The claims of `canonical` about ids; returns what was found."""
    found = canonical(tokenizer, ids, allowed_special=allowed_special)
    assert found.text == tokenizer.decode(ids)
    assert found.canonical == tokenizer.encode(found.text, allowed_special=allowed_special)
    assert found.is_canonical == (not found.differences)
    mended, at = [], 0
    for difference in found.differences:
        assert difference.start >= at and difference.byte_start < difference.byte_end
        mended += ids[at : difference.start]
        assert len(mended) == difference.canonical_start
        mended += found.canonical[difference.canonical_start : difference.canonical_end]
        assert ids[difference.start : difference.end] != mended[difference.canonical_start :]
        assert len(tokenizer.decode_bytes(ids[: difference.start])) == difference.byte_start
        assert len(tokenizer.decode_bytes(ids[: difference.end])) == difference.byte_end
        at = difference.end
    assert [*mended, *ids[at:]] == found.canonical
    return found


def reason(tokenizer, ids, **options):
    (difference,) = assert_aligned(tokenizer, ids, **options).differences
    return difference.reason


@pytest.mark.parametrize("name", NAMES)
def test_encoded_texts_are_canonical(name):
    tokenizer = tokviz.load(name)
    for text in map(well_formed_text, ODD):
        assert canonical(tokenizer, tokenizer.encode(text)).is_canonical
    assert assert_aligned(tokenizer, []).is_canonical


@pytest.mark.parametrize("name", NAMES)
def test_any_other_segmentation_is_aligned(name):
    tokenizer, rng = tokviz.load(name), random.Random(name)
    for text in (*map(well_formed_text, ODD), sample("mixed")[:300]):
        ways = Segmentations(tokenizer, text)
        for ids in (ways.greedy(), ways.shortest(), ways.draw(rng), ways.nth(0)):
            found = assert_aligned(tokenizer, ids)
            assert found.text == text
            assert {each.reason for each in found.differences} <= {"merge", "pretoken boundary"}


@given(st.lists(st.integers(0, 50_256), max_size=12))
def test_any_ids(ids):
    assert_aligned(tokviz.load("gpt2"), ids)


@pytest.mark.parametrize("name", quick(["gpt2", CL100K], "gpt2"))
def test_the_reason_is_named(name):
    tokenizer = tokviz.load(name)
    special = tokenizer.special_tokens["<|endoftext|>"]
    assert reason(tokenizer, [198, 198]) == "merge"
    assert reason(tokenizer, tokenizer.encode("low") + tokenizer.encode("er")) == "merge"
    assert reason(tokenizer, [64, 222, 64]) == "not UTF-8"
    assert reason(tokenizer, [special]) == "special token"
    assert canonical(tokenizer, [special], allowed_special="all").is_canonical
    across = Tokenizer("toy", "gpt2", bpe.ranks_from_merges([(97, 32), (256, 98)]))
    assert reason(across, [257]) == "pretoken boundary"
    toy = Tokenizer("toy", "gpt2", bpe.ranks_from_merges([]) | {b"bcd": 300})
    assert canonical(toy, [300]).is_canonical and reason(toy, [97, 300]) == "no merges"


@pytest.mark.slow
def test_the_reason_of_a_token_of_o200k_that_crosses_a_pretoken_boundary():
    assert reason(tokviz.load("o200k_base"), [99494]) == "pretoken boundary"


def test_the_merge_that_is_made_first_is_named():
    tokenizer = Tokenizer("toy", "none", bpe.ranks_from_merges([(98, 99), (97, 256), (97, 98)]))
    (difference,) = canonical(tokenizer, [258, 99]).differences
    assert difference.merged == (b"b", b"c")
    (difference,) = canonical(tokenizer, [97, 256, 97, 256]).differences[:1]
    assert difference.merged == (b"a", b"bc")


def test_bytes_of_one_character_in_several_tokens_are_canonical():
    tokenizer = tokviz.load("gpt2")
    ids = tokenizer.encode("ที่ 👩‍👩‍👧")
    assert len(ids) > 12 and assert_aligned(tokenizer, ids).is_canonical
    found = assert_aligned(tokenizer, ids[1:])
    assert [each.reason for each in found.differences] == ["not UTF-8"] and found.differences[0].start == 0
    found = assert_aligned(tokenizer, [*ids[:-1], *ids])
    assert [each.reason for each in found.differences] == ["not UTF-8"]


def test_what_is_refused():
    with pytest.raises(tokviz.UnknownTokenError):
        canonical(tokviz.load("gpt2"), [50_257])
    with pytest.raises(ValueError, match="byte-level BPE"):
        canonical(list_tokenizer("words", "the cat"), [1])
