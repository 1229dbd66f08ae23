"""Whether a tokenizer.json names every way to make a token, as those made from SentencePiece's or tiktoken's tables do.

Then merging any two tokens that make a third, in the order of the file, is merging by its list.
"""

import secrets
from collections.abc import Collection, Mapping

import numpy as np

LENGTH_BITS = 32  # more than a length ever has


def names_every_way(pairs: Collection[tuple[str, ...]], ids: np.ndarray, id_of: Mapping[str, int]) -> bool:
    """Return whether some pairs are all those of two tokens that make a token, each of them once.

    ids: those of the tokens that the pairs make, -1 for one that is not a token. id_of: all tokens; no two share an id.

    >>> names_every_way([("a", "b"), ("ab", "c")], np.array([3, 4]), {"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4})
    True
    >>> names_every_way([("a", "b")], np.array([3]), {"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4})
    False
    """
    if not all(id_of) or set(map(len, pairs)) - {2}:
        return False
    if not id_of:
        return not pairs
    named = ids << LENGTH_BITS | np.fromiter((len(left) for left, _ in pairs), np.int64, len(pairs))
    ways = _ways(id_of)
    return len(ways) == len(named) and bool((np.sort(ways) == np.sort(named)).all())


def _ways(id_of: Mapping[str, int]) -> np.ndarray:
    """Return each way to make a token of two others: its id, and in the low bits the length of the first of the two.

    Texts are compared by 64 bits of a polynomial hash (Karp and Rabin 1987) with random numbers, which are wrong about
    a million tokens once in some ten million times.
    """
    characters = np.frombuffer("".join(id_of).encode("utf-32-le", "surrogatepass"), np.uint32)
    lengths = np.fromiter(map(len, id_of), np.int64, len(id_of))
    ends = np.cumsum(lengths)
    tokens = np.repeat(np.arange(len(ends)), lengths)  # the number of the token that each character is in
    places = np.arange(len(characters)) - (ends - lengths)[tokens]  # and its place there
    values = np.random.default_rng(secrets.randbits(64)).integers(0, 2**64, int(characters.max()) + 1, np.uint64)
    base = secrets.randbits(64) | 1  # odd, so that it has an inverse
    powers, inverses = (_powers(one, int(lengths.max())) for one in (base, pow(base, -1, 2**64)))
    sums = np.r_[np.uint64(0), np.cumsum(values[characters] * powers[places])]
    known = sums[ends] - sums[ends - lengths]
    cuts = np.flatnonzero(places)
    cuts = cuts[_are_known(sums[cuts] - sums[cuts - places[cuts]], known)]
    cuts = cuts[_are_known((sums[ends[tokens[cuts]]] - sums[cuts]) * inverses[places[cuts]], known)]
    return np.fromiter(id_of.values(), np.int64, len(id_of))[tokens[cuts]] << LENGTH_BITS | places[cuts]


def _are_known(hashes: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return for each hash whether it is known."""
    is_known, table = np.zeros(len(hashes), bool), np.zeros(1 << 20, np.uint64)
    slots = (hashes >> np.uint64(44)).astype(np.int64)  # the first 20 bits, as NumPy takes them for an index at once
    while len(known):  # the table holds one of those that begin alike, and in four or five rounds each of them
        table[known >> np.uint64(44)] = known
        is_known |= table[slots] == hashes
        known = known[table[known >> np.uint64(44)] != known]
    return is_known


def _powers(base: int, count: int) -> np.ndarray:
    """Return the powers of a number from 0 up to `count`, modulo 2**64."""
    return np.multiply.accumulate(np.r_[np.uint64(1), np.full(count, np.uint64(base))])
