"""What follows a text changes no cut before the first place that reads it."""

from itertools import accumulate

from hypothesis import example, given
from hypothesis import strategies as st

from tokviz.core.cut_places import PIECES
from tokviz.core.lookahead import end_of_certain_cuts
from tokviz.core.pretokens import pretokens, well_formed_text

TEXTS = st.text(st.sampled_from("aASslLvVeErRก\u0e38中ア・\u3040ǅ1٣!/'(— \t\n\r\x0b\xa0\u2028\0"), max_size=30)


def cuts(text: str, name: str, last: int) -> list[int]:
    return [end for end in accumulate(map(len, pretokens(text, name))) if end <= last]


@given(TEXTS, TEXTS | st.text(max_size=5), st.sampled_from([*PIECES]))
@example("it", "'ll", "gpt2")
@example("a!\n", "/b", "o200k")
def test_what_follows_changes_no_cut_that_does_not_read_it(text, more, name):
    more = well_formed_text(more)
    place = end_of_certain_cuts(text, len(text), name)
    assert 0 <= place <= len(text) and cuts(text, name, place) == cuts(text + more, name, place)


def test_the_place_is_near_the_end_and_nothing_is_known_of_other_patterns():
    for name in PIECES:
        text = "one two three, " * 100
        assert len(text) - 10 < end_of_certain_cuts(text, len(text), name)
    assert end_of_certain_cuts("one two", 7, "none") == end_of_certain_cuts("one two", 7, r"\w+|\W") == 0
