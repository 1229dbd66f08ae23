"""The named patterns for `re` cut as those of `regex` do."""

import pytest
from each import quick
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

from tokviz import SPLIT_PATTERNS
from tokviz.core.pretokens import pretokens, well_formed_text
from tokviz.corpus.cutting.re_patterns import pretoken_cutter

NAMES = [name for name in SPLIT_PATTERNS if name != "none"]
CHARACTERS = [chr(i) for i in range(2**16) if not 0xD800 <= i < 0xE000]  # those that `re` is used for
NEAR = st.text(
    st.sampled_from("aAzZ'sSſlLvVeErR1٣!/ \t\n\r\x0b\x1c\x85\xa0\u2028กุ中ア・\u3040\0—ǅ\U00010400😀"), max_size=30
)
MORE = [pytest.param(around, marks=pytest.mark.slow) for around in ("1{}1", " {}\n", "'{}E", "'l{}")]


@pytest.mark.parametrize("name", quick(NAMES, "gpt2", "o200k", "deepseek-v3"))
@pytest.mark.parametrize("around", ["a{}a ", *MORE])
def test_every_character_in_its_place(name, around):
    text = "".join(around.replace("{}", character) + "\0" for character in CHARACTERS)
    assert pretoken_cutter(name)(text) == pretokens(text, name)


@given(NEAR | st.text(max_size=50), st.sampled_from(NAMES))
def test_any_text(text, name):
    text = well_formed_text(text)
    assert pretoken_cutter(name)(text) == pretokens(text, name)


@pytest.mark.parametrize("name", NAMES)
def test_odd_texts(name):
    for text in map(well_formed_text, ODD):
        assert pretoken_cutter(name)(text) == pretokens(text, name)
