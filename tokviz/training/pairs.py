"""Pairs: the pretokens as tokens, the pairs in them, and both kept up to date from merge to merge.

The next pair is always the one the naive algorithm would choose, ties included: count all pairs, take
`max(counts, key=counts.get)`, replace from left to right, repeat. But a merge only touches the places of its pair.
"""

from array import array
from collections import defaultdict
from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from tokviz.core.steps import TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.training.pair_table import NO_PAIR, PairTable

if TYPE_CHECKING:
    from tokviz.training.parity.language_pairs import LanguagePairs

N_BYTES = 256
STOP = 2**30 - 1  # the number of the stop after each pretoken, above that of every token
# A plain loop (2 µs a place) is quicker than array operations (about 80 µs a merge) for fewer places.
FEW_PLACES = 40
RIGHT = 2**30  # added to the number of a neighbour on the right, so that it sorts after all on the left
NO_GROUP = RIGHT + STOP  # sorts after all others


class Pairs:
    """The tokens of the pretokens, and all pairs of neighbours in them.

    Pretokens lie in one array in the order of their first occurrence, each followed by a stop, so that "first in the
    text" is "lowest place". A place is the index of a token's first byte in `ids`. A token's number is at its first
    and last byte, so the byte before any token tells the token before it. `weights` says for each place how often its
    pretoken occurs. `id_at` and `weight_at` are the same two, for reading one by one.

    A token's number is its value for a byte, and 256 + k for the k-th merge, whatever its id. `start` is a tokenizer
    whose merges are made first; then its merges have the first numbers.

    >>> pairs = Pairs({"low": 2, "lower": 1})
    >>> best = pairs.choose_pair(min_count=1)
    >>> pairs.left_right_and_count(best), pairs.n_tokens
    ((108, 111, 3), 11)
    >>> pairs.merge(best, 256)
    >>> pairs.left_right_and_count(pairs.choose_pair(min_count=1)), pairs.n_tokens
    ((256, 119, 3), 8)
    """

    def __init__(self, counts: Mapping[str, int], start: Tokenizer | None = None) -> None:
        pieces = [pretoken.encode() for pretoken in counts]
        lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
        # A stop is not a byte; it marks where a pretoken's bytes end.
        self.ids = np.frombuffer(b"\0".join(pieces) + b"\0", np.uint8).astype(np.int32)
        self.ids[np.cumsum(lengths + 1) - 1] = STOP
        del pieces
        multiplicities = np.fromiter(counts.values(), np.int64, len(counts))
        self.n_tokens = int((lengths * multiplicities).sum())
        # Counts mostly fit 32 bits; a stream of gigabytes may need more.
        width = np.int32 if self.n_tokens < 2**31 else np.int64
        self.weights = np.repeat(multiplicities.astype(width), lengths + 1)
        self.id_at, self.weight_at = self.ids.data, self.weights.data
        self.length = array("i", [1]) * N_BYTES  # of each token, in bytes
        self.table = PairTable(len(self.ids))
        self.choose_pair = self.table.most_frequent_pair
        place, left, right = (
            self._places_and_bytes_of_pairs() if start is None else self._encode_and_find_pairs(counts, start)
        )
        pair = left << 8 | right
        known = None
        if start is not None:  # such a pair does not fit into a key beside its place
            known, pair = np.unique(left.astype(np.int64) << 32 | right, return_inverse=True)
        key = np.full(len(place) + 1, -1)
        key[1:] = pair.astype(np.int64) << 32 | place
        key.sort()
        group, place, is_first, count = self._groups_of_keys(key)
        if known is None:
            self.table.add_many_pairs(group >> 8, group & 0xFF, count, is_first, place)
        else:
            self.table.add_many_pairs(known[group] >> 32, known[group] & 0xFFFFFFFF, count, is_first, place)

    def _places_and_bytes_of_pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the places of all pairs of bytes, and their left and right bytes."""
        place = np.flatnonzero((self.ids[:-1] != STOP) & (self.ids[1:] != STOP))
        return place, self.ids[place], self.ids[place + 1]

    def _encode_and_find_pairs(
        self, counts: Mapping[str, int], start: Tokenizer
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Make the merges of `start`, and return the places of all pairs of tokens, and their left and right tokens."""
        self.length.extend(map(len, start.merge_tokens))
        flat = array("i")
        for pretoken in counts:
            flat.extend(start.encode_pretoken(pretoken))
            flat.append(-1)  # the stop
        ids = np.frombuffer(flat, np.int32)
        known = np.array([*start.single_byte_ids, *start.merge_ids], np.int32)
        order = known.argsort()
        is_stop = ids == -1
        number = order[np.searchsorted(known[order], ids).clip(max=len(known) - 1)].astype(np.int32)
        number[is_stop] = STOP
        sizes = np.frombuffer(self.length, np.int32)[np.where(is_stop, 0, number)]
        end = np.cumsum(sizes, dtype=np.int64)
        begin = end - sizes
        self.ids[begin] = self.ids[end - 1] = number
        self.n_tokens = int(self.weights[begin[~is_stop]].sum(dtype=np.int64))
        pairs = np.flatnonzero(~(is_stop[:-1] | is_stop[1:]))
        return begin[pairs], number[pairs], number[pairs + 1]

    def left_right_and_count(self, pair: int) -> tuple[int, int, int]:
        """Return the numbers of the left and the right token of a pair, and its count."""
        return self.table.left[pair], self.table.right[pair], self.table.count[pair]

    def merge(self, pair: int, new: int) -> None:
        """Replace a pair by the token `new` everywhere, from left to right."""
        table = self.table
        left_length = self.length[table.left[pair]]
        width = left_length + self.length[table.right[pair]]
        self.length.append(width)
        merge = self._merge_few if table.begin[pair + 1] - table.begin[pair] <= FEW_PLACES else self._merge_many
        merge(pair, new, left_length, width)
        table.count[pair] = 0

    def add_unused_token(self, left: int, right: int) -> None:
        """Note that a pair that does not occur here is merged elsewhere, so that its token has a number here too."""
        self.length.append(self.length[left] + self.length[right])

    def _merge_many(self, pair: int, new: int, left_length: int, width: int) -> None:
        """Merge by array operations, all places at once."""
        table, ids = self.table, self.ids
        place = table.places_of(pair)
        if table.left[pair] != table.right[pair]:
            self.n_tokens -= table.count[pair]
        else:
            place = _places_without_overlap(place, left_length)
            self.n_tokens -= int(self.weights[place].sum())
        # Tokens first, then neighbours: if one merged pair directly follows another, both neighbours are `new`.
        n, after = len(place), place + width
        ids[place] = new
        ids[after - 1] = new
        key = np.empty(1 + 2 * n, np.int64)
        left, right = key[1 : 1 + n], key[1 + n :]
        key[0], left[:], right[:] = -1, ids[place - 1], ids[after]  # left of place 0 is the last stop
        is_none = left >= new
        left_place = place - np.frombuffer(self.length, np.int32).take(left, mode="clip")
        right += RIGHT
        key <<= 32
        left |= left_place
        right |= place
        left[is_none] = NO_GROUP << 32
        key.sort()
        group, at, is_first, count = self._groups_of_keys(key[: key.searchsorted(NO_GROUP << 32)])
        # What stood at the first place of each group until now: pairs with the left part, and pairs with the right one.
        first = at[is_first]
        n_left = group.searchsorted(RIGHT)
        first[n_left:] += left_length
        # Not `-=`, since (right, left) can be the old pair of several groups.
        np.subtract.at(table.counts, table.pairs_at[first], count)
        table.pairs_at[place + left_length] = NO_PAIR
        right = np.empty_like(group)
        right[:n_left], right[n_left:] = new, group[n_left:] - RIGHT
        group[n_left:] = new
        table.add_many_pairs(group, right, count, is_first, at)

    def _groups_of_keys(self, key: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return groups, places, which places are a group's first, and counts, from sorted keys `group << 32 | place`.

        The first key, -1, is left out.
        """
        group = key >> 32
        is_first = group[1:] != group[:-1]
        group, place = group[1:], key[1:] & 0xFFFFFFFF
        count = np.add.reduceat(self.weights[place], is_first.nonzero()[0], dtype=np.int64)
        return group[is_first], place, is_first, count

    def _merge_few(self, pair: int, new: int, left_length: int, width: int) -> None:
        """Merge in a plain loop, place after place."""
        table, id_at, weight_at = self.table, self.id_at, self.weight_at
        pair_at, count, length = table.pair_at, table.count, self.length
        left_part, n_tokens = table.left[pair], self.n_tokens
        before: defaultdict[int, list[int]] = defaultdict(list)
        following: defaultdict[int, list[int]] = defaultdict(list)
        for place in table.places[table.begin[pair] : table.begin[pair + 1]]:
            # In `aaa` the second pair is gone when the first is merged.
            if pair_at[place] != pair:
                continue
            weight = weight_at[place]
            n_tokens -= weight
            after, middle = place + width, place + left_length
            left_id, right_id = id_at[place - 1], id_at[after]
            if left_id < new:
                at = place - length[left_id]
                count[pair_at[at]] -= weight
                before[left_id].append(at)
            elif left_id == new:  # what followed the last merge is `new` by now
                following[new].append(following[left_part].pop())
            if right_id != STOP:
                count[pair_at[middle]] -= weight
                following[right_id].append(place)
            pair_at[place] = pair_at[middle] = NO_PAIR
            id_at[place] = id_at[after - 1] = new
        self.n_tokens = n_tokens
        if left_part in following and not following[left_part]:
            del following[left_part]
        places = [*before.values(), *following.values()]
        counts = [weight_at[some[0]] if len(some) == 1 else sum(map(weight_at.__getitem__, some)) for some in places]
        table.add_few_pairs([*before] + [new] * len(following), [new] * len(before) + [*following], counts, places)


def _places_without_overlap(place: np.ndarray, length: int) -> np.ndarray:
    """Return the places of a pair (a, a) that left-to-right replacement takes: in `aaaaa` 0 and 2."""
    begins = np.concatenate([[True], np.diff(place) != length])
    run_start = np.maximum.accumulate(np.where(begins, np.arange(len(place)), 0))
    return place[(np.arange(len(place)) - run_start) % 2 == 0]


def learn_steps(
    pairs: "Pairs | LanguagePairs", n_merges: int, min_count: int, start: Tokenizer | None
) -> Generator[TrainStep]:
    """Yield each merge as it is chosen and made; the pairs are of texts encoded with the merges of `start`."""
    tokens = [bytes([i]) for i in range(N_BYTES)]
    ids = list(range(N_BYTES))
    if start is not None:
        tokens += start.merge_tokens
        ids = [*start.single_byte_ids, *start.merge_ids.tolist()]
    first = N_BYTES if start is None else start.n_vocab
    for rank in range(n_merges):
        best = pairs.choose_pair(min_count)
        if best is None:
            return
        left, right, count = pairs.left_right_and_count(best)
        pairs.merge(best, len(tokens))
        tokens.append(tokens[left] + tokens[right])
        ids.append(first + rank)
        yield TrainStep(rank, (ids[left], ids[right]), ids[-1], tokens[-1], count, pairs.n_tokens, n_merges)
