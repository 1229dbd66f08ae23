"""The split patterns of llama.cpp cut in turn as they do in the `tokenizers` library."""

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

from tokviz.core.named_patterns import SPLIT_PATTERNS
from tokviz.core.pretokens import pretokens
from tokviz.formats.huggingface.regex_dialects import split_pattern_from_oniguruma
from tokviz.formats.llama_cpp_patterns import PATTERNS


def in_turn(name: str) -> bool:
    """Return whether several patterns of a name are known to be read alike by `regex`."""
    try:
        split_pattern_from_oniguruma(*PATTERNS[name])
    except ValueError:
        return False
    return len(PATTERNS[name]) > 1


IN_TURN = [name for name in PATTERNS if in_turn(name)]
ODD_CHARACTERS = "aB'sé  \t\n\r12٣²½一ア゙゛・ー\u3097ก่.,!?…。।()[]^_`~$+€@\u200d\u0301\x00\x85\u3000😀"


def pieces(name: str, text: str) -> list[str]:
    """Return what the patterns of a name cut a text into, one after the other, in the `tokenizers` library."""
    return [piece for piece, _ in splitting(name).pre_tokenize_str(text)]


@cache
def splitting(name: str) -> pre_tokenizers.PreTokenizer:
    """Return what cuts by the patterns of a name in turn."""
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(each), "isolated") for each in PATTERNS[name]])


def test_which_names_have_several_patterns_that_are_read_alike():
    assert {"starcoder", "deepseek-v3", "minicpm5", "viking", "laguna", "falcon", "default", "deepseek-coder"} <= {
        *IN_TURN
    }
    assert not {"tiny_aya", "deepseek-llm"} & {*IN_TURN}  # \\b, and $ before the end of a line
    named = {name: split_pattern_from_oniguruma(*PATTERNS[name]) for name in SPLIT_PATTERNS if name in PATTERNS}
    assert all(name == found for name, found in named.items()) and len(named) == 7


@pytest.mark.parametrize("name", quick(IN_TURN, "deepseek-v3", "viking", "command-r", "falcon"))
def test_all_texts_are_cut_in_turn_as_by_the_library(name):
    pattern = split_pattern_from_oniguruma(*PATTERNS[name])
    for text in many_texts():
        assert pretokens(text, pattern) == pieces(name, text)


@times(6)
@given(text=st.text(ODD_CHARACTERS, max_size=12) | st.text(max_size=8))
def test_and_any_other_text(text):
    for name in ("starcoder", "deepseek-v3", "minicpm5", "viking", "laguna", "falcon", "kimi-k2"):
        assert pretokens(text, split_pattern_from_oniguruma(*PATTERNS[name])) == pieces(name, text), name


@each("name", PATTERNS)
def test_every_pattern_compiles(name):
    splitting(name)


def test_the_letters_of_deepseek_llm_are_those_with_case():
    cased = regex.compile(PATTERNS["deepseek-llm"][1].removeprefix(r"\s?"))
    categories = {unicodedata.category(character) for character in map(chr, range(0xD800)) if cased.match(character)}
    assert categories == {"Lu", "Ll", "Lt"}
