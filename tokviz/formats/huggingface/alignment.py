"""Alignment: which byte of a text each byte of its normal form comes from, so that tokens have places in the text.

The rule is SentencePiece's. A character that a normalizer left alone comes byte by byte; a changed one as a whole from
where it begins in the text, so of several tokens that share it the last has it and those before are empty.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Self


@dataclass(frozen=True)
class Alignment:
    """A normal form, in bytes, and where each of them and its end come from, in bytes of the text."""

    normalized: bytes
    origins: Sequence[int]

    @classmethod
    def of_normal_form(cls, text: str, characters: Iterable[tuple[str, int]]) -> Self:
        """Return that of a text; `characters` are its normal form, each with the number of the one it begins at.

        >>> Alignment.of_normal_form("ﬁé", [("f", 0), ("i", 0), ("é", 1)]).origins
        [0, 0, 3, 4, 5]
        """
        given = list(characters)
        byte_at = list(accumulate((len(character.encode()) for character in text), initial=0))
        starts = list(accumulate((start for _, start in given), max))
        origins: list[int] = []
        for (character, _), (start, stop) in zip(given, pairwise([*starts, len(text)]), strict=True):
            begin, n_bytes = byte_at[start], len(character.encode())
            same = text[start:stop] == character
            origins += range(begin, begin + n_bytes) if same else [begin] * n_bytes
        return cls("".join(character for character, _ in given).encode(), [*origins, byte_at[-1]])

    def cuts_if_spelled(self, tokens: Sequence[bytes]) -> list[int] | None:
        """Return where in the text each token but the last ends, in bytes; None for tokens of another text.

        Spaces at the beginning may differ, since one is put before a text and others may be left out.

        >>> half = Alignment.of_normal_form("½é", [("1", 0), ("⁄", 0), ("2", 0), ("é", 1)])
        >>> half.cuts_if_spelled([b" 1", "⁄2".encode(), "é".encode()])
        [0, 2]
        """
        joined = b"".join(tokens)
        if joined.lstrip(b" ") != self.normalized.lstrip(b" "):
            return None
        moved = len(self.normalized) - len(joined)
        ends = accumulate(map(len, tokens[:-1]))
        return [self.origins[max(0, end + moved)] for end in ends]
