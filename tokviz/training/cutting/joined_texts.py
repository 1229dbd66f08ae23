"""JoinedTexts: many texts side by side as arrays of characters, so that numpy cuts and counts them all at once."""

from collections.abc import Sequence
from functools import cache

import numpy as np
import regex

# What cl100k tells apart. END stands before, between and behind the texts.
END, LETTER, NUMBER, OTHER, LINE_END, SPACE, BLANK = range(7)  # in this order, so that `>=` finds white space
_CLASSES = ((r"\p{L}", LETTER), (r"\p{N}", NUMBER), (r"\s", BLANK), (r"[\r\n]", LINE_END), (" ", SPACE))
_ASCII_END, _END = "\xff", "\ud800"  # neither is in a text that is ASCII, or well-formed


class JoinedTexts:
    """Texts that are not empty and have no lone surrogates, joined; `codes` and `kinds` have an element a character.

    >>> joined = JoinedTexts(["a1", "b"])
    >>> joined.kinds.tolist() == [END, LETTER, NUMBER, END, LETTER, END]
    True
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._bytes_before: np.ndarray | None = None  # for each character; None where that is its index
        if all(map(str.isascii, texts)):
            self.text = _ASCII_END.join(["", *texts, ""])
            self.utf8 = self.text.encode("latin-1")
            self.codes = np.frombuffer(self.utf8, np.uint8)
            self.kinds = np.frombuffer(self.utf8.translate(_ascii_kinds()), np.uint8)
            return
        self.text = _END.join(["", *texts, ""])
        self.utf8 = self.text.encode("utf-8", "surrogatepass")
        self.codes = np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), "<u4")
        # Few characters of most texts are not ASCII, and looking up the others in a small table is quicker.
        self.kinds = np.frombuffer(bytearray(self.text.encode("ascii", "replace").translate(_ascii_kinds())), np.uint8)
        beyond = np.flatnonzero(self.codes > 0x7F)
        codes = self.codes[beyond]
        self.kinds[beyond] = _kinds(0x10000 if codes.max() < 0x10000 else 0x110000)[codes]
        n_bytes = np.ones(len(self.codes), np.int32)
        n_bytes[beyond] += 1 + (codes > 0x7FF) + (codes > 0xFFFF)
        self._bytes_before = n_bytes.cumsum(dtype=np.int32)
        self._bytes_before -= n_bytes

    def byte_places(self, places: np.ndarray) -> np.ndarray:
        """Return where characters begin in `utf8`."""
        return places if self._bytes_before is None else self._bytes_before[places]


@cache
def _ascii_kinds() -> bytes:
    return _kinds(128).tobytes() + bytes([END]) * 128


@cache
def _kinds(n: int) -> np.ndarray:
    """Return the kinds of the first n characters, by their code points; for all of them it takes 50 ms."""
    characters = np.arange(n, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    kinds = np.full(n, OTHER, np.uint8)
    for character_class, kind in _CLASSES:
        for match in regex.finditer(f"{character_class}+", characters):
            kinds[match.start() : match.end()] = kind
    kinds[0xD800:0xE000] = END
    return kinds
