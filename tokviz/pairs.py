"""Pairs: all pairs of neighbouring tokens in the pretokens, counted anew as each merge is made.

In: pretoken counts, then one merge after the other. Out: the pair that the naive algorithm (count all
pairs, take `max(counts, key=counts.get)`, replace from left to right, repeat) would choose next, pair
for pair and tie for tie, though only the places where a merged pair stands are touched. Three facts
make that cheap:

- A merge makes one new token, and every pair that holds it comes into being at that step: afterwards
  its count only falls and its first occurrence only moves to the right. So a pair is entered in a
  heap once, by count and first place, and an entry on top that is out of date is put back corrected.
- Pretokens lie in one array in the order of their first occurrence in the text, each followed by a
  stop, so that "first in the text" is "lowest place", and what a merge changes is a few array
  operations over the places of the pair.
- Most pairs are so rare that no merge ever chooses them. They stay out of the heap until the counts
  on its top have come down to theirs.
"""

from collections.abc import Mapping
from heapq import heappop, heappush, heapreplace

import numpy as np

STOP = -1  # the id of the stop after each pretoken
N_BYTES = 256


class Pairs:
    """All pairs of neighbouring tokens in the pretokens: their counts and places.

    A place is the index of a token's first byte in `ids`. A token's id stands at its first and at
    its last byte, so that from any token the one before is found by the byte before. A pair is a row
    number into the columns `left`, `right`, `count`, `begin`, `end`; the places where it stood when
    it came into being are `places[begin:end]`, ascending. `pair_at[place]` says which pair stands
    there now, and so which of these places still hold.

    >>> pairs = Pairs({"low": 2, "lower": 1})
    >>> best = pairs.most_frequent(min_count=1)
    >>> pairs.ids_and_count(best), pairs.n_tokens
    ((108, 111, 3), 11)
    >>> pairs.merge(best, 256)
    >>> pairs.ids_and_count(pairs.most_frequent(min_count=1)), pairs.n_tokens
    ((256, 119, 3), 8)
    """

    def __init__(self, counts: Mapping[str, int]) -> None:
        pieces = [pretoken.encode() for pretoken in counts]
        lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
        # A stop stands for no byte; it is put where a pretoken's bytes end.
        self.ids = np.frombuffer(b"\0".join(pieces) + b"\0", np.uint8).astype(np.int32)
        self.ids[np.cumsum(lengths + 1) - 1] = STOP
        del pieces
        multiplicities = np.fromiter(counts.values(), np.int64, len(counts))
        self.n_tokens = int((lengths * multiplicities).sum())
        # Counts mostly fit 32 bits; a stream of gigabytes may need more.
        width = np.int32 if self.n_tokens < 2**31 else np.int64
        self.weight = np.repeat(multiplicities.astype(width), lengths + 1)
        self.pair_at = np.full(len(self.ids), -1, np.int32)
        self.length = np.ones(N_BYTES, np.int32)
        self.left = self.right = np.empty(0, np.int32)
        self.count = np.empty(0, np.int64)
        self.begin = self.end = np.empty(0, np.int64)
        self.n_pairs = 0
        self.places = np.empty(0, np.int32)
        self.n_places = 0
        self.heap: list[tuple[int, int, int]] = []
        self.threshold = np.iinfo(np.int64).max  # pairs counted lower are not in the heap yet
        place = np.flatnonzero((self.ids[:-1] != STOP) & (self.ids[1:] != STOP)).astype(np.int32)
        self._add(place, self.ids[place], self.ids[place + 1])

    def ids_and_count(self, pair: int) -> tuple[int, int, int]:
        """Return left id, right id and count of a pair."""
        return int(self.left[pair]), int(self.right[pair]), int(self.count[pair])

    def most_frequent(self, min_count: int) -> int | None:
        """Return the most frequent pair, of equal ones the first in the text; None below min_count."""
        while self.heap or self._lower_threshold(min_count):
            negative, place, pair = self.heap[0]
            count = int(self.count[pair])
            if count < self.threshold:
                heappop(self.heap)  # comes back when the threshold has come down
                continue
            if count == -negative:
                first = self._first_place(pair)
                if first == place:
                    return pair
                place = first
            heapreplace(self.heap, (-count, place, pair))
        return None

    def _lower_threshold(self, min_count: int) -> bool:
        """Enter the next rarer pairs in the empty heap; return whether any occurs min_count times."""
        count = self.count[: self.n_pairs]
        highest = int(count.max(initial=0))
        if highest < min_count:
            return False
        self.threshold = max(min_count, highest // 2)
        self._enter(np.flatnonzero(count >= self.threshold))
        return True

    def _enter(self, pairs: np.ndarray) -> None:
        """Put pairs that are not in the heap into it."""
        for pair in pairs.tolist():
            heappush(self.heap, (-int(self.count[pair]), self._first_place(pair), pair))

    def _first_place(self, pair: int) -> int:
        """Return the lowest place where a pair still stands, and forget the places before it."""
        begin, end = int(self.begin[pair]), int(self.end[pair])
        block = 16
        while begin < end:
            part = self.places[begin : min(begin + block, end)]
            hit = self.pair_at[part] == pair
            offset = int(hit.argmax())
            if hit[offset]:
                self.begin[pair] = begin + offset
                return int(part[offset])
            begin += block
            block *= 8
        raise AssertionError("a pair with a count has a place")

    def merge(self, pair: int, new: int) -> None:
        """Replace a pair by the token `new` everywhere, from left to right."""
        left, right = int(self.left[pair]), int(self.right[pair])
        left_length = int(self.length[left])
        width = left_length + int(self.length[right])
        self.length = np.append(self.length, np.int32(width))
        place = self.places[self.begin[pair] : self.end[pair]]
        place = place[self.pair_at[place] == pair]
        if left == right:
            place = _every_other(place, left_length)
        weight = self.weight[place]
        self.n_tokens -= int(weight.sum())

        # A merged pair right behind another one: the pair between them becomes (new, new).
        behind = np.zeros(len(place), bool)
        np.equal(place[1:] - place[:-1], width, out=behind[1:])
        before_stop = np.zeros(len(place), bool)
        before_stop[:-1] = behind[1:]
        middle = place + left_length
        after = place + width
        left_id = self.ids[place - 1]  # of place 0 this is the last stop
        has_left = ~behind & (left_id != STOP)
        has_right = self.ids[after] != STOP
        left_place = (place - self.length[left_id])[has_left]
        right_id = np.where(before_stop, new, self.ids[after])

        np.subtract.at(self.count, self.pair_at[left_place], weight[has_left])
        np.subtract.at(self.count, self.pair_at[middle[has_right]], weight[has_right])
        self.count[pair] = 0

        self.ids[middle] = STOP - 1  # no token starts here any more, unless it is the last byte
        self.pair_at[middle] = -1
        self.ids[place] = new
        self.ids[after - 1] = new
        self.pair_at[place] = -1
        n_left = len(left_place)
        self._add(
            np.concatenate([left_place, place[has_right]]),
            np.concatenate([left_id[has_left], np.full(int(has_right.sum()), new, np.int32)]),
            np.concatenate([np.full(n_left, new, np.int32), right_id[has_right]]),
        )

    def _add(self, place: np.ndarray, left: np.ndarray, right: np.ndarray) -> None:
        """Add new pairs at places that ascend within each pair, and enter them in the heap."""
        if not len(place):
            return
        key = left.astype(np.int64) << 32 | right
        order = np.argsort(key, kind="stable")
        key, place = key[order], place[order]
        first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
        n_new = len(first)
        self._reserve(n_new, len(place))
        row = slice(self.n_pairs, self.n_pairs + n_new)
        count = np.add.reduceat(self.weight[place].astype(np.int64), first)
        self.left[row], self.right[row] = key[first] >> 32, key[first] & 0xFFFFFFFF
        self.count[row] = count
        self.begin[row] = first + self.n_places
        self.end[row] = np.append(first[1:], len(place)) + self.n_places
        self.places[self.n_places : self.n_places + len(place)] = place
        sizes = np.diff(np.append(first, len(place)))
        self.pair_at[place] = np.repeat(np.arange(row.start, row.stop, dtype=np.int32), sizes)
        self.n_pairs += n_new
        self.n_places += len(place)
        frequent = np.flatnonzero(count >= self.threshold)
        if len(frequent):
            self._enter(frequent + row.start)

    def _reserve(self, n_pairs: int, n_places: int) -> None:
        """Make room for so many more pairs and places."""
        if self.n_pairs + n_pairs > len(self.count):
            for column in ("left", "right", "count", "begin", "end"):
                setattr(self, column, _grown(getattr(self, column), self.n_pairs + n_pairs))
        if self.n_places + n_places > len(self.places):
            self.places = _grown(self.places, self.n_places + n_places)


def _grown(column: np.ndarray, size: int) -> np.ndarray:
    """Return a copy of a column with room for `size` values and a quarter more."""
    result = np.zeros(size + size // 4, column.dtype)
    result[: len(column)] = column
    return result


def _every_other(place: np.ndarray, length: int) -> np.ndarray:
    """Return the places of a pair (a, a) that left-to-right replacement takes: in `aaaaa` 0 and 2."""
    if not len(place):
        return place
    begins = np.concatenate([[True], place[1:] - place[:-1] != length])
    run_start = np.maximum.accumulate(np.where(begins, np.arange(len(place)), 0))
    return place[(np.arange(len(place)) - run_start) % 2 == 0]
