"""Cutting a text at these places and then into pretokens equals cutting the whole."""

from itertools import product

import pytest
from each import quick
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

from tokviz.core.cut_places import PIECES, last_safe_cut, safely_cut_parts
from tokviz.core.patterns import compiled_pattern
from tokviz.core.pretokens import pretokens, well_formed_text

# One character of each kind that the patterns or the rules tell apart.
KINDS = "aSก\u0e39ǅ1'/! \t\n\r\u2028"
KINDS_OF_PARTS = "中・\u3040\0"  # what deepseek-v3 and kimi-k2 tell apart besides
TEXTS = st.text(
    st.sampled_from("aAsSſlLvVeErRก\u0e38中ア・\u3040ǅ1٣!/'(— \t\n\r\x0b\x85\xa0\u2028\x1c😀\0"), max_size=60
)


def assert_cut_alike(text, name, size):
    found = list(safely_cut_parts(text, name, size))
    assert "".join(found) == text and all(found)
    assert [pretoken for part in found for pretoken in pretokens(part, name)] == pretokens(text, name)


@pytest.mark.parametrize("length", quick([2, 3, 4, 5], 2, 3))
@pytest.mark.parametrize("name", PIECES)
def test_every_short_text_is_cut_alike_at_its_last_place(name, length):
    cut = compiled_pattern(name).findall  # the named patterns match every character
    for characters in product(KINDS + KINDS_OF_PARTS * (length < 5), repeat=length):
        text = "".join(characters)
        place = last_safe_cut(text, name)
        assert cut(text[:place]) + cut(text[place:]) == cut(text), (text, place)


@given(TEXTS | st.text(max_size=60), st.sampled_from([*PIECES, "none"]), st.integers(1, 20))
def test_parts_have_the_pretokens_of_the_whole(text, name, size):
    assert_cut_alike(well_formed_text(text), name, size)


@given(st.sampled_from(["\r\n", "\n \n", " \n\t\n a", "'ll ", "it's", "1234567", "   a", "\n/", "!\n\r/ "]), TEXTS)
def test_what_the_patterns_join_is_not_cut(middle, around):
    for name in PIECES:
        assert_cut_alike(well_formed_text(around + middle * 9 + around), name, 7)


@pytest.mark.parametrize("name", PIECES)
def test_odd_texts(name):
    for text in map(well_formed_text, ODD):
        assert_cut_alike(text * 3, name, 4)


@pytest.mark.parametrize("name", PIECES)
def test_a_part_is_as_long_as_asked_where_the_text_allows(name):
    assert max(map(len, safely_cut_parts("one two\n" * 10_000, name, 1_000))) <= 1_000
    assert list(safely_cut_parts("x" * 10_000, name, 1_000)) == ["x" * 10_000]
    assert list(safely_cut_parts("", name)) == []
