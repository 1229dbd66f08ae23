"""The view of code points: a document as Unicode sees it, with the bytes of each character and the normal forms."""

import threading
from collections.abc import Mapping
from typing import Any

from tokviz.analysis.code_points import CATEGORIES, Character, characters, encoded_sizes, graphemes, normal_forms
from tokviz.live.document import Document, State, beginning, text_of
from tokviz.live.edit import Change

CHARACTERS_MAX = 300  # one row each; nobody reads more
SIZED_MAX = 100_000  # characters whose sizes and graphemes are counted
FORM_POINTS = 60  # code points of a normal form that are written out
# An edit of at most so many units, in a line and a text of at most so many characters, takes some 5 ms at most.
QUICK_EDIT = 3_000
QUICK_TEXT = 1_000_000


class UnicodeView:
    """The code points of one document. Hold `lock` around `reply` and `answer`."""

    kind = "unicode"

    def __init__(self, document: Document) -> None:
        self.lock = threading.Lock()
        self.document = document
        self._told = -1
        self._clusters: list[str] = []  # the graphemes that the browser has
        self._graphemes: dict[str, int] = {}  # how many there are in each line of the text
        self._longest = 0  # of these lines, in characters

    @property
    def is_behind(self) -> bool:
        """Whether there may be news for the browser."""
        return self.document.state.changes != self._told

    def is_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most some 5 ms."""
        state, change = self.document.since(self._told)
        size = state.length if whole or change is None else change.new_stop - change.start
        return max(size, self._longest) <= QUICK_EDIT and state.length <= QUICK_TEXT

    def reply(self, *, whole: bool) -> dict[str, Any]:
        """Return everything shown of the text as it is now, or the graphemes that changed since the last reply."""
        state, _ = self.document.since(0)
        sized = beginning(state.units, SIZED_MAX)
        shown = sized[:CHARACTERS_MAX]
        sent, clusters = [] if whole else self._clusters, graphemes(shown)
        change = change_of_lists(sent, clusters)
        self._clusters, self._told = clusters, state.changes
        reply = {
            "of": [state.version, state.sequence],
            "at": change.start,
            "removed": change.old_stop - change.start,
            "clusters": [list(map(row, characters(cluster))) for cluster in clusters[change.start : change.new_stop]],
            "characters": len(sized),
            "graphemes": self._n_graphemes(sized),
            "sizes": [vars(size) for size in encoded_sizes(sized)],
            "forms": [
                {"form": each.form, "unchanged": each.unchanged, "text": each.text, "length": len(each.text),
                 "points": code_points(each.text)}
                for each in normal_forms(shown)
            ],
            "notice": too_long(state, shown),
        }  # fmt: skip
        if whole:
            reply["mark"] = byte_order_mark()
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

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Raise ValueError: this view takes no questions."""
        raise ValueError("the view of code points has no answers")


def change_of_lists(old: list[str], new: list[str]) -> Change:
    """Return what differs between two short lists.

    >>> change_of_lists(["a", "b", "c"], ["a", "x", "y", "c"])
    Change(start=1, old_stop=2, new_stop=3)
    """
    shorter = min(len(old), len(new))
    front = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    rest = shorter - front
    back = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    return Change(front, len(old) - back, len(new) - back)


def too_long(state: State, shown: str) -> str | None:
    """Return in words how much of a long text is shown, None if all of it is."""
    if state.length <= CHARACTERS_MAX:
        return None
    n_all = len(text_of(state.units))
    if n_all <= CHARACTERS_MAX:
        return None
    notice = f"The text has {n_all:,} characters; the rows and normal forms cover its first {len(shown)}"
    return notice + (f", the sizes its first {SIZED_MAX:,}." if n_all > SIZED_MAX else ".")


def row(character: Character) -> dict[str, Any]:
    """Return one character as it goes into a message, its bytes in hex.

    >>> (e,) = map(row, characters("é"))
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


def byte_order_mark() -> dict[str, Any]:
    """Return the byte order mark as a row; UTF-8, which has only one byte order, needs none.

    >>> mark = byte_order_mark()
    >>> mark["code_point"], mark["utf8"], mark["utf16"], mark["utf32"]
    ('U+FEFF', None, 'ff fe', 'ff fe 00 00')
    """
    (mark,) = characters("\ufeff")
    return row(mark) | {"name": "BYTE ORDER MARK", "category": "put in front by encoders", "utf8": None}


def code_points(text: str) -> str:
    """Return the code points of a text in words, or the first of many."""
    points = " ".join(f"U+{ord(character):04X}" for character in text[:FORM_POINTS])
    return points + (" …" if len(text) > FORM_POINTS else "")
