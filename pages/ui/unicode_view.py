"""A text as Unicode sees it, drawn by the component in `assets/unicode_view`: code points, bytes, normal forms."""

import hashlib
from itertools import groupby
from typing import Any

from pages.ui.components import Component
from tokviz.unicode_forms import CATEGORIES, Character, characters, encoded_sizes, graphemes, normal_forms

UNICODE_VIEW = Component("unicode_view", ("token_view", "unicode_view"))
CHARACTERS_MAX = 300  # a row each; nobody reads more
SIZED_MAX = 100_000  # characters whose sizes and graphemes are counted
FORM_POINTS = 60  # code points of a normal form that are written out


def unicode_view(text: str, *, key: str) -> None:
    """Show the code points of a text with their bytes in three encodings, its sizes, and its normal forms.

    Of a long text the beginning is shown, which is said. Lone surrogates are shown as what they are.
    """
    UNICODE_VIEW.show(key=key, data=unicode_data(text))


def unicode_data(text: str) -> dict[str, Any]:
    """Return what the component draws.

    >>> data = unicode_data("é")
    >>> data["clusters"][0][0]["utf8"], data["clusters"][0][0]["utf16"], data["characters"], data["notice"]
    ('c3 a9', 'e9 00', 1, None)
    >>> data["mark"]["code_point"], data["mark"]["utf8"], data["mark"]["utf16"], data["mark"]["utf32"]
    ('U+FEFF', None, 'ff fe', 'ff fe 00 00')
    """
    sized, shown = text[:SIZED_MAX], text[:CHARACTERS_MAX]
    made = hashlib.sha1(text[: SIZED_MAX + 1].encode("utf-8", "surrogatepass")).hexdigest()
    notice = None
    if len(text) > CHARACTERS_MAX:
        notice = f"The text has {len(text):,} characters; the rows and the normal forms are of its first {len(shown)}"
        notice += f", the sizes of its first {SIZED_MAX:,}." if len(text) > SIZED_MAX else "."
    return {
        "made": made,
        "mark": _mark(),
        "clusters": [list(map(_row, cluster)) for _, cluster in groupby(characters(shown), lambda c: c.grapheme)],
        "characters": len(sized),
        "graphemes": len(graphemes(sized)),
        "sizes": [vars(size) for size in encoded_sizes(sized)],
        "forms": [
            {**vars(form), "length": len(form.text), "points": _points(form.text)} for form in normal_forms(shown)
        ],
        "notice": notice,
    }


def _row(character: Character) -> dict[str, Any]:
    """Return one character for the browser, its bytes in hex."""
    encodings = {name: getattr(character, name) for name in ("utf8", "utf16", "utf32")}
    return {
        "text": character.text,
        "code_point": character.code_point,
        "number": ord(character.text),
        "name": character.name,
        "category": CATEGORIES[character.category],
        **{name: data and data.hex(" ") for name, data in encodings.items()},
    }


def _mark() -> dict[str, Any]:
    """Return the byte order mark as a row of its own: UTF-8, which has only one order, needs none."""
    (mark,) = characters("\ufeff")
    return _row(mark) | {"name": "BYTE ORDER MARK", "category": "put in front by encoders", "utf8": None}


def _points(text: str) -> str:
    """Return the code points of a text in words, of a long one the first."""
    points = " ".join(f"U+{ord(character):04X}" for character in text[:FORM_POINTS])
    return points + (" …" if len(text) > FORM_POINTS else "")
