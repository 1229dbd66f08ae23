"""Whether a tokenizer.json names every way to make a token, as those made from SentencePiece's or tiktoken's tables do.

Then merging any two tokens that make a third, in the order of the file, is merging by its list.
"""

import secrets
from collections.abc import Collection
from itertools import chain

import numpy as np


def names_every_way(pairs: Collection[tuple[str, ...]], tokens: Collection[str]) -> bool:
    """Return whether some pairs are all those of two tokens that make a token, each of them once.

    Texts are compared by 64 bits of a polynomial hash (Karp and Rabin 1987) with random numbers, which are wrong about
    a million tokens once in some ten million times.

    >>> names_every_way([("a", "b"), ("ab", "c")], ["a", "b", "c", "ab", "abc"])
    True
    >>> names_every_way([("a", "b"), ("ab", "c")], ["a", "b", "c", "ab", "bc", "abc"])
    False
    """
    if not all(tokens) or any(len(pair) != 2 for pair in pairs):
        return False
    if not tokens:
        return not pairs
    texts, n = [*tokens, *chain.from_iterable(pairs)], len(tokens)
    characters = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    ends = np.cumsum(lengths)
    places = np.arange(len(characters)) - np.repeat(ends - lengths, lengths)  # in the text that they are in
    values = np.random.default_rng(secrets.randbits(64)).integers(0, 2**64, int(characters.max()) + 1, np.uint64)
    base = secrets.randbits(64) | 1  # odd, so that it has an inverse
    powers, inverses = (_powers(one, int(lengths.max())) for one in (base, pow(base, -1, 2**64)))
    sums = np.r_[np.uint64(0), np.cumsum(values[characters] * powers[places])]
    hashes = sums[ends] - sums[ends - lengths]

    cuts = np.flatnonzero(places[: ends[n - 1]])
    left = sums[cuts] - sums[cuts - places[cuts]]
    cuts = cuts[known := _places_of_known(left, hashes[:n])]
    right = (sums[np.repeat(ends[:n], lengths[:n])[cuts]] - sums[cuts]) * inverses[places[cuts]]
    left = left[known]
    known = _places_of_known(right, hashes[:n])
    factor = np.uint64(secrets.randbits(64) | 1)
    ways, named = left[known] * factor + right[known], hashes[n::2] * factor + hashes[n + 1 :: 2]
    return len(ways) == len(named) and bool((np.sort(ways) == np.sort(named)).all())


def _places_of_known(hashes: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return the places of those hashes that are known."""
    has_beginning = np.zeros(1 << 22, bool)  # a small table first, since to search among all is slow
    has_beginning[known >> np.uint64(42)] = True
    likely = np.flatnonzero(has_beginning[hashes >> np.uint64(42)])
    likely, known = likely[np.argsort(hashes[likely])], np.sort(known)  # in order they are found in a third of the time
    found = np.minimum(np.searchsorted(known, hashes[likely]), len(known) - 1)
    return likely[known[found] == hashes[likely]]


def _powers(base: int, count: int) -> np.ndarray:
    """Return the powers of a number from 0 up to `count`, modulo 2**64."""
    return np.multiply.accumulate(np.r_[np.uint64(1), np.full(count, np.uint64(base))])
