"""PairTable: all pairs of neighbouring tokens, and which of them is the most frequent.

A merge makes one new token, and every pair with that token appears at that step: afterwards its count only falls and
its first place only moves right. So each pair enters a heap once, and a stale entry on top is put back corrected.
"""

from array import array
from heapq import heapify, heappop, heappush, heapreplace

import numpy as np

NO_PAIR = -1


class PairTable:
    """A pair is a row number into the columns `left`, `right`, `count`, `begin`.

    The places where it was at first are `places[begin[pair]:begin[pair + 1]]`, ascending; `pair_at[place]` is the pair
    that is there now, and so tells which of these places still hold. The columns grow like lists, and numpy reads
    them in place. What does not grow is a numpy array with a memoryview of it, here `pair_at`, which is quicker to
    read one by one. Rare pairs stay out of the heap until the counts on its top have fallen to theirs.

    >>> table = PairTable(n_places=9)
    >>> table.add_few_pairs(left=[97, 98], right=[98, 99], count=[2, 2], places=[[0, 4], [5]])
    >>> table.most_frequent_pair(min_count=2)
    0
    >>> table.pair_at[0] = NO_PAIR
    >>> table.most_frequent_pair(min_count=2), table.places_of(0)
    (0, array([4]))
    """

    def __init__(self, n_places: int) -> None:
        """Make an empty table for this many places."""
        self.left, self.right, self.places = array("i"), array("i"), array("i")
        self.count, self.begin = array("q"), array("q", [0])
        self.passed: dict[int, int] = {}  # for a pair that has left its first places, the index of the next
        self.pairs_at = np.full(n_places, NO_PAIR, np.int32)
        self.pair_at = self.pairs_at.data
        self.heap: list[tuple[int, int, int]] = []
        self.threshold = 2**63 - 1  # pairs counted lower are not in the heap yet

    @property
    def counts(self) -> np.ndarray:
        """The column `count` as an array; do not keep it, since a column cannot grow while an array shows it."""
        return np.frombuffer(self.count, np.int64)

    def places_of(self, pair: int) -> np.ndarray:
        """Return the places of a pair, ascending, as int64, which numpy looks up fastest."""
        begin, end = self.begin[pair], self.begin[pair + 1]
        # A copy: a column cannot grow while an array shows it.
        places = np.frombuffer(self.places, np.int32, end - begin, begin * 4).astype(np.int64)
        return places[self.pairs_at[places] == pair]

    def add_few_pairs(self, left: list[int], right: list[int], count: list[int], places: list[list[int]]) -> None:
        """Add new pairs, each with its places in ascending order."""
        pair, pair_at, threshold = len(self.count), self.pair_at, self.threshold
        self.left.fromlist(left)
        self.right.fromlist(right)
        self.count.fromlist(count)
        for n, some in zip(count, places, strict=True):
            self.places.fromlist(some)
            self.begin.append(len(self.places))
            for place in some:
                pair_at[place] = pair
            if n >= threshold:
                heappush(self.heap, (-n, some[0], pair))
            pair += 1

    def add_many_pairs(
        self, left: np.ndarray, right: np.ndarray, count: np.ndarray, is_first: np.ndarray, places: np.ndarray
    ) -> None:
        """Add new pairs, whose places follow one another; is_first: for each place, whether it is a pair's first."""
        n_pairs, starts = len(self.count), is_first.nonzero()[0]
        self.pairs_at[places] = is_first.cumsum() + (n_pairs - 1)
        starts += self.begin.pop()
        for column, values in (
            (self.left, left),
            (self.right, right),
            (self.count, count),
            (self.begin, starts),
            (self.places, places),
        ):
            column.frombytes(values.astype(column.typecode, copy=False).view(np.uint8).data)
        self.begin.append(len(self.places))
        frequent = (count >= self.threshold).nonzero()[0]
        if len(frequent):
            self._push_pairs_into_heap(count[frequent], places[is_first][frequent], frequent + n_pairs)

    def _push_pairs_into_heap(self, count: np.ndarray, first: np.ndarray, pairs: np.ndarray) -> None:
        """Put pairs into the heap; they may have left their first places since."""
        entries = zip((-count).tolist(), first.tolist(), pairs.tolist(), strict=True)
        if len(pairs) > len(self.heap):
            self.heap.extend(entries)
            heapify(self.heap)
            return
        for entry in entries:
            heappush(self.heap, entry)

    def most_frequent_pair(self, min_count: int) -> int | None:
        """Return the most frequent pair, the first in the text if several are equal; None below min_count."""
        heap, count = self.heap, self.count
        while heap or self._lower_threshold_if_possible(min_count):
            negative, place, pair = heap[0]
            true_count = count[pair]
            if true_count < self.threshold:
                heappop(heap)  # returns when the threshold has come down
                continue
            if true_count == -negative:
                first = self._advance_to_first_place(pair)
                if first == place:
                    return pair
                place = first
            heapreplace(heap, (-true_count, place, pair))
        return None

    def _lower_threshold_if_possible(self, min_count: int) -> bool:
        """Enter the next rarer pairs in the empty heap; return whether any occurs min_count times."""
        highest = int(self.counts.max(initial=0))
        if highest < min_count:
            return False
        self.threshold = max(min_count, highest // 2)
        pairs = np.flatnonzero(self.counts >= self.threshold)
        begin = np.frombuffer(self.begin, np.int64)[pairs]
        self._push_pairs_into_heap(self.counts[pairs], np.frombuffer(self.places, np.int32)[begin], pairs)
        return True

    def _advance_to_first_place(self, pair: int) -> int:
        """Return the lowest place that a pair still has, and forget the places before it."""
        places, pair_at = self.places, self.pair_at
        begin, end = self.passed.get(pair) or self.begin[pair], self.begin[pair + 1]
        for i in range(begin, min(begin + 16, end)):
            if pair_at[places[i]] == pair:
                if i > begin:
                    self.passed[pair] = i
                return places[i]
        still = np.frombuffer(self.places, np.int32, end - begin, begin * 4)
        self.passed[pair] = begin + int((self.pairs_at.take(still) == pair).argmax())
        return places[self.passed[pair]]
