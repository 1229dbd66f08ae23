"""Nothing that follows a text changes a cut before its open start, and the endings are all there are."""

from itertools import product

import pytest
from each import quick
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.pretokens import well_formed_text
from tokviz.seams.endings import possible_endings, pretoken_ends, settled_pretoken_start

KINDS = "aAก\u0301ǅ1'/! \t\nsle"
FEW = ("aAก\u0301' sl", " \n\ta!/1", "> </\n", "中・\u3040\0 a—", "1! a'\n")
TEXTS = st.text(st.sampled_from("aAsSſlLvVeErRก\u0e38中ア・\u3040ǅʰ1٣!/'(— \t\n\r\x0b\x85\xa0\u2028😀\0"), max_size=30)
LENGTH = [2, pytest.param(3, marks=pytest.mark.slow)]


def ends_within(text, more, name):
    return tuple(end for end in pretoken_ends(text + more, name) if end <= len(text))


def every_text(kinds, longest):
    return ("".join(text) for length in range(longest + 1) for text in product(kinds, repeat=length))


def assert_is_known(text, more, name, known):
    cuts = ends_within(text, more, name)
    assert cuts in known, (name, text, more)


@pytest.mark.parametrize("kinds", quick(FEW, *FEW[-3:]))
@pytest.mark.parametrize("longest", LENGTH)
@pytest.mark.parametrize("name", quick(SPLIT_PATTERNS, "gpt2", "cl100k", "o200k", "llama3", "none", "sentencepiece"))
def test_every_short_continuation_of_every_short_text_gives_an_ending_that_is_known(name, longest, kinds):
    continuations = list(every_text(kinds, 3))
    for text in every_text(kinds, longest):
        known = {ending.cuts for ending in possible_endings(text, name)}
        for more in continuations:
            assert_is_known(text, more, name, known)


@pytest.mark.parametrize("name", quick(SPLIT_PATTERNS, "gpt2", "o200k"))
def test_every_pair_of_kinds_gives_an_ending_that_is_known(name):
    continuations = list(every_text(KINDS, 2))
    for text in every_text(KINDS, 2):
        known = {ending.cuts for ending in possible_endings(text, name)}
        for more in continuations:
            assert_is_known(text, more, name, known)


@given(TEXTS, TEXTS, st.sampled_from([*SPLIT_PATTERNS]))
def test_any_continuation_leaves_the_cuts_before_the_open_start(text, more, name):
    assert_holds(text, more, name)


def assert_holds(text, more, name):
    start = settled_pretoken_start(text, name)
    ends = pretoken_ends(text, name)
    assert start == 0 or start in ends
    assert [end for end in pretoken_ends(text + more, name) if end <= start] == [end for end in ends if end <= start]
    assert_is_known(text[start:], more, name, {ending.cuts for ending in possible_endings(text[start:], name)})


@pytest.mark.parametrize("name", SPLIT_PATTERNS)
def test_odd_texts(name):
    for text in map(well_formed_text, ODD):
        for more in map(well_formed_text, ODD):
            assert_holds(text, more, name)


@pytest.mark.parametrize("name", SPLIT_PATTERNS)
def test_contractions_that_are_not_complete(name):
    for word in ("don", "ก", "ABC", "xกAB", "1", "!", " ", ""):
        for begun in ("'", "'l", "'L", "'v", "'r", "''", "'s"):
            for more in ("l", "L", "e", "E", "s", "ll", "x"):
                assert_holds(word + begun, more, name)


def test_the_open_start_is_near_the_end_of_a_text():
    text = "One two, three (four); 你好，世界。今天天气很好，我们去公园吧。"
    for name in ("gpt2", "cl100k", "llama3", "o200k"):
        assert len(text) - settled_pretoken_start(text, name) < 12


def test_each_ending_names_continuations_that_lead_to_it():
    for name in (*SPLIT_PATTERNS, "[a-z]+|."):
        for ending in possible_endings("it'", name):
            assert all(ends_within("it'", more, name) == ending.cuts for more in ending.after)
