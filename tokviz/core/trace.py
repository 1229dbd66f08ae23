"""MergeTrace: the whole history of how a text was tokenized, one integer per gap between bytes.

Merges never undo each other. So this one array gives the tokens under every smaller vocabulary and the compression
curve. Merge trees, and why two neighbours stayed apart, follow from the bytes of their tokens.
"""

from array import array
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from tokviz.core.bpe import NEVER, Merged, closing_ranks
from tokviz.core.ordered_ranks import FROM_START, OrderedRanks, symbol_ends
from tokviz.core.tokenizer import Tokenizer, tokenizer_with_merges
from tokviz.core.why_not import WhyNot, why_not


@dataclass(frozen=True)
class MergeNode:
    """A token in a merge tree: bytes[byte_start:byte_end] of the text, made by the merge `rank`.

    A leaf is a single byte, a character that merging begins with, or a special token, with rank, left and right None;
    or a token that was taken whole, with its rank. `repr` and `==` leave out left and right: a tree can be deeper than
    Python's stack.
    """

    byte_start: int
    byte_end: int
    token_bytes: bytes
    token_id: int
    rank: int | None = None
    left: "MergeNode | None" = field(default=None, repr=False, compare=False)
    right: "MergeNode | None" = field(default=None, repr=False, compare=False)


class UnusualToken(NamedTuple):
    """A token that is taken whole, or made at `middle` after a merge of higher rank; offsets in bytes."""

    byte_start: int
    middle: int | None
    byte_end: int
    token_id: int


