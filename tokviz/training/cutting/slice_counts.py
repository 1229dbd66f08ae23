"""How often each pretoken of joined texts occurs: sorted as numbers, they need not be hashed one by one as strings."""

import numpy as np

from tokviz.training.cutting.joined_texts import END, JoinedTexts

LONGEST = 16  # bytes; these make two numbers of 64 bits
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
_FIRST = _MASKS[np.minimum(np.arange(LONGEST + 1), 8)]  # the bytes among the first eight, for each length
_SECOND = _MASKS[np.maximum(np.arange(LONGEST + 1) - 8, 0)]
_ODD = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)  # mix well


def slice_counts(joined: JoinedTexts, starts: np.ndarray) -> list[tuple[str, int]]:
    """Return pretokens with their counts, in the order of first occurrence; now and then one stands there twice.

    >>> joined = JoinedTexts(["to be", "to"])
    >>> slice_counts(joined, np.array([0, 1, 3, 6, 7, 9]))
    [('to', 2), (' be', 1)]
    """
    at = joined.byte_places(starts)
    sizes = np.diff(at)
    is_pretoken = joined.kinds[starts[:-1]] != END
    short = np.flatnonzero(is_pretoken & (sizes <= LONGEST))
    long = np.flatnonzero(is_pretoken & (sizes > LONGEST))
    first, count = _grouped(joined.utf8, at[short], sizes[short])
    index = np.concatenate([short[first], long])
    count = np.concatenate([count, np.ones(len(long), np.int64)])
    order = index.argsort()
    index, text = index[order], joined.text
    slices = zip(starts[index].tolist(), starts[index + 1].tolist(), strict=True)
    return list(zip([text[begin:end] for begin, end in slices], count[order].tolist(), strict=True))


def _grouped(data: bytes, at: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the index of the first of each group of equal slices, and the size of the group.

    Sorts hashes with the indices in their low bits. Slices of one hash are compared with the one before only, so two
    that share a hash can make several groups each; but no group has different slices.
    """
    padded = data + bytes(LONGEST)
    eight = [np.ndarray(len(data), np.uint64, padded, offset, strides=(1,)) for offset in (0, 8)]
    low, high = eight[0][at] & _FIRST[sizes], eight[1][at] & _SECOND[sizes]
    bits = np.uint64(len(at).bit_length())
    key = (low ^ low >> np.uint64(29)) * _ODD[0] + high * _ODD[1] + sizes.astype(np.uint64) * _ODD[2]
    key >>= bits
    key <<= bits
    key |= np.arange(len(key), dtype=np.uint64)
    key.sort()
    index = (key & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)
    is_first = np.ones(len(index), bool)
    is_first[1:] = False
    for column in (low, high, sizes):
        column = column[index]
        is_first[1:] |= column[1:] != column[:-1]
    begin = np.flatnonzero(is_first)
    return index[begin], np.diff(begin, append=len(index))
