"""Invisible characters that do nothing for what is written around them.

Some are part of ordinary writing, and no marks: the joiners of emoji, of Arabic, Persian and Indic scripts, one space
without width between Thai, Lao, Khmer, Burmese or Tibetan words, a variation selector behind an emoji, a Han or a
Mongolian character, left-to-right and right-to-left marks in lines with right-to-left letters, and the tags of flags
such as that of Wales.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import regex

TAG, SELECTOR, ZERO_WIDTH, BIDI, CONTROL = (
    "tag characters", "variation selectors", "zero width", "bidirectional controls", "control characters"
)  # fmt: skip

# Default_Ignorable_Code_Point, controls but for white space, and the interlinear annotation marks.
_RUN = regex.compile(r"(?V1)[\p{DI}[\p{Cc}--[\t\n\x0b\x0c\r\x85]]\ufff9-\ufffb]++")
_KIND_OF = {
    TAG: regex.compile(r"[\U000e0001\U000e0020-\U000e007f]"),
    SELECTOR: regex.compile(r"[\ufe00-\ufe0f\U000e0100-\U000e01ef\u180b-\u180d\u180f]"),
    BIDI: regex.compile(r"[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]"),
    CONTROL: regex.compile(r"[\p{Cc}\ufff9-\ufffb\u206a-\u206f]"),
    ZERO_WIDTH: regex.compile(r"(?s:.)"),
}
_FLAG = regex.compile(r"(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_JOINING = (
    r"\p{Arabic}\p{Syriac}\p{Mongolian}\p{Nko}\p{Adlam}\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}"
)
_JOINING += (
    r"\p{Tamil}\p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Balinese}\p{Javanese}"
)
_UNSPACED = (
    r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Tai_Le}\p{New_Tai_Lue}\p{Tai_Tham}\p{Javanese}\p{Balinese}"
)
_RIGHT_TO_LEFT = regex.compile(r"(?V1)[[\p{Hebrew}\p{Arabic}\p{Syriac}\p{Thaana}\p{Nko}\p{Adlam}]--\u061c]")
_NEAR = 200  # characters of the same line
# Each matches at the beginning of a run what belongs to the writing around it.
_ORDINARY = regex.compile(
    "|".join(
        (
            r"(?<=[0-9#*])\ufe0f(?=\u20e3)",
            r"(?<=[\p{Emoji}--[0-9#*]])[\ufe0e\ufe0f]",
            r"(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}][\ufe0e\ufe0f]?+)\u200d(?=\p{Extended_Pictographic})",
            r"(?<=\p{Extended_Pictographic}\ufe0f)\u200d(?=\p{Extended_Pictographic})",
            r"(?<=[\p{Han}\p{Sm}\p{Myanmar}\p{Phags_Pa}\p{Katakana}\p{Hiragana}0])[\ufe00-\ufe02]",
            r"(?<=\p{Han})[\U000e0100-\U000e01ef]",
            r"(?<=\p{Mongolian})[\u180b-\u180f]",
            rf"(?<=[{_JOINING}\p{{M}}])[\u200c\u200d]",
            rf"(?<=[{_UNSPACED}])\u200b(?=[{_UNSPACED}])",
            r"(?<=\p{Hebrew})\u034f",
            r"(?<=\p{Khmer})[\u17b4\u17b5]",
            r"(?<=\p{Hangul})[\u115f\u1160]|[\u115f\u1160](?=\p{Hangul})",
        )
    ),
    regex.V1,
)


@dataclass(frozen=True)
class Invisible:
    """A stretch of invisible characters of one kind, from start to end in characters."""

    kind: str
    start: int
    end: int


def invisible_stretches(text: str) -> Iterator[Invisible]:
    """Yield the stretches of invisible characters that ordinary writing does not have, in order.

    >>> [(one.kind, one.start) for one in invisible_stretches("pass\\u200bword 👩\\u200d🍳 می\\u200cخواهم a\\u202e")]
    [('zero width', 4), ('bidirectional controls', 24)]
    """
    for run in _RUN.finditer(text):
        start = run.start()
        place = start
        while place < run.end():
            if ordinary := _ordinary_end_or_none(text, place, run.start()):
                yield from _stretches_by_kind(text, start, place)
                start = place = ordinary
            else:
                place += 1
        yield from _stretches_by_kind(text, start, place)


def _ordinary_end_or_none(text: str, place: int, run_start: int) -> int | None:
    """Return where the ordinary characters end that begin at a place in a run; None if it has none."""
    character = text[place]
    if character in "\u200e\u200f\u061c":
        near = text[max(place - _NEAR, 0) : place].rpartition("\n")[2] + text[place : place + _NEAR].partition("\n")[0]
        return place + 1 if _RIGHT_TO_LEFT.search(near) else None
    if match := _FLAG.match(text, place):
        return match.end()
    if _KIND_OF[SELECTOR].match(character) and (
        (place > run_start and _KIND_OF[SELECTOR].match(text[place - 1]))
        or _KIND_OF[SELECTOR].match(text[place + 1 : place + 2])
    ):
        return None  # several in a row vary nothing
    return place + 1 if _ORDINARY.match(text, place) else None


def _stretches_by_kind(text: str, start: int, end: int) -> Iterator[Invisible]:
    """Yield a stretch for each kind of invisible characters in a row."""
    begin, kind = start, ""
    for place in range(start, end):
        of_this = next(name for name, pattern in _KIND_OF.items() if pattern.match(text[place]))
        if of_this != kind:
            if kind:
                yield Invisible(kind, begin, place)
            begin, kind = place, of_this
    if kind:
        yield Invisible(kind, begin, end)
