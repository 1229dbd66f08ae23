"""What hides in a text: its places, what it spells and costs, and the text without it.

ASCII is spelled in tags, bytes in variation selectors, bits in characters without width.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import regex

from tokviz.core.pretokens import well_formed_text
from tokviz.core.protocol import as_tokenizer
from tokviz.core.spans import text_spans
from tokviz.text.glyphs import text_or_none
from tokviz.text.invisible import BIDI, CONTROL, SELECTOR, TAG, ZERO_WIDTH, invisible_stretches
from tokviz.text.look_alikes import look_alike_replacements

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
_GRAPHEME = regex.compile(r"(?=[\x00-\x7f]?[^\x00-\x7f])\X")  # except ASCII alone, which has one form
TAGS = range(0xE0020, 0xE007F)  # each is a copy of an ASCII character
_LOW, _HIGH = range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0)  # variation selectors 1 to 16, and 17 to 256
_ROUNDS_MAX = 10  # what is left out may bring together what was apart


@dataclass(frozen=True)
class Mark:
    """A stretch of a text that hides something, with its place in characters, UTF-8 bytes and UTF-16 units.

    kind: one of `KINDS`. replacement: what takes its place in the text without it. message: what it spells, None if
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

    Invisible characters that ordinary writing needs are not marks, such as the joiners of emoji and of Hindi. Sources:
    Unicode's UTS 39 and UTR 36, "Trojan Source" (Boucher and Anderson 2021) and "Bad Characters" (Boucher et al. 2022).

    >>> marks = hidden("Nice!" + "".join(chr(0xE0000 + ord(c)) for c in "obey") + " p\\u0430ypal")
    >>> [(mark.kind, mark.char_start, mark.message, mark.replacement) for mark in marks]
    [('tag characters', 5, 'obey', ''), ('look-alikes', 11, None, 'a')]
    """
    text = well_formed_text(text)
    found = sorted(_hidden_stretches(text))
    marks, byte, unit, done = [], 0, 0, 0
    for start, end, kind, replacement in found:
        if start < done:
            continue  # in one that begins before it
        before, held = text[done:start], text[start:end]
        byte, unit = byte + len(before.encode()), unit + _utf16_length(before)
        n_bytes, n_units = len(held.encode()), _utf16_length(held)
        message = _spelled_message_or_none(kind, held)
        marks.append(Mark(kind, held, replacement, message, start, end, byte, byte + n_bytes, unit, unit + n_units))
        byte, unit, done = byte + n_bytes, unit + n_units, end
    return tuple(marks)


def without_hidden(text: str) -> str:
    """Return a text without what hides in it: look-alikes become the letters they look like, and all is in NFC.

    >>> without_hidden("p\\u0430ss\\u200bwo\\u202erd cafe\\u0301") == "password caf\\u00e9"
    True
    """
    text = well_formed_text(text)
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


def _hidden_stretches(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield start, end in characters, kind and replacement of all that hides."""
    for one in invisible_stretches(text):
        yield one.start, one.end, one.kind, ""
    if text.isascii():
        return
    for start, letter in look_alike_replacements(text):
        yield start, start + 1, LOOK_ALIKE, letter
    for match in _STACK.finditer(text):
        yield match.start(), match.end(), STACK, ""
    if not unicodedata.is_normalized("NFC", text):
        for match in _GRAPHEME.finditer(text):
            normal = unicodedata.normalize("NFC", match[0])
            if normal != match[0] and not _STACK.search(match[0]):
                yield match.start(), match.end(), NOT_NFC, normal


def _utf16_length(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


def _spelled_message_or_none(kind: str, held: str) -> str | None:
    if kind == TAG:
        return tag_message(held) or None
    if kind == SELECTOR:
        return selector_message(held)
    return bit_message(held) if kind == ZERO_WIDTH else None


def tag_message(characters: str) -> str:
    """Return the ASCII text that tag characters spell; others among them are left out.

    >>> tag_message("\\U000e0048\\U000e0069")
    'Hi'
    """
    return "".join(chr(ord(c) - 0xE0000) for c in characters if ord(c) in TAGS)


def selector_message(characters: str) -> str | None:
    """Return the text whose UTF-8 variation selectors spell, a byte each (Butler 2025); None if it is none.

    >>> selector_message("\\U000e0138\\U000e0159")
    'Hi'
    """
    points = map(ord, characters)
    found = bytes(p - _LOW.start if p in _LOW else p - _HIGH.start + 16 for p in points if p in _LOW or p in _HIGH)
    return _readable_text_or_none(found)


def bit_message(characters: str) -> str | None:
    """Return the text that two different characters spell as 0 and 1, eight to a byte; None if it is none.

    >>> bit_message("".join("\\u200b\\u200c"[int(bit)] for bit in f"{ord('H'):08b}{ord('i'):08b}"))
    'Hi'
    """
    both = sorted(set(characters))
    if len(both) != 2 or len(characters) % 8:
        return None
    for zero, one in (both, both[::-1]):
        bits = characters.replace(zero, "0").replace(one, "1")
        if text := _readable_text_or_none(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8)):
            return text
    return None


def _readable_text_or_none(data: Iterable[int]) -> str | None:
    """Return bytes as text if they are UTF-8 that people can read, and not one byte alone."""
    text = text_or_none(bytes(data)) or ""
    return text if len(text) > 1 and all(c.isprintable() or c in "\n\t\r" for c in text) else None


@dataclass(frozen=True)
class HiddenCost:
    """The tokens of a text, and of the text without what hides in it.

    of_marks: for each mark, in order, how many tokens hold some of it; two marks may share one.
    """

    n_tokens: int
    n_without: int
    of_marks: tuple[int, ...]

    @property
    def extra(self) -> int:
        """The tokens more because of what hides; it may be below 0."""
        return self.n_tokens - self.n_without


def hidden_cost(tokenizer: Any, text: str) -> HiddenCost:
    """Return what it costs that something hides in a text, under a tokenizer of any family; ValueError as `encode`.

    >>> import tokviz
    >>> cost = hidden_cost(tokviz.load("cl100k_base"), "pass\\u200bword")
    >>> cost.n_tokens, cost.n_without, cost.of_marks
    (3, 1, (1,))
    """
    text, tokenizer = well_formed_text(text), as_tokenizer(tokenizer, "the cost of hidden text")
    marks, spans = hidden(text), text_spans(tokenizer, text)
    if not marks:
        return HiddenCost(len(spans), len(spans), ())
    held = (int(((spans.char_starts < mark.char_end) & (spans.char_ends > mark.char_start)).sum()) for mark in marks)
    return HiddenCost(len(spans), tokenizer.count(without_hidden(text)), tuple(held))