@dataclass(frozen=True, eq=False)
class MergeTrace:
    """The history of one text under one tokenizer.

    data: the text, as the tokenizer normalizes it, in UTF-8. gaps: int32, one per gap between neighbouring bytes: the
    rank (0 is the first merge) that closes it, -1 = never, -2 = inside a special token, or a character that merging
    begins with, which are whole from the start. pretoken_ends: int32, byte offsets. special_ends: byte offsets where a
    special token ends. unusual_ends: where a pretoken ends that has `unusual` tokens.
    """

    tokenizer: Tokenizer
    data: bytes
    gaps: np.ndarray
    pretoken_ends: np.ndarray
    special_ends: frozenset[int]
    unusual_ends: frozenset[int] = frozenset()

    def unusual(self) -> list[UnusualToken]:
        """Return the tokens that, at some step, are not made by one merge of two tokens of lower rank.

        One that is taken whole closes the gaps that are still open at its own rank. One that cannot be made before a
        merge of higher rank closes its last gap at that rank.

        >>> from tokviz.core.bpe import ranks_from_merges
        >>> tokenizer = Tokenizer("toy", "none", ranks_from_merges([]) | {b"aba": 256, b"ab": 257})
        >>> trace(tokenizer, "abab").unusual(), trace(tokenizer, "b").unusual()
        ([UnusualToken(byte_start=0, middle=2, byte_end=3, token_id=256)], [])
        """
        found = []
        places_of = cache(partial(_places_of_unusual_tokens, self.tokenizer))
        for end in sorted(self.unusual_ends):
            place = int(np.searchsorted(self.pretoken_ends, end))
            start = int(self.pretoken_ends[place - 1]) if place else 0
            for begin, middle, stop in places_of(self.data[start:end]):
                token_id = self._token_id(start + begin, start + stop)
                found.append(
                    UnusualToken(start + begin, None if middle is None else start + middle, start + stop, token_id)
                )
        return found

    def tokens_at(self, k: int) -> list[int]:
        """Return where tokens end, in bytes, after the first k merges.

        >>> import tokviz
        >>> history = trace(tokviz.train("low lower", vocab_size=258), "lower")
        >>> history.tokens_at(0), history.tokens_at(1), history.tokens_at(2)
        ([1, 2, 3, 4, 5], [2, 3, 4, 5], [3, 4, 5])
        """
        if k < 0:
            raise ValueError(f"the number of merges must be at least 0, not {k}")
        if not self.data:
            return []
        open_gaps = (self.gaps == NEVER) | (self.gaps >= k)
        return [*(np.flatnonzero(open_gaps) + 1).tolist(), len(self.data)]

    @cached_property
    def ends(self) -> list[int]:
        """Where the tokens of the whole vocabulary end, in bytes."""
        return self.tokens_at(len(self.tokenizer.merge_tokens))

    def ids_at(self, k: int) -> list[int]:
        """Return the token ids after the first k merges.

        >>> import tokviz
        >>> trace(tokviz.train("low lower", vocab_size=258), "lower").ids_at(1)
        [256, 119, 101, 114]
        """
        ends = self.tokens_at(k)
        return [self._token_id(start, end) for start, end in zip([0, *ends], ends, strict=False)]

    def curve(self) -> np.ndarray:
        """Return the number of tokens after k merges, for k = 0 to all of them."""
        n_merges = len(self.tokenizer.merge_tokens)
        closed = np.bincount(self.gaps[self.gaps >= 0], minlength=n_merges)
        whole = len(self.data) - int((self.gaps == FROM_START).sum())
        return whole - np.concatenate([[0], np.cumsum(closed)])

    def merge_tree(self, token: int) -> MergeNode:
        """Return the merge tree of the token with this index.

        >>> import tokviz
        >>> tree = trace(tokviz.train("low lower", vocab_size=258), "lower").merge_tree(0)
        >>> tree.token_bytes, tree.rank, tree.left.token_bytes, tree.right.token_bytes
        (b'low', 1, b'lo', b'w')
        """
        if not 0 <= token < len(self.ends):
            raise ValueError(f"the text has {len(self.ends)} tokens; there is no token {token}")
        start, end = (self.ends[token - 1] if token else 0), self.ends[token]
        if end in self.special_ends:
            return self._leaf(start, end)
        # Inside a token the merges are those of its bytes alone, since none reached across its ends. Nothing here calls
        # itself: a tree may have thousands of levels.
        merged: list[Merged] = []
        if NEVER in closing_ranks(self.data[start:end], self.tokenizer.mergeable_ranks, merged=merged):
            return self._leaf(start, end, self._rank(start, end))
        ends = [start + stop for stop in symbol_ends(self.data[start:end], self.tokenizer.mergeable_ranks)]
        node_at = {begin: self._leaf(begin, stop) for begin, stop in pairwise([start, *ends])}
        for left, middle, stop in ((start + one.start, start + one.middle, start + one.stop) for one in merged):
            made = self._leaf(left, stop, self._rank(left, stop))
            node_at[left] = replace(made, left=node_at[left], right=node_at.pop(middle))
        return node_at[start]

    def _leaf(self, start: int, end: int, rank: int | None = None) -> MergeNode:
        return MergeNode(start, end, self.data[start:end], self._token_id(start, end), rank)

    def _rank(self, start: int, end: int) -> int | None:
        return self.tokenizer.merge_rank(self._token_id(start, end))

    def _token_id(self, start: int, end: int) -> int:
        token = self.data[start:end]
        if end in self.special_ends:
            return self.tokenizer.special_tokens[token.decode()]
        return self.tokenizer.mergeable_ranks[token]

    def why_not(self, token: int) -> WhyNot:
        """Return why the token with this index did not merge with the one after it.

        >>> import tokviz
        >>> why = trace(tokviz.train("low lower", vocab_size=258), "low er").why_not(0)
        >>> why.reason
        'pretoken boundary'
        """
        if not 0 <= token < len(self.ends) - 1:
            raise ValueError(f"token {token} has no token after it: there are {len(self.ends)}")
        end = self.ends[token]
        start, stop = (self.ends[token - 1] if token else 0), self.ends[token + 1]
        if end in self.special_ends or stop in self.special_ends:
            return WhyNot("special token")
        place = int(np.searchsorted(self.pretoken_ends, end))
        if self.pretoken_ends[place] == end:
            return WhyNot("pretoken boundary")
        return why_not(self.data[start:stop], end - start, self.tokenizer)


