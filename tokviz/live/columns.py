"""Tokens as columns of numbers, how one stretch of them replaces another, and how a message packs them.

Offsets are UTF-16 units, since that is how a browser counts.
"""

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np

from tokviz import TokenSpans
from tokviz.live.edit import Change, n_leading_true

STARTS = 2  # their row


class TokenColumns:
    """Tokens as columns: id, size in bytes, UTF-16 units before it, width in UTF-16 units.

    rows: all of them, int32, one below the other.
    """

    def __init__(self, rows: np.ndarray) -> None:
        self.rows = rows
        self.ids, self.sizes, self.starts, self.widths = rows

    @classmethod
    def of_spans(cls, spans: TokenSpans, origin: int = 0) -> "TokenColumns":
        """Return the columns of token spans whose text begins at the unit `origin`."""
        sizes, widths = spans.byte_ends - spans.byte_starts, spans.utf16_ends - spans.utf16_starts
        return cls(np.stack([spans.ids, sizes, spans.utf16_starts + np.int32(origin), widths]))

    @classmethod
    def concatenation(cls, parts: Sequence["TokenColumns"]) -> "TokenColumns":
        """Return one after the other; each says itself where in the text it is."""
        return cls(np.concatenate([part.rows for part in parts], axis=1))

    def __len__(self) -> int:
        return len(self.ids)

    def without_prefix_spaces(self, firsts: Sequence[int]) -> "TokenColumns":
        """Return the columns without the spaces with which these tokens begin, and which are not in the text."""
        if not firsts:
            return self
        is_first = np.zeros(len(self), np.int32)
        is_first[firsts] = 1
        starts = self.starts - np.cumsum(is_first, dtype=np.int32) + is_first
        return TokenColumns(np.stack([self.ids, self.sizes - is_first, starts, self.widths - is_first]))

    def token_slice(self, start: int, stop: int) -> "TokenColumns":
        """Return the tokens start..stop-1."""
        return TokenColumns(self.rows[:, start:stop])

    def with_replacement(self, change: Change, new: "TokenColumns", shift: int) -> "TokenColumns":
        """Return these tokens with a stretch of them replaced by new ones; later tokens move by `shift` units."""
        rows = np.concatenate([self.rows[:, : change.start], new.rows, self.rows[:, change.old_stop :]], axis=1)
        rows[STARTS, change.new_stop :] += np.int32(shift)
        return TokenColumns(rows)

    def n_common_at_start_and_end(self, new: "TokenColumns", shift: int) -> tuple[int, int]:
        """Return how many tokens at the front and, of the rest, at the end are the same, apart from `shift`."""
        shorter = min(len(self), len(new))
        front = n_leading_true((self.rows[:, :shorter] == new.rows[:, :shorter]).all(axis=0))
        rest = shorter - front
        moved = self.rows[:, len(self) - rest :].copy()
        moved[STARTS] += np.int32(shift)
        return front, n_leading_true((moved == new.rows[:, len(new) - rest :]).all(axis=0)[::-1])

    def message_data(self) -> dict[str, Any]:
        """Return the tokens as they go into a message: packed columns, and where the first token starts."""
        return {
            "ids": packed_numbers(self.ids),
            "sizes": packed_numbers(self.sizes),
            "widths": packed_numbers(self.widths),
            "from": int(self.starts[0]) if len(self) else 0,
            "advances": packed_numbers(np.diff(self.starts, prepend=self.starts[:1])),
        }


NO_TOKENS = TokenColumns(np.zeros((4, 0), np.int32))


def packed_numbers(numbers: np.ndarray) -> list[int | str]:
    """Return numbers as [bytes per number, base64], with as few bytes as the largest needs.

    >>> packed_numbers(np.array([1, 2, 255]))
    [1, 'AQL/']
    """
    largest = int(numbers.max(initial=0))
    width = 1 if largest < 2**8 else 2 if largest < 2**16 else 4
    return [width, base64.b64encode(numbers.astype(f"<u{width}").tobytes()).decode()]
