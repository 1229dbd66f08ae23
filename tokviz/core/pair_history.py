"""PairHistory: the most frequent pairs of a text or a training corpus after any number of merges, without a replay.

`MergeTrace` covers one text; this adds how often each pretoken occurs, so a corpus is its distinct pretokens.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from tokviz.core.bpe import NEVER, Pair
from tokviz.core.tokenizer import Tokenizer
from tokviz.core.trace import MergeTrace, pieces_trace


@dataclass(frozen=True)
class PairCount:
    """A pair of token ids, its count, and the byte offset in the joined pretokens where it first occurs."""

    pair: Pair
    count: int
    first: int


@dataclass(frozen=True)
class PairTable:
    """The pairs at one step.

    rows: the most frequent pairs, equal ones in the order of the text, so that rows[0] is what training
    merges next. n_pairs: how many different pairs there are. n_tied: how many of them have the highest
    count. chosen: the pair that was asked for, None if it does not occur.
    """

    rows: tuple[PairCount, ...]
    n_pairs: int
    n_tied: int
    chosen: PairCount | None = None


class PairHistory:
    """The history of pretokens under one vocabulary, for counting pairs.

    data: the pretokens joined. gaps: one int32 for each byte but the first, the rank that closes the gap
    before it, -1 = never. weights: int64, for each byte how often its pretoken occurs. walls: whether the
    gap before a byte is the boundary between two pretokens.

    >>> import tokviz
    >>> counts = {"low": 2, " lower": 1}
    >>> tokenizer = tokviz.train(["low", "low", " lower"], vocab_size=258)
    >>> table = PairHistory.of_counts(counts, tokenizer).top_pair_table(0, n_rows=2)
    >>> [(row.pair, row.count, row.first) for row in table.rows], table.n_pairs, table.n_tied
    ([((108, 111), 3, 0), ((111, 119), 3, 1)], 5, 2)
    """

    def __init__(self, trace: MergeTrace, weights: np.ndarray) -> None:
        """Read the history of pretokens; `weights` has for each how often it occurs."""
        data, ends = trace.data, trace.pretoken_ends
        self.data = np.frombuffer(data, np.uint8)
        # Of the gap before each byte; the first byte has a wall before it.
        self.closed_by = np.concatenate([[NEVER], trace.gaps]).astype(np.int32)[: len(data)]
        self.walls = np.zeros(len(data) + 1, bool)
        self.walls[ends] = True
        self.walls = self.walls[: len(data)]
        lengths = np.diff(ends, prepend=0)
        self.weights = np.repeat(weights.astype(np.int64), lengths)
        self.ranks, self.merge_ids = trace.tokenizer.mergeable_ranks, trace.tokenizer.merge_ids
        self.merge_sizes = np.fromiter(map(len, trace.tokenizer.merge_tokens), np.int32, len(self.merge_ids))
        self.byte_ids = np.array(trace.tokenizer.single_byte_ids, np.int64)

    @classmethod
    def of_trace(cls, trace: MergeTrace) -> "PairHistory":
        """Return the history of one text, each pretoken as often as it occurs there."""
        return cls(trace, np.ones(len(trace.pretoken_ends), np.int64))

    @classmethod
    def of_counts(cls, counts: Mapping[str, int], tokenizer: Tokenizer) -> "PairHistory":
        """Return the history of pretoken counts in the order of first occurrence; about a second a megabyte."""
        trace = pieces_trace(tokenizer, ((pretoken.encode(), False) for pretoken in counts))
        return cls(trace, np.fromiter(counts.values(), np.int64, len(counts)))

    def top_pair_table(self, k: int, *, n_rows: int, chosen: Pair | None = None) -> PairTable:
        """Return the most frequent pairs after the first k merges, and the count of one asked for."""
        left, right, place = self._pair_ids_and_places(k)
        if not len(place):
            return PairTable((), 0, 0)
        key = left << 32 | right
        order = np.argsort(key, kind="stable")
        begins = np.flatnonzero(np.concatenate([[True], np.diff(key[order]) != 0]))
        count = np.add.reduceat(self.weights[place[order]], begins)
        first = order[begins]  # the sort is stable, so the first of equal keys is the first in the text
        top = np.lexsort((first, -count))

        def row(i: int) -> PairCount:
            at = int(first[i])
            return PairCount((int(left[at]), int(right[at])), int(count[i]), int(place[at]))

        found = None
        if chosen is not None:
            hit = np.flatnonzero(key[first] == (chosen[0] << 32 | chosen[1]))
            found = row(int(hit[0])) if len(hit) else None
        n_tied = int(np.count_nonzero(count == count.max()))
        return PairTable(tuple(row(int(i)) for i in top[:n_rows]), len(count), n_tied, found)

    def pairs_used_up(self, pairs: Collection[Pair]) -> set[Pair]:
        """Return those of these pairs that occur at most once after all merges: too rarely to be merged.

        >>> import tokviz
        >>> tokenizer = tokviz.train("low low", vocab_size=257)
        >>> PairHistory.of_counts({"low": 1, " low": 1}, tokenizer).pairs_used_up([(108, 111), (256, 119)])
        {(108, 111)}
        """
        left, right, place = self._pair_ids_and_places(len(self.merge_ids))
        key, weight = left << 32 | right, self.weights[place]
        return {pair for pair in pairs if weight[key == (pair[0] << 32 | pair[1])].sum() <= 1}

    def _pair_ids_and_places(self, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return left ids, right ids and places of all pairs after k merges, in the order of the text."""
        joined = (self.closed_by != NEVER) & (self.closed_by < k)
        starts = np.flatnonzero(~joined)
        if len(starts) < 2:
            return (np.zeros(0, np.int64),) * 3
        # The last of the merges inside a token makes it; a single byte has none.
        made_by = np.maximum.reduceat(np.where(joined, self.closed_by, NEVER), starts)
        ids = self.byte_ids[self.data[starts]]
        merged = made_by != NEVER
        ids[merged] = self.merge_ids[made_by[merged]]
        # A token made of one of higher rank closed its last gap at that one's rank, which says another id; and a
        # character is whole from the start.
        sizes, expected = np.diff(starts, append=len(self.data)), np.ones(len(starts), np.int32)
        expected[merged] = self.merge_sizes[made_by[merged]]
        for i in np.flatnonzero(sizes != expected).tolist():
            token = self.data[starts[i] : starts[i] + sizes[i]].tobytes()
            ids[i] = self.ranks.get(token, -1)  # a special token, which has none, is in no pair
        meets = np.flatnonzero(~self.walls[starts[1:]])
        return ids[meets], ids[meets + 1], starts[meets]
