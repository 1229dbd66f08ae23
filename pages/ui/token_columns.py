"""Tokens as columns of numbers, and the change from old to new ones as a browser takes it.

In: token spans. Out: columns, and what differs between two of them, packed. Offsets are UTF-16 units,
since that is how a browser counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from tokviz import TokenSpans
from tokviz.live.columns import packed


def utf16_units(text: str) -> np.ndarray:
    """Return the UTF-16 units of a text, lone surrogates included."""
    return np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16)


def text_of(units: np.ndarray) -> str:
    """Return the text of UTF-16 units."""
    return units.tobytes().decode("utf-16-le", "surrogatepass")


def common_ends(old: Sequence[np.ndarray], new: Sequence[np.ndarray]) -> tuple[int, int]:
    """Return how many rows at the front and, of the rest, at the end two lists of columns share."""
    shorter = min(len(old[0]), len(new[0]))
    front = _first_difference([(a[:shorter], b[:shorter]) for a, b in zip(old, new, strict=True)], shorter)
    rest = shorter - front
    tails = [(a[len(a) - rest :][::-1], b[len(b) - rest :][::-1]) for a, b in zip(old, new, strict=True)]
    return front, _first_difference(tails, rest)


def _first_difference(pairs: list[tuple[np.ndarray, np.ndarray]], length: int) -> int:
    if not length:
        return 0
    different = pairs[0][0] != pairs[0][1]
    for a, b in pairs[1:]:
        different |= a != b
    first = int(different.argmax())
    return first if different[first] else length


@dataclass(frozen=True)
class TokenColumns:
    """Tokens as columns: id, size in bytes, UTF-16 units from the start before it, width in UTF-16 units."""

    ids: np.ndarray
    sizes: np.ndarray
    advances: np.ndarray
    widths: np.ndarray

    @classmethod
    def of(cls, spans: TokenSpans) -> "TokenColumns":
        """Return the columns of token spans."""
        return cls(
            ids=spans.ids,
            sizes=spans.byte_ends - spans.byte_starts,
            advances=np.diff(spans.utf16_starts, prepend=0),
            widths=spans.utf16_ends - spans.utf16_starts,
        )

    def all(self) -> list[np.ndarray]:
        """Return the columns in order."""
        return [getattr(self, f.name) for f in fields(self)]


NO_COLUMNS = TokenColumns(*(np.zeros(0, np.int32) for _ in range(4)))


def column_change(old: TokenColumns, new: TokenColumns, text: str) -> dict[str, Any]:
    """Return the change from old to new columns, for the browser; `text` is what the new ones are of."""
    front, back = common_ends(old.all(), new.all())
    stop = len(new.ids) - back
    change: dict[str, Any] = {"at": front, "removed": len(old.ids) - front - back, "end": len(utf16_units(text))}
    for column in fields(new):
        change[column.name] = packed(getattr(new, column.name)[front:stop])
    return change
