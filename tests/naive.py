"""The naive algorithm, written as every tutorial writes it: what training must equal."""

from collections.abc import Iterable
from itertools import pairwise


def naive_merge(ids: list[int], pair: tuple[int, int], new: int) -> list[int]:
    result, i = [], 0
    while i < len(ids):
        if i + 1 < len(ids) and (ids[i], ids[i + 1]) == pair:
            result.append(new)
            i += 2
        else:
            result.append(ids[i])
            i += 1
    return result


def naive_pair_counts(lists: Iterable[list[int]]) -> dict[tuple[int, int], int]:
    """Return how often each pair stands in lists of ids, in the order of first occurrence."""
    counts: dict[tuple[int, int], int] = {}
    for ids in lists:
        for pair in pairwise(ids):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def naive_steps(pieces: Iterable[str], n_merges: int, min_count: int = 1) -> list[tuple]:
    """Return (pair, count, tokens left) of each merge over pretokens given in text order."""
    return naive_steps_of_ids([list(piece.encode()) for piece in pieces], n_merges, min_count, first=256)


def naive_steps_on_top(pieces: Iterable[str], ranks: dict[bytes, int], n_merges: int, first: int) -> list[tuple]:
    """Return the steps over pretokens whose bytes are merged by `ranks` before; the new ids begin with `first`."""
    lists = [[ranks[token] for token in naive_encode(piece.encode(), ranks)] for piece in pieces]
    return naive_steps_of_ids(lists, n_merges, 1, first=first)


def naive_steps_of_ids(lists: list[list[int]], n_merges: int, min_count: int, *, first: int) -> list[tuple]:
    steps = []
    for new in range(first, first + n_merges):
        counts = naive_pair_counts(lists)
        if not counts:
            break
        pair = max(counts, key=counts.get)
        if counts[pair] < min_count:
            break
        lists = [naive_merge(ids, pair, new) for ids in lists]
        steps.append((pair, counts[pair], sum(map(len, lists))))
    return steps


def naive_encode(piece: bytes, ranks: dict[bytes, int], below: int | None = None) -> list[bytes]:
    """Return the tokens of a pretoken, merging the pair of lowest rank first, from the left."""
    parts = [piece[i : i + 1] for i in range(len(piece))]
    while len(parts) > 1:
        best = min(range(len(parts) - 1), key=lambda i: ranks.get(parts[i] + parts[i + 1], float("inf")))
        rank = ranks.get(parts[best] + parts[best + 1])
        if rank is None or (below is not None and rank >= below):
            break
        parts[best : best + 2] = [parts[best] + parts[best + 1]]
    return parts
