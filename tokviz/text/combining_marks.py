"""Marks that a split pattern cuts off from the letters they belong to, such as Thai vowels and tones."""

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import regex

from tokviz.core.pretokens import pretokens

_MARK = regex.compile(r"\p{M}")
_MARKS_IN_FRONT = regex.compile(r"\p{M}+")
KEEPING = ("o200k", "none")  # split patterns to take instead; the first was made for such scripts


@dataclass(frozen=True)
class MarksCutOff:
    """Whose marks a split pattern cuts off.

    script: of most of their letters, as Unicode names it. keeping: a split pattern that cuts off none, None if unknown.
    """

    script: str
    keeping: str | None


def marks_cut_off(text: str, split_pattern: str) -> MarksCutOff | None:
    """Return which marks a named split pattern cuts off from their letters, None if none are.

    >>> marks_cut_off("ที่นี่", "cl100k")
    MarksCutOff(script='Thai', keeping='o200k')
    >>> marks_cut_off("ที่นี่", "o200k")
    """
    if not _MARK.search(text):
        return None
    scripts = n_marks_cut_off_by_script(pretokens(text, split_pattern))
    if not scripts:
        return None
    keeping = next((name for name in KEEPING if not n_marks_cut_off_by_script(pretokens(text, name))), None)
    return MarksCutOff(scripts.most_common(1)[0][0], keeping)


def n_marks_cut_off_by_script(pretokens: Iterable[str]) -> Counter[str]:
    """Return how many marks begin a pretoken after one that ends in a letter, by the script of that letter.

    Marks on a mark belong to the same letter. Marks after anything but a letter, as in emoji, do not count.

    >>> n_marks_cut_off_by_script(["ท", "ี่น", "ี่", " e", "\\u0301", "☀", "\\ufe0f"])
    Counter({'Thai': 4, 'Latin': 1})
    """
    scripts: Counter[str] = Counter()
    letter: str | None = None  # that marks at the start of the next pretoken belong to
    for pretoken in pretokens:
        marks = _MARKS_IN_FRONT.match(pretoken)
        if marks and letter:
            scripts[unicodedata.name(letter, "unknown").split()[0].title()] += len(marks[0])
        if not marks or len(marks[0]) < len(pretoken):
            letter = _letter_at_end_or_none(pretoken)
    return scripts


def _letter_at_end_or_none(pretoken: str) -> str | None:
    """Return the letter at the end of a pretoken, under any marks."""
    for character in reversed(pretoken):
        category = unicodedata.category(character)[0]
        if category != "M":
            return character if category == "L" else None
    return None
