"""The split patterns of llama.cpp: several in turn, and the one pattern that stands for them, cut alike."""

import unicodedata
from functools import cache

import pytest
import regex
from each import each, quick
from examples import times
from hypothesis import given
from hypothesis import strategies as st
from many_texts import many_texts
from tokenizers import Regex, pre_tokenizers

from tokviz.core.pretokens import pretokens
from tokviz.formats.llama_cpp_patterns import PATTERNS, joined_pattern


def is_joined(name: str) -> bool:
    """Return whether one pattern is known that cuts as the several of a name do."""
    try:
        joined_pattern(PATTERNS[name])
    except ValueError:
        return False
    return len(PATTERNS[name]) > 1


AS_ONE = [name for name in PATTERNS if is_joined(name)]
ODD_CHARACTERS = "aB'sé  \t\n\r12٣²½一ア゙゛・ー\u3097ก่.,!?…。।()[]^_`~$+€@\u200d\u0301\x00\x85\u3000😀"


def pieces(name: str, text: str) -> list[str]:
    """Return what the patterns of a name cut a text into, one after the other, in the `tokenizers` library."""
    return [piece for piece, _ in splitting(name).pre_tokenize_str(text)]


@cache
def splitting(name: str) -> pre_tokenizers.PreTokenizer:
    """Return what cuts by the patterns of a name in turn."""
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(each), "isolated") for each in PATTERNS[name]])


def test_which_names_have_one_pattern_for_several():
    assert {"starcoder", "smollm", "command-r", "deepseek-v3", "minicpm5", "viking", "laguna"} <= set(AS_ONE)


@pytest.mark.parametrize("name", quick(AS_ONE, "deepseek-v3", "viking", "command-r"))
def test_the_one_pattern_cuts_all_texts_as_the_others_in_turn(name):
    pattern = joined_pattern(PATTERNS[name])
    for text in many_texts():
        assert pretokens(text, pattern) == pieces(name, text)


@times(6)
@given(text=st.text(ODD_CHARACTERS, max_size=12) | st.text(max_size=8))
def test_and_any_other_text(text):
    for name in ("starcoder", "deepseek-v3", "minicpm5", "viking", "laguna"):
        assert pretokens(text, joined_pattern(PATTERNS[name])) == pieces(name, text), name


@each("name", PATTERNS)
def test_every_pattern_compiles(name):
    splitting(name)


def test_the_letters_of_deepseek_llm_are_those_with_case():
    cased = regex.compile(PATTERNS["deepseek-llm"][1].removeprefix(r"\s?"))
    categories = {unicodedata.category(character) for character in map(chr, range(0xD800)) if cased.match(character)}
    assert categories == {"Lu", "Ll", "Lt"}