def trace(tokenizer: Any, text: str, *, allowed_special: str | Collection[str] = ()) -> MergeTrace:
    """Return the history of a text under a tokenizer; repeated pretokens are traced once.

    Special tokens are recognised as in `Tokenizer.encode`. Raises ValueError where the split pattern
    does not end, FamilyError for a tokenizer whose merges are not known.

    >>> import tokviz
    >>> trace(tokviz.train("low lower", vocab_size=258), "lower").gaps.tolist()
    [0, 1, -1, -1]
    """
    tokenizer = tokenizer_with_merges(tokenizer, "a trace")
    pieces = tokenizer.pieces(text, allowed_special=allowed_special)
    return pieces_trace(tokenizer, ((piece.encode(), is_special) for piece, is_special in pieces))


def pieces_trace(tokenizer: Tokenizer, pieces: Iterable[tuple[bytes, bool]]) -> MergeTrace:
    """Return the history of pretokens and special tokens in UTF-8, each with whether it is one."""
    known: dict[bytes, tuple[bytes, bool]] = {}
    datas: list[bytes] = []
    gaps: list[bytes] = []
    ends: list[int] = []
    special_ends: set[int] = set()
    unusual_ends: set[int] = set()
    between = array("i", [NEVER]).tobytes()
    end = 0
    for data, is_special in pieces:
        end += len(data)
        if is_special:
            special_ends.add(end)
            gaps.append((array("i", [FROM_START]) * (len(data) - 1)).tobytes())
        else:
            history = known.get(data)
            if history is None:
                late: list[Merged] = []
                closed, is_whole = _closing_ranks_and_if_whole(data, tokenizer, late)
                history = known[data] = closed.tobytes(), is_whole or bool(late)
            gaps.append(history[0])
            if history[1]:
                unusual_ends.add(end)
        datas.append(data)
        ends.append(end)
    ids = np.frombuffer(between.join(gaps), np.int32).copy()
    is_closed = ids >= 0
    if not isinstance(tokenizer.mergeable_ranks, OrderedRanks):  # whose gaps have places already
        ids[is_closed] = np.searchsorted(tokenizer.merge_ids, ids[is_closed])
    pretoken_ends = np.array(ends, np.int32)
    return MergeTrace(tokenizer, b"".join(datas), ids, pretoken_ends, frozenset(special_ends), frozenset(unusual_ends))


def _places_of_unusual_tokens(tokenizer: Tokenizer, pretoken: bytes) -> list[tuple[int, int | None, int]]:
    """Return where unusual tokens of a pretoken start, are joined and end, in bytes."""
    late: list[Merged] = []
    gaps, is_whole = _closing_ranks_and_if_whole(pretoken, tokenizer, late)
    if not is_whole:
        return [*late]
    in_time = [one for one in late if gaps[one.middle - 1] < max(gaps)]  # the rest come too late
    return [(0, None, len(pretoken)), *in_time]


def _closing_ranks_and_if_whole(pretoken: bytes, tokenizer: Tokenizer, late: list[Merged]) -> tuple["array[int]", bool]:
    """Return the ranks of `closing_ranks`, but of a pretoken that is taken whole its own where that is lower.

    Also whether it is one. `late` gets the merges that make a token of one of higher rank.
    """
    gaps = closing_ranks(pretoken, tokenizer.mergeable_ranks, late=late)
    own = tokenizer.mergeable_ranks.get(pretoken) if tokenizer.takes_whole else None
    if own is None or not gaps or (NEVER not in gaps and max(gaps) <= own):
        return gaps, False
    return array("i", [own if gap == NEVER else min(gap, own) for gap in gaps]), True
