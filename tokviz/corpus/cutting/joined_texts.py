"""JoinedTexts: many texts side by side as arrays of characters, so that numpy cuts and counts them all at once.

Pretokens are sorted as numbers, so that they need not be hashed one by one as strings.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from tokviz.core.unicode_classes import compiled_with_classes_of_tiktoken

# The kinds that cl100k distinguishes. There is an END before, between and after the texts.
END, LETTER, NUMBER, OTHER, LINE_END, SPACE, BLANK = range(7)  # in this order, so that `>=` finds white space
_CLASSES = ((r"\p{L}", LETTER), (r"\p{N}", NUMBER), (r"\s", BLANK), (r"[\r\n]", LINE_END), (" ", SPACE))
_ASCII_END, _END = "\xff", "\ud800"  # neither is in a text that is ASCII, or well-formed
LONGEST = 16  # bytes; these make two numbers of 64 bits
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
_FIRST = _MASKS[np.minimum(np.arange(LONGEST + 1), 8)]  # the bytes among the first eight, for each length
_SECOND = _MASKS[np.maximum(np.arange(LONGEST + 1) - 8, 0)]
_ODD = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)  # mix well


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
        self.kinds[beyond] = _kinds_of_first_characters(0x10000 if codes.max() < 0x10000 else 0x110000)[codes]
        n_bytes = np.ones(len(self.codes), np.int32)
        n_bytes[beyond] += 1 + (codes > 0x7FF) + (codes > 0xFFFF)
        self._bytes_before = n_bytes.cumsum(dtype=np.int32)
        self._bytes_before -= n_bytes

    def pretokens_with_partial_counts(self, starts: np.ndarray) -> list[tuple[str, int]]:
        """Return pretokens with their counts in the order of first occurrence; a few may be listed twice.

        starts: where pretokens start, in characters, ascending; each END counts as one.

        >>> JoinedTexts(["to be", "to"]).pretokens_with_partial_counts(np.array([0, 1, 3, 6, 7, 9]))
        [('to', 2), (' be', 1)]
        """
        at = starts if self._bytes_before is None else self._bytes_before[starts]
        sizes = np.diff(at)
        is_pretoken = self.kinds[starts[:-1]] != END
        short = np.flatnonzero(is_pretoken & (sizes <= LONGEST))
        long = np.flatnonzero(is_pretoken & (sizes > LONGEST))
        first, count = _first_indices_and_counts(self.utf8, at[short], sizes[short])
        index = np.concatenate([short[first], long])
        count = np.concatenate([count, np.ones(len(long), np.int64)])
        order = index.argsort()
        index, text = index[order], self.text
        slices = zip(starts[index].tolist(), starts[index + 1].tolist(), strict=True)
        return list(zip([text[begin:end] for begin, end in slices], count[order].tolist(), strict=True))


@cache
def _ascii_kinds() -> bytes:
    return _kinds_of_first_characters(128).tobytes() + bytes([END]) * 128


@cache
def _kinds_of_first_characters(n: int) -> np.ndarray:
    """Return the kinds of the first n characters, by their code points; for all of them it takes 50 ms."""
    characters = np.arange(n, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    kinds = np.full(n, OTHER, np.uint8)
    for character_class, kind in _CLASSES:
        for match in compiled_with_classes_of_tiktoken(f"{character_class}+").finditer(characters):
            kinds[match.start() : match.end()] = kind
    kinds[0xD800:0xE000] = END
    return kinds


def _first_indices_and_counts(data: bytes, at: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the index of the first of each group of equal slices, and the size of the group.

    Sorts hashes with the indices in their low bits. Slices of one hash are compared with the one before only, so two
    that share a hash can make several groups each; but no group has different slices.
    """
    padded = data + bytes(LONGEST)
    eight = [np.ndarray(len(data), np.uint64, padded, offset, strides=(1,)) for offset in (0, 8)]
    low, high = eight[0][at] & _FIRST[sizes], eight[1][at] & _SECOND[sizes]
    bits = np.uint64(len(at).bit_length())
    key = (low ^ low >> np.uint64(29)) * _ODD[0] + high * _ODD[1] + sizes.astype(np.uint64) * _ODD[2]
    key >>= bits
    key <<= bits
    key |= np.arange(len(key), dtype=np.uint64)
    key.sort()
    index = (key & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)
    is_first = np.ones(len(index), bool)
    is_first[1:] = False
    for column in (low, high, sizes):
        column = column[index]
        is_first[1:] |= column[1:] != column[:-1]
    begin = np.flatnonzero(is_first)
    return index[begin], np.diff(begin, append=len(index))
