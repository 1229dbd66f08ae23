"""A note on a split pattern that cuts marks off from their letters, as most do in Thai, and the way out."""

import streamlit as st

from pages.ui.options import option_value, set_option
from pages.ui.train.documents import beginning
from pages.ui.train.settings import chosen_start
from tokviz import SPLIT_PATTERNS
from tokviz.analysis.marks import MarksCutOff, marks_cut_off
from tokviz.system.recent import recent

CHARACTERS_MAX = 50_000  # of the text, in which marks are counted: it takes 0.1 s
# Of the scripts whose letters and marks are commonly known by these names.
VOWELS_AND_TONES = ("Thai", "Lao")


def marks_note(*, disabled: bool) -> None:
    """Say how many marks the chosen split pattern cuts off, and offer one that does not."""
    start = chosen_start()
    pattern = option_value("pattern") if start is None else start.split_pattern
    if pattern not in SPLIT_PATTERNS:
        return  # one's own may not end
    found = _marks_cut_off(beginning(CHARACTERS_MAX), pattern)
    if found is None:
        return
    st.info(marks_words(pattern, found))
    if found.keeping and start is None:
        st.button(f"Use {found.keeping}", disabled=disabled, on_click=set_option, args=("pattern", found.keeping))


@recent(maxsize=8)
def _marks_cut_off(text: str, pattern: str) -> MarksCutOff | None:
    """Return the marks cut off in a text; the page runs often, and the text stays the same."""
    return marks_cut_off(text, pattern)


def marks_words(pattern: str, found: MarksCutOff) -> str:
    """Return in words which marks a pattern cuts off.

    >>> marks_words("cl100k", MarksCutOff(312, "Thai", "o200k"))
    'cl100k cuts off 312 Thai vowel and tone marks from their consonants; o200k keeps them together.'
    >>> marks_words("gpt2", MarksCutOff(1, "Latin", None))
    'gpt2 cuts off 1 Latin mark from its letter.'
    """
    one = found.n == 1
    mark, letter = ("vowel and tone mark", "consonant") if found.script in VOWELS_AND_TONES else ("mark", "letter")
    if one:
        mark = "mark"
    s, their = ("", "its") if one else ("s", "their")
    words = f"{pattern} cuts off {found.n:,} {found.script} {mark}{s} from {their} {letter}{s}"
    return f"{words}; {found.keeping} keeps them together." if found.keeping else f"{words}."
