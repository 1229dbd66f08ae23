"""A text as Unicode sees it: code points, their bytes in three encodings, graphemes, and normal forms.

Texts may hold lone surrogates. UTF-16 and UTF-32 have the lowest byte first, as on nearly every computer today.
"""

import codecs
import unicodedata
from dataclasses import dataclass
from typing import Literal

import regex

ENCODINGS = {"UTF-8": "utf-8", "UTF-16": "utf-16-le", "UTF-32": "utf-32-le"}
# What encoders of these names put before a text, so that readers know the order of its bytes.
BYTE_ORDER_MARKS = {"UTF-8": b"", "UTF-16": codecs.BOM_UTF16_LE, "UTF-32": codecs.BOM_UTF32_LE}
NORMAL_FORMS: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")

CATEGORIES = {
    "Lu": "capital letter", "Ll": "small letter", "Lt": "title-case letter", "Lm": "modifier letter",
    "Lo": "letter", "Mn": "combining mark", "Mc": "combining mark with a width", "Me": "enclosing mark",
    "Nd": "digit", "Nl": "number letter", "No": "other number", "Pc": "connecting punctuation", "Pd": "dash",
    "Ps": "opening bracket", "Pe": "closing bracket", "Pi": "opening quote", "Pf": "closing quote",
    "Po": "punctuation", "Sm": "mathematical symbol", "Sc": "currency symbol", "Sk": "modifier symbol",
    "So": "symbol", "Zs": "space", "Zl": "line separator", "Zp": "paragraph separator", "Cc": "control character",
    "Cf": "invisible format character", "Cs": "half of a surrogate pair", "Co": "private use", "Cn": "not assigned",
}  # fmt: skip
# Unicode gives control characters no names, only aliases, which `lookup` takes.
_CONTROLS = (
    "NULL", "BELL", "BACKSPACE", "CHARACTER TABULATION", "LINE FEED", "LINE TABULATION", "FORM FEED",
    "CARRIAGE RETURN", "ESCAPE", "DELETE", "NEXT LINE",
)  # fmt: skip
_CONTROL_NAMES = {unicodedata.lookup(name): name for name in _CONTROLS} | {"\x07": "ALERT"}
_GRAPHEME = regex.compile(r"\X")


@dataclass(frozen=True)
class Character:
    """One code point of a text; the category is Unicode's two letters.

    utf8, utf16, utf32: its bytes, lowest first; None in UTF-8 and UTF-32 for a lone surrogate.
    """

    text: str
    name: str
    category: str
    utf8: bytes | None
    utf16: bytes
    utf32: bytes | None

    @property
    def code_point(self) -> str:
        """The code point as Unicode writes it, such as U+0E01."""
        return f"U+{ord(self.text):04X}"


@dataclass(frozen=True)
class Encoded:
    """A text in one encoding: how many bytes it has, how many are zero, and how many the byte order mark adds."""

    encoding: str
    n_bytes: int
    n_zero: int
    n_mark: int


@dataclass(frozen=True)
class NormalForm:
    """A text in one normal form, and whether that is the text as it was given."""

    form: str
    text: str
    unchanged: bool


def characters(text: str) -> list[Character]:
    """Return the code points of a text in order.

    >>> _, accent = characters("e\\u0301")
    >>> accent.name, accent.category, accent.utf8, accent.utf16
    ('COMBINING ACUTE ACCENT', 'Mn', b'\\xcc\\x81', b'\\x01\\x03')
    >>> characters("\\ud83d")[0].utf8 is None, characters("\\ud83d")[0].utf16
    (True, b'=\\xd8')
    """
    found: list[Character] = []
    for character in text:
        category = unicodedata.category(character)
        lone = category == "Cs"
        found.append(
            Character(
                character,
                character_name(character),
                category,
                None if lone else character.encode("utf-8"),
                character.encode("utf-16-le", "surrogatepass"),
                None if lone else character.encode("utf-32-le"),
            )
        )
    return found


def character_name(character: str) -> str:
    """Return the Unicode name of a character, or what it is if it has no name.

    >>> character_name("ก"), character_name("\\n"), character_name("\\ud83d")
    ('THAI CHARACTER KO KAI', 'LINE FEED', 'HALF OF A SURROGATE PAIR')
    """
    name = unicodedata.name(character, "") or _CONTROL_NAMES.get(character)
    return name or CATEGORIES[unicodedata.category(character)].upper()


def graphemes(text: str) -> list[str]:
    """Return what a reader sees as single characters: extended grapheme clusters, by the Unicode of `regex`.

    >>> graphemes("e\\u0301👩‍🍳น้ำ") == ["e\\u0301", "👩‍🍳", "น้ำ"]
    True
    """
    return _GRAPHEME.findall(text)


def encoded_sizes(text: str) -> list[Encoded]:
    """Return the size of a text in each encoding, with lone surrogates as U+FFFD, and how many bytes are zero.

    An encoder adds the bytes of the byte order mark: `len("aก".encode("utf-16"))` is 6.

    >>> [(size.encoding, size.n_bytes, size.n_zero, size.n_mark) for size in encoded_sizes("aก")]
    [('UTF-8', 4, 0, 0), ('UTF-16', 4, 1, 2), ('UTF-32', 8, 5, 4)]
    """
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    sizes = []
    for name, codec in ENCODINGS.items():
        data = text.encode(codec)
        sizes.append(Encoded(name, len(data), data.count(0), len(BYTE_ORDER_MARKS[name])))
    return sizes


def normal_forms(text: str) -> list[NormalForm]:
    """Return the four normal forms: composed and decomposed, and both with look-alikes replaced (K).

    >>> [(form.form, len(form.text), form.unchanged) for form in normal_forms("éﬁ")]
    [('NFC', 2, True), ('NFD', 3, False), ('NFKC', 3, False), ('NFKD', 4, False)]
    """
    forms = ((form, unicodedata.normalize(form, text)) for form in NORMAL_FORMS)
    return [NormalForm(form, normal, normal == text) for form, normal in forms]
