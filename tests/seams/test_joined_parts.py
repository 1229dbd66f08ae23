"""The extra tokens of a cut are those that encoding both parts and the whole gives."""

import random
from itertools import product

import pytest
from each import quick
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

import tokviz
from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.pretokens import well_formed_text
from tokviz.core.samples import SAMPLES, sample
from tokviz.core.tokenizer import Tokenizer
from tokviz.seams import joined_parts as module
from tokviz.seams.joined_parts import Cuts, joined_parts


def extra_tokens(tokenizer, text, cut):
    return sum(len(tokenizer.encode(part)) for part in (text[:cut], text[cut:])) - len(tokenizer.encode(text))


def assert_every_cut(tokenizer, text, places=None):
    cuts = Cuts(tokenizer, text)
    for cut in range(len(text) + 1) if places is None else places:
        assert cuts.extra_tokens(cut) == extra_tokens(tokenizer, text, cut), (text, cut)
        assert_around(tokenizer, text, cut, cuts.around(cut))


def assert_around(tokenizer, text, cut, found):
    """Put back in place of one another, the ids around a cut make the whole and both parts."""
    whole, left, right = (tokenizer.encode(part) for part in (text, text[:cut], text[cut:]))
    assert found.start <= cut <= found.stop
    n_before = len(left) - len(found.left)
    assert whole[:n_before] == left[:n_before] and left[n_before:] == found.left, (text, cut)
    behind = right[len(found.right) :]
    assert right == found.right + behind and whole == left[:n_before] + found.whole + behind, (text, cut)
    for ids, part in ((found.left, text[found.start : cut]), (found.right, text[cut : found.stop])):
        assert b"".join(tokenizer.tokens_bytes(ids)) == part.encode()


@pytest.mark.parametrize("repeat", [2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", quick(SPLIT_PATTERNS, "none", "o200k"))
def test_every_cut_of_odd_texts(name, repeat, monkeypatch):
    monkeypatch.setattr(module, "WINDOW", 3)
    tokenizer = Tokenizer("any", name, tokviz.load("gpt2").mergeable_ranks)
    for text in map(well_formed_text, ODD):
        assert_every_cut(tokenizer, text * 2)
    for characters in product("a\n '1ก!", repeat=repeat):
        assert_every_cut(tokenizer, "x" + "".join(characters) * 3)
    # Cut off at the window, the capitals would part from the letter before them, as they do in the whole.
    assert_every_cut(tokenizer, "xกABCDEFGHIJc and more text behind it")


@given(st.text(st.sampled_from("aAsl'ก\u0301 \n\t1!/é中😀"), max_size=30), st.integers(1, 9))
def test_every_cut_of_any_text(text, window):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "WINDOW", window)
        for name in ("gpt2", "o200k_base"):
            assert_every_cut(tokviz.load(name), text)


@pytest.mark.parametrize("sample_name", quick(SAMPLES, "thai", "mixed"))
def test_some_cuts_of_long_texts(sample_name, vocabulary):
    text = sample(sample_name)[:5_000]
    assert_every_cut(vocabulary, text, random.Random(1).sample(range(len(text)), 40))


def test_a_pattern_of_ones_own_and_a_place_outside(trained):
    own = tokviz.train("low lower lowest", vocab_size=260, split_pattern=r"[a-z]+|\s+|.")
    assert_every_cut(own, "lower low")
    with pytest.raises(ValueError, match="cannot be cut at 4"):
        Cuts(trained, "abc").extra_tokens(4)


def test_joined_parts_say_where_they_differ():
    found = joined_parts(tokviz.load("cl100k_base"), "Hello wor", "ld, again")
    (difference,) = found.differences
    assert found.ids[difference.start : difference.end] == [4191, 509]
    assert found.canonical[difference.canonical_start : difference.canonical_end] == [1917]
    assert joined_parts(tokviz.load("gpt2"), "one", " two").is_canonical
