"""The view of code points: a document as Unicode sees it, with the bytes of each character and the normal forms."""

from typing import Any

import numpy as np

from tokviz.live.document import Document, State, first_characters, text_of
from tokviz.live.edit import change_between
from tokviz.live.view import View
from tokviz.text.code_points import CATEGORIES, Character, characters, encoded_sizes, graphemes, normal_forms

CHARACTERS_MAX = 300  # one row each; nobody reads more
SIZED_MAX = 100_000  # characters whose sizes and graphemes are counted
FORM_POINTS = 60  # code points of a normal form that are written out
POINTS_BEFORE = 3  # of these, at most, before the first that differs from the text
# An edit of at most this many units, in a line and a text of at most this many characters, takes at most about 5 ms.
QUICK_EDIT = 3_000
QUICK_TEXT = 1_000_000


class UnicodeView(View):
    """The code points of one document."""

    kind = "unicode"

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._clusters = np.zeros(0, object)  # the graphemes that the browser has
        self._graphemes: dict[str, int] = {}  # how many there are in each line of the text
        self._longest = 0  # of these lines, in characters

    def is_reply_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most about 5 ms."""
        size, length = self.n_edited_and_all_units(whole=whole)
        return max(size, self._longest) <= QUICK_EDIT and length <= QUICK_TEXT

    def read_changed(self, states: tuple[State, ...]) -> None:
        """Read the beginning of the text."""
        self._sized = first_characters(states[0].units, SIZED_MAX)
        self._notice = notice_if_too_long(states[0], self._sized[:CHARACTERS_MAX])

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return everything shown of the text, or the graphemes that changed since the last reply."""
        sized, shown = self._sized, self._sized[:CHARACTERS_MAX]
        sent, self._clusters = self._clusters[: 0 if whole else None], np.array(graphemes(shown), object)
        change = change_between(sent, self._clusters)
        reply = {
            "at": change.start,
            "removed": change.old_stop - change.start,
            "clusters": [
                [character_data(each) for each in characters(cluster)]
                for cluster in self._clusters[change.start : change.new_stop]
            ],
            "characters": len(sized),
            "graphemes": self._n_graphemes(sized),
            "sizes": [vars(size) for size in encoded_sizes(sized)],
            "forms": [
                {"form": each.form, "unchanged": each.unchanged, "text": each.text, "length": len(each.text),
                 "points": form_points(each.text, shown)}
                for each in normal_forms(shown)
            ],
            "notice": self._notice,
        }  # fmt: skip
        if whole:
            reply["mark"] = byte_order_mark_data()
        return reply

    def _n_graphemes(self, text: str) -> int:
        """Return how many graphemes a text has, counting only in lines that the last text did not have.

        No grapheme continues across a line end.
        """
        lines = text.splitlines(keepends=True)
        known, self._graphemes = self._graphemes, {}
        for line in lines:
            if line not in self._graphemes:
                self._graphemes[line] = known.get(line) or len(graphemes(line))
        self._longest = max(map(len, lines), default=0)
        return sum(self._graphemes[line] for line in lines)


def notice_if_too_long(state: State, shown: str) -> str | None:
    """Return in words how much of a long text is shown, None if all of it is."""
    if state.length <= CHARACTERS_MAX:
        return None
    n_all = len(text_of(state.units))
    if n_all <= CHARACTERS_MAX:
        return None
    notice = f"The text has {n_all:,} characters; the rows and normal forms cover its first {len(shown)}"
    return notice + (f", the sizes its first {SIZED_MAX:,}." if n_all > SIZED_MAX else ".")


def character_data(character: Character) -> dict[str, Any]:
    """Return one character as it goes into a message, its bytes in hex.

    >>> (e,) = map(character_data, characters("é"))
    >>> e["code_point"], e["utf8"], e["utf16"]
    ('U+00E9', 'c3 a9', 'e9 00')
    """
    encodings = {name: getattr(character, name) for name in ("utf8", "utf16", "utf32")}
    return {
        "text": character.text,
        "code_point": character.code_point,
        "number": ord(character.text),
        "name": character.name,
        "category": CATEGORIES[character.category],
        **{name: data and data.hex(" ") for name, data in encodings.items()},
    }


def byte_order_mark_data() -> dict[str, Any]:
    """Return the byte order mark as a row; UTF-8, which has only one byte order, needs none.

    >>> mark = byte_order_mark_data()
    >>> mark["code_point"], mark["utf8"], mark["utf16"], mark["utf32"]
    ('U+FEFF', None, 'ff fe', 'ff fe 00 00')
    """
    (mark,) = characters("\ufeff")
    return character_data(mark) | {"name": "BYTE ORDER MARK", "category": "put in front by encoders", "utf8": None}


def form_points(form: str, text: str) -> list[tuple[str, bool]]:
    """Return code points of a normal form from shortly before its first difference on, and whether the text lacks each.

    >>> form_points("e\\u0301!", "é!")
    [('U+0065', True), ('U+0301', True), ('U+0021', False)]
    """
    same = next((i for i, (one, other) in enumerate(zip(form, text, strict=False)) if one != other), 0)
    start, own = max(0, same - POINTS_BEFORE), {*text}
    points = [(f"U+{ord(each):04X}", each not in own) for each in form[start : start + FORM_POINTS]]
    return [("…", False)] * (start > 0) + points + [("…", False)] * (len(form) > start + FORM_POINTS)
