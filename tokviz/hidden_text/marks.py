"""What hides in a text, where it stands, what it says, and the text without it."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from tokviz.core.pretokens import well_formed
from tokviz.hidden_text.invisible import BIDI, CONTROL, SELECTOR, TAG, ZERO_WIDTH, invisible
from tokviz.hidden_text.look_alikes import look_alikes
from tokviz.hidden_text.messages import bit_message, selector_message, tag_message

LOOK_ALIKE, STACK, NOT_NFC = "look-alikes", "stacked marks", "not NFC"
KINDS = {
    TAG: "Invisible copies of ASCII characters. A model can read a message in them.",
    SELECTOR: "They choose between forms of the character before them. In a row they can carry bytes.",
    ZERO_WIDTH: "Characters without width. They split a word that looks whole.",
    BIDI: "They change the order in which characters are shown, so that a text reads differently from what it says.",
    CONTROL: "Characters for devices, which most screens do not show.",
    LOOK_ALIKE: "Letters of another script that look like those of their word.",
    STACK: "More combining marks on a letter than any script needs.",
    NOT_NFC: "Characters that Unicode's normal form C writes differently, though they look the same.",
}
# Four: polytonic Greek has three on a letter, and no script needs nine.
_STACK = regex.compile(
    r"(?V1)[\u0300-\u036f\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4,}+|[\p{M}--\p{DI}]{9,}+"
)
_GRAPHEME = regex.compile(r"(?=[\x00-\x7f]?[^\x00-\x7f])\X")  # but those of ASCII alone, which have one form
_ROUNDS_MAX = 10  # what is left out may bring together what was apart


@dataclass(frozen=True)
class Mark:
    """A stretch of a text that hides something, with its place in characters, UTF-8 bytes and UTF-16 units.

    kind: one of `KINDS`. replacement: what stands there in the text without it. message: what it spells, None if
    nothing readable.
    """

    kind: str
    text: str
    replacement: str
    message: str | None
    char_start: int
    char_end: int
    byte_start: int
    byte_end: int
    utf16_start: int
    utf16_end: int


def hidden(text: str) -> tuple[Mark, ...]:
    """Return what hides in a text, in order; lone surrogates become U+FFFD first.

    Invisible characters that ordinary writing needs are no marks, such as the joiners of emoji and of Hindi. Sources:
    Unicode's UTS 39 and UTR 36, "Trojan Source" (Boucher and Anderson 2021) and "Bad Characters" (Boucher et al. 2022).

    >>> marks = hidden("Nice!" + "".join(chr(0xE0000 + ord(c)) for c in "obey") + " p\\u0430ypal")
    >>> [(mark.kind, mark.char_start, mark.message, mark.replacement) for mark in marks]
    [('tag characters', 5, 'obey', ''), ('look-alikes', 11, None, 'a')]
    """
    text = well_formed(text)
    found = sorted(_stretches(text))
    marks, byte, unit, done = [], 0, 0, 0
    for start, end, kind, replacement in found:
        if start < done:
            continue  # in one that begins before it
        before, held = text[done:start], text[start:end]
        byte, unit = byte + len(before.encode()), unit + _units(before)
        n_bytes, n_units = len(held.encode()), _units(held)
        message = _message(kind, held)
        marks.append(Mark(kind, held, replacement, message, start, end, byte, byte + n_bytes, unit, unit + n_units))
        byte, unit, done = byte + n_bytes, unit + n_units, end
    return tuple(marks)


def without_hidden(text: str) -> str:
    """Return a text without what hides in it: look-alikes become the letters they look like, and all is in NFC.

    >>> without_hidden("p\\u0430ss\\u200bwo\\u202erd cafe\\u0301") == "password caf\\u00e9"
    True
    """
    text = well_formed(text)
    for _ in range(_ROUNDS_MAX):
        marks = hidden(text)
        if not marks:
            break
        parts, done = [], 0
        for mark in marks:
            parts += [text[done : mark.char_start], mark.replacement]
            done = mark.char_end
        text = "".join((*parts, text[done:]))
    return text


def _stretches(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield start, end in characters, kind and replacement of all that hides."""
    for one in invisible(text):
        yield one.start, one.end, one.kind, ""
    if text.isascii():
        return
    for start, letter in look_alikes(text):
        yield start, start + 1, LOOK_ALIKE, letter
    for match in _STACK.finditer(text):
        yield match.start(), match.end(), STACK, ""
    if not unicodedata.is_normalized("NFC", text):
        for match in _GRAPHEME.finditer(text):
            normal = unicodedata.normalize("NFC", match[0])
            if normal != match[0] and not _STACK.search(match[0]):
                yield match.start(), match.end(), NOT_NFC, normal


def _units(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


def _message(kind: str, held: str) -> str | None:
    if kind == TAG:
        return tag_message(held) or None
    if kind == SELECTOR:
        return selector_message(held)
    return bit_message(held) if kind == ZERO_WIDTH else None
