"""Where token ids are not those that encoding their text gives, and why.

Ids made by a model, cut from a longer list, or joined from two need not be canonical: encode(decode(ids)) gives others
(retokenization drift). Both lists are aligned where they end tokens at the same byte.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from tokviz.core import bpe
from tokviz.core.spans import text_and_byte_offsets
from tokviz.core.tokenizer import Tokenizer, tokenizer_with_merges

NOT_UTF8, NORMALIZED, SPECIAL, BYTES, PRETOKENS, MERGE, UNREACHED = (
    "not UTF-8", "normalized", "special token", "bytes", "pretoken boundary", "merge", "no merges"
)  # fmt: skip


@dataclass(frozen=True)
class Difference:
    """A stretch where ids and canonical ids differ: ids[start:end] and canonical[canonical_start:canonical_end].

    byte_start, byte_end: its place in the bytes of the ids. reason: "not UTF-8" (bytes that are no character
    become U+FFFD), "normalized" (the text is changed before it is split), "special token" (its text is plain text),
    "bytes" (of a character that is a token), "pretoken boundary" (a token reaches across one), "merge" (`merged`, two
    tokens that a merge joins, are apart in the ids; it comes first of those), or "no merges" (none lead to a token of
    these).
    """

    start: int
    end: int
    canonical_start: int
    canonical_end: int
    byte_start: int
    byte_end: int
    reason: str
    merged: tuple[bytes, bytes] | None = None


@dataclass(frozen=True, eq=False)
class Canonical:
    """Ids, the canonical ids of their text, and where they differ."""

    text: str
    ids: list[int]
    canonical: list[int]
    differences: tuple[Difference, ...]

    @property
    def is_canonical(self) -> bool:
        """Whether the ids are those that encoding gives."""
        return self.ids == self.canonical


def canonical(tokenizer: Any, ids: Iterable[int], *, allowed_special: str | Collection[str] = ()) -> Canonical:
    """Return ids with the canonical ids of their text, and where and why they differ.

    A space that the tokenizer puts in front is not in the text.
    Raises UnknownTokenError for an id that the tokenizer does not have, FamilyError if its merges are not known.

    >>> import tokviz
    >>> found = canonical(tokviz.load("cl100k_base"), [64, 198, 198])
    >>> found.canonical, found.differences[0].reason, found.differences[0].merged
    ([64, 271], 'merge', (b'\\n', b'\\n'))
    """
    tokenizer = tokenizer_with_merges(tokenizer, "a list of canonical ids")
    ids = list(ids)
    tokens = tokenizer.tokens_bytes(ids)
    data, ends = b"".join(tokens), _token_boundaries(tokens)
    spaces = np.array([*_places_of_added_spaces(tokenizer, ids, data, ends)], np.int64)
    in_text = np.delete(np.frombuffer(data, np.uint8), spaces).tobytes()
    text, places = _text_and_places(in_text, ends - np.searchsorted(spaces, ends))
    return canonical_of_placed_ids(tokenizer, ids, text, places, allowed_special)


def canonical_of_placed_ids(
    tokenizer: Tokenizer, ids: list[int], text: str, places: np.ndarray, allowed_special: str | Collection[str] = ()
) -> Canonical:
    """Return the same for ids whose text is known, and the place of each.

    places: 0 and where each ends in the text, in bytes, -1 inside what became U+FFFD.
    """
    comparison = _Comparison(tokenizer, ids, text, places, allowed_special)
    return Canonical(text, ids, comparison.canonical, tuple(comparison.differences()))


def _places_of_added_spaces(tokenizer: Tokenizer, ids: list[int], data: bytes, ends: np.ndarray) -> Iterator[int]:
    """Yield where in the bytes of ids a space is that the tokenizer puts at the start or after special tokens."""
    normalizer, special = tokenizer.normalizer, set(tokenizer.special_tokens.values())
    if not normalizer.prefix or normalizer.prefix_if_missing:
        return
    for i, token_id in enumerate(ids):
        begins = i == 0 or (normalizer.prefix == "each" and ids[i - 1] in special)
        if begins and token_id not in special and data[ends[i] : ends[i] + 1] == b" ":
            yield int(ends[i])


def _text_and_places(data: bytes, ends: np.ndarray) -> tuple[str, np.ndarray]:
    """Return bytes as text, and places in them as places in its UTF-8, -1 inside what became U+FFFD."""
    text, starts = text_and_byte_offsets(data)
    if text.encode() == data:
        return text, ends
    sizes = np.fromiter((len(character.encode()) for character in text), np.int64, len(text))
    new_starts = np.concatenate([[0], np.cumsum(sizes)])
    character = np.searchsorted(starts, ends, side="right") - 1
    inside = ends - starts[character]
    places = new_starts[character] + inside
    for i in np.flatnonzero(inside):
        start, stop = starts[character[i]], starts[character[i] + 1]
        if data[start:stop] != text[character[i]].encode():
            places[i] = -1
    return text, places


class _Comparison:
    """Ids and the canonical ids of their text, with their places in it, and with offsets in the bytes of each."""

    def __init__(
        self, tokenizer: Tokenizer, ids: list[int], text: str, places: np.ndarray, allowed: str | Collection[str]
    ) -> None:
        self.tokenizer, self.ids, self.text, self.places, self.allowed = tokenizer, ids, text, places, allowed
        tokens = tokenizer.tokens_bytes(ids)
        self.data, self.ends = b"".join(tokens), _token_boundaries(tokens)
        self.canonical = tokenizer.encode(text, allowed_special=allowed)
        tokens = tokenizer.tokens_bytes(self.canonical)
        self._encoded, self.canonical_ends = b"".join(tokens), _token_boundaries(tokens)
        sources = tokenizer.normalized(text, allowed_special=allowed)[1]
        self._canonical_places = self.canonical_ends if sources is None else sources[self.canonical_ends]
        self._special = set(tokenizer.special_tokens.values())

    def differences(self) -> Iterator[Difference]:
        """Yield the stretches between common ends whose ids differ."""
        if self.ids == self.canonical:
            return
        _, common, new_common = np.intersect1d(self.places, self._canonical_places, return_indices=True)
        # Of several at one place the first is taken, but at the end the last.
        common, new_common = (
            np.array([0, *found[1:-1], len(ids)]) for found, ids in ((common, self.ids), (new_common, self.canonical))
        )
        is_same = (np.diff(common) == 1) & (np.diff(new_common) == 1)
        ids, canonical = np.array(self.ids), np.array(self.canonical)
        is_same[is_same] = ids[common[:-1][is_same]] == canonical[new_common[:-1][is_same]]
        for i in np.flatnonzero(~is_same).tolist():
            start, end, new_start, new_end = map(int, (*common[i : i + 2], *new_common[i : i + 2]))
            if self.ids[start:end] != self.canonical[new_start:new_end]:
                reason, merged = self._reason_and_pair(start, end, new_start, new_end)
                begin, stop = map(int, self.ends[[start, end]])
                yield Difference(start, end, new_start, new_end, begin, stop, reason, merged)

    def _reason_and_pair(
        self, start: int, end: int, new_start: int, new_end: int
    ) -> tuple[str, tuple[bytes, bytes] | None]:
        given = self.data[self.ends[start] : self.ends[end]]
        new = self._encoded[self.canonical_ends[new_start] : self.canonical_ends[new_end]]
        if given != new:
            return (NOT_UTF8 if self.tokenizer.normalizer.is_plain or b"\xef\xbf\xbd" in new else NORMALIZED), None
        if not self._special.isdisjoint([*self.ids[start:end], *self.canonical[new_start:new_end]]):
            return SPECIAL, None
        ends = (self.ends[start : end + 1] - self.ends[start] + self.canonical_ends[new_start]).tolist()
        cuts_character = any(self._encoded[end] & 0xC0 == 0x80 for end in ends[1:-1])
        if self.tokenizer.starts_with_characters and cuts_character:
            return BYTES, None
        if not self.tokenizer.unused_bytes.keys().isdisjoint(self.ids[start:end]):
            return BYTES, None
        merges = filter(None, map(self._ranked_merge_across_if_any, ends[1:-1]))
        if first := min(merges, default=None):
            return MERGE, first[2:]
        across = any(
            bisect_left(self._pretoken_ends, b) > bisect_right(self._pretoken_ends, a) for a, b in pairwise(ends)
        )
        return (PRETOKENS if across else UNREACHED), None

    @cached_property
    def _pretoken_ends(self) -> list[int]:
        pieces = self.tokenizer.pieces(self.text, allowed_special=self.allowed)
        return list(accumulate(len(piece.encode()) for piece, _ in pieces))

    def _ranked_merge_across_if_any(self, place: int) -> tuple[int, int, bytes, bytes] | None:
        """Return the merge that closes a gap inside a canonical token, its rank and number first; None at an end."""
        i = int(np.searchsorted(self.canonical_ends, place))
        if self.canonical_ends[i] == place:
            return None
        token = self.tokenizer.token_bytes(self.canonical[i - 1])
        middle = place - int(self.canonical_ends[i - 1])
        merged: list[bpe.Merged] = []
        gaps = bpe.closing_ranks(token, self.tokenizer.mergeable_ranks, merged=merged)
        for number, one in enumerate(merged):
            if one.middle == middle:
                return gaps[middle - 1], number, token[one.start : middle], token[middle : one.stop]
        return None


def _token_boundaries(tokens: Sequence[bytes]) -> np.ndarray:
    """Return 0 and where each token ends, in bytes."""
    return np.concatenate([[0], np.cumsum(np.fromiter(map(len, tokens), np.int64, len(tokens)))])
