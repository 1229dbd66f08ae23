"""Where token ids are not those that encoding their text gives, and why.

Ids made by a model, cut from a longer list, or joined from two need not be canonical: encode(decode(ids)) gives others
(retokenization drift). Both lists are aligned where they end tokens at the same byte.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np

from tokviz.core import bpe
from tokviz.core.spans import text_and_offsets
from tokviz.core.tokenizer import Tokenizer

NOT_UTF8, SPECIAL, PRETOKENS, MERGE, UNREACHED = (
    "not UTF-8", "special token", "pretoken boundary", "merge", "no merges"
)  # fmt: skip


@dataclass(frozen=True)
class Difference:
    """A stretch where ids and canonical ids differ: ids[start:end] and canonical[canonical_start:canonical_end].

    byte_start, byte_end: its place in the bytes of the ids. reason: "not UTF-8" (bytes that are no character
    become U+FFFD), "special token" (its text is plain text), "pretoken boundary" (a token reaches across one), "merge"
    (`merged`, two tokens that a merge joins, are apart in the ids; it comes first of those), or "no merges" (none
    lead to a token of these).
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


def canonical(tokenizer: Tokenizer, ids: Iterable[int], *, allowed_special: str | Collection[str] = ()) -> Canonical:
    """Return ids with the canonical ids of their text, and where and why they differ.

    Raises UnknownTokenError for an id that the tokenizer does not have, ValueError for a tokenizer whose merges are not
    known.

    >>> import tokviz
    >>> found = canonical(tokviz.load("cl100k_base"), [64, 198, 198])
    >>> found.canonical, found.differences[0].reason, found.differences[0].merged
    ([64, 271], 'merge', (b'\\n', b'\\n'))
    """
    if not isinstance(tokenizer, Tokenizer):
        raise ValueError(f"{tokenizer.name} is {tokenizer.kind}: only byte-level BPE says which ids are canonical")
    comparison = _Comparison(tokenizer, list(ids), allowed_special)
    return Canonical(comparison.text, comparison.ids, comparison.canonical, tuple(comparison.differences()))


class _Comparison:
    """Ids and the canonical ids of their text, with offsets in the bytes of both: bytes that became U+FFFD differ."""

    def __init__(self, tokenizer: Tokenizer, ids: list[int], allowed_special: str | Collection[str]) -> None:
        self.tokenizer, self.ids, self.allowed = tokenizer, ids, allowed_special
        tokens = tokenizer.tokens_bytes(ids)
        self.data = b"".join(tokens)
        self.text, self._starts = text_and_offsets(self.data)
        self._encoded = self.text.encode()
        self.canonical = tokenizer.encode(self.text, allowed_special=allowed_special)
        self.ends = _token_boundaries(tokens)
        self.canonical_ends = _token_boundaries(tokenizer.tokens_bytes(self.canonical))
        self._special = set(tokenizer.special_tokens.values())

    @cached_property
    def _ends_in_text(self) -> np.ndarray:
        """Where the ids end tokens in the text in UTF-8, -1 inside what became U+FFFD."""
        if self._encoded == self.data:
            return self.ends
        sizes = np.fromiter((len(character.encode()) for character in self.text), np.int64, len(self.text))
        new_starts = np.concatenate([[0], np.cumsum(sizes)])
        character = np.searchsorted(self._starts, self.ends, side="right") - 1
        inside = self.ends - self._starts[character]
        places = new_starts[character] + inside
        for i in np.flatnonzero(inside):
            start, stop = self._starts[character[i]], self._starts[character[i] + 1]
            if self.data[start:stop] != self.text[character[i]].encode():
                places[i] = -1
        return places

    def differences(self) -> Iterator[Difference]:
        """Yield the stretches between common ends whose ids differ."""
        if self.ids == self.canonical:
            return
        _, common, new_common = np.intersect1d(self._ends_in_text, self.canonical_ends, return_indices=True)
        is_one = (np.diff(common) == 1) & (np.diff(new_common) == 1)
        ids, canonical = np.array(self.ids), np.array(self.canonical)
        is_same = is_one & (ids[common[:-1]] == canonical[new_common[:-1]])
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
        if given != self._encoded[self.canonical_ends[new_start] : self.canonical_ends[new_end]]:
            return NOT_UTF8, None
        if not self._special.isdisjoint([*self.ids[start:end], *self.canonical[new_start:new_end]]):
            return SPECIAL, None
        ends = [end for end in self._ends_in_text[start : end + 1].tolist() if end >= 0]
        merges = filter(None, map(self._merge_across, ends[1:-1]))
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

    def _merge_across(self, place: int) -> tuple[int, int, bytes, bytes] | None:
        """Return the merge that closes a gap inside a canonical token, its rank and number first; None at an end."""
        i = int(np.searchsorted(self.canonical_ends, place))
        if self.canonical_ends[i] == place:
            return None
        token = self.tokenizer.token_bytes(self.canonical[i - 1])
        middle = place - int(self.canonical_ends[i - 1])
        merged: list[bpe.Merged] = []
        gaps = bpe.closing_ranks(token, self.tokenizer.mergeable_ranks, merged=merged)
        made = next(((number, one) for number, one in enumerate(merged) if one.middle == middle), None)
        if made is None:
            return None
        number, one = made
        return gaps[middle - 1], number, token[one.start : middle], token[middle : one.stop]


def _token_boundaries(tokens: Sequence[bytes]) -> np.ndarray:
    """Return 0 and where each token ends, in bytes."""
    return np.concatenate([[0], np.cumsum(np.fromiter(map(len, tokens), np.int64, len(tokens)))])
