"""Byte pair encoding of a single pretoken, with its history: the rank of the merge that closes each gap.

Everything else is read from these ranks. tiktoken gives the same tokens faster, but not how it came to them.
"""

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from tokviz.core.ordered_ranks import FROM_START, OrderedRanks

NEVER = -1
ABOVE_ALL = 2**62  # a rank above all others

# The longest token of o200k_base has 128 bytes, and all its tokens together 1,300,000; the largest vocabularies in use
# hold 260,000 tokens. A file can ask for much more in a few bytes, since each merge can double a token.
LONGEST_TOKEN_MAX = 128_000
TOKEN_BYTES_MAX = 10_000_000
TOKENS_MAX = 2_000_000
TRIED_BYTES_MAX = 64  # of a token whose parents are found by trying every pair; a longer one has too many pairs

Pair = tuple[int, int]


class Merged(NamedTuple):
    """A merge of the tokens piece[start:middle] and piece[middle:stop] of a pretoken, both in bytes."""

    start: int
    middle: int
    stop: int


def closing_ranks(
    piece: bytes,
    ranks: Mapping[bytes, int],
    *,
    merged: list[Merged] | None = None,
    late: list[Merged] | None = None,
) -> "array[int]":
    """Return for each gap between neighbouring bytes the lowest rank that a vocabulary must have to close it, or -1.

    The result has length len(piece) - 1 (0 for a single byte). The pair of lowest rank is merged first, and of equal
    ones the leftmost, as in tiktoken. That rank closes the gap, unless a merge of higher rank came before: then the
    gap has the highest rank so far. `merged` gets each merge as it is made, `late` those after one of higher rank.
    Takes O(n log n) steps for n bytes. Of `OrderedRanks` the result has places in the order of the merges, and -2
    inside the characters that merging begins with; `late` also gets the tokens that have another's place.

    >>> ranks = {bytes([i]): i for i in range(256)} | {b"th": 256, b"the": 257}
    >>> list(closing_ranks(b"then", ranks))
    [256, 257, -1]
    >>> list(closing_ranks(b"the", {**ranks, b"th": 257, b"the": 256}))
    [257, 257]
    """
    n = len(piece)
    gaps = array("i", [NEVER]) * max(n - 1, 0)
    if n < 2:
        return gaps
    end = list(range(1, n + 1))  # end of the token that starts here; 0 where no token starts any more
    start = list(range(n))  # start of the token that ends with this byte
    tied: Collection[bytes] = ()
    if isinstance(ranks, OrderedRanks):
        for first, stop in pairwise([0, *ranks.symbol_ends(piece)]):
            end[first], start[stop - 1] = stop, first
            for i in range(first + 1, stop):
                end[i], gaps[i - 1] = 0, FROM_START
        ranks, tied = ranks.order, ranks.tied
    firsts = (i for i in range(n - 1) if end[i] and end[i] < n)
    heap = [(rank, i) for i in firsts if (rank := ranks.get(piece[i : end[end[i]]])) is not None]
    heapify(heap)
    highest = NEVER
    while heap:
        rank, left = heappop(heap)
        middle = end[left]
        if not middle or middle == n:
            continue
        stop = end[middle]
        # An entry is stale when the pair that starts here has grown or shrunk since.
        if ranks.get(piece[left:stop]) != rank:
            continue
        # A lower rank appears only after the merge that brought its two tokens together.
        if late is not None and (rank < highest or (tied and piece[left:stop] in tied)):
            late.append(Merged(left, middle, stop))
        highest = max(highest, rank)
        gaps[middle - 1] = highest
        if merged is not None:
            merged.append(Merged(left, middle, stop))
        end[left], end[middle] = stop, 0
        start[stop - 1] = left
        if left:
            before = start[left - 1]
            rank = ranks.get(piece[before:stop])
            if rank is not None:
                heappush(heap, (rank, before))
        if stop < n:
            rank = ranks.get(piece[left : end[stop]])
            if rank is not None:
                heappush(heap, (rank, left))
    return gaps


def tokens(piece: bytes, ranks: Mapping[bytes, int], *, below: int = ABOVE_ALL) -> list[bytes]:
    """Return the tokens of one pretoken when only merges of a rank lower than `below` are made.

    >>> ranks = {bytes([i]): i for i in range(256)} | {b"th": 256, b"the": 257}
    >>> tokens(b"then", ranks, below=257)
    [b'th', b'e', b'n']
    """
    # The history of a text under fewer merges is the beginning of its history under all of them.
    result, begin = [], 0
    for i, rank in enumerate(closing_ranks(piece, ranks), 1):
        if rank == NEVER or rank >= below:
            result.append(piece[begin:i])
            begin = i
    result.append(piece[begin:])
    return result


def parents(token: bytes, ranks: Mapping[bytes, int]) -> tuple[bytes, bytes] | None:
    """Return the two tokens whose merge makes `token`, or None for a single byte and where merges do not lead to it.

    >>> ranks = {bytes([i]): i for i in range(256)} | {b"th": 256, b"the": 257}
    >>> parents(b"the", ranks)
    (b'th', b'e')
    """
    merged: list[Merged] = []
    gaps = closing_ranks(token, ranks, merged=merged)
    if not merged or NEVER in gaps:
        return None
    return token[: merged[-1].middle], token[merged[-1].middle :]


def check_tokens_within_limits(tokens: Collection[str | bytes]) -> None:
    """Raise ValueError for tokens that are longer or more numerous than any vocabulary needs.

    >>> check_tokens_within_limits(["a" * 200_000])
    Traceback (most recent call last):
    ValueError: it has a token of 200,000 bytes or characters; at most 128,000 are allowed
    """
    longest, together = max(map(len, tokens), default=0), sum(map(len, tokens))
    if longest > LONGEST_TOKEN_MAX:
        raise ValueError(
            f"it has a token of {longest:,} bytes or characters; at most {LONGEST_TOKEN_MAX:,} are allowed"
        )
    if len(tokens) > TOKENS_MAX or together > TOKEN_BYTES_MAX:
        raise ValueError(
            f"it has {len(tokens):,} tokens of {together:,} bytes or characters in total; at most {TOKENS_MAX:,} of "
            f"{TOKEN_BYTES_MAX:,} are allowed"
        )


def ranks_from_merges(
    merges: Iterable[Pair],
    *,
    bytes_max: int = TOKEN_BYTES_MAX,
    start: Mapping[bytes, int] | None = None,
    first: int = 256,
) -> dict[bytes, int]:
    """Return the mergeable ranks of merges in rank order: bytes are 0..255, merge i is 256 + i.

    `bytes_max` bounds the bytes of all tokens of these merges: forty can ask for a token of 2 ** 40. With `start`,
    the merges follow those of its ranks, and merge i is `first` + i, which must be above all of them.
    Raises ValueError, with the index of the merge as its second argument, for a merge that names an
    id not made before it, makes bytes that exist already, or could not be reached: encoding its
    bytes with the merges before it must end in exactly its pair, else tiktoken would encode
    differently from what the merges say.

    >>> ranks_from_merges([(116, 104), (256, 101)])[b"the"]
    257
    """
    ranks = {bytes([i]): i for i in range(256)} if start is None else dict(start)
    token_bytes = {token_id: token for token, token_id in ranks.items()}
    n_bytes = 0
    for i, (left, right) in enumerate(merges):
        for parent in (left, right):
            if parent not in token_bytes:
                raise ValueError(
                    f"the merge ({left}, {right}) names the id {parent}, which no token before it has; the highest is "
                    f"{max(token_bytes)}",
                    i,
                )
        n_bytes += len(token_bytes[left]) + len(token_bytes[right])
        if n_bytes > bytes_max:
            raise ValueError(f"the tokens up to the merge ({left}, {right}) have more than {bytes_max:,} bytes", i)
        token = token_bytes[left] + token_bytes[right]
        if len(token) > LONGEST_TOKEN_MAX:
            raise ValueError(
                f"the merge ({left}, {right}) makes a token of {len(token):,} bytes; at most {LONGEST_TOKEN_MAX:,} are "
                "allowed",
                i,
            )
        if token in ranks:
            raise ValueError(f"the merge ({left}, {right}) makes {token!r}, which is id {ranks[token]} already", i)
        reached = tokens(token, ranks, below=first + i)
        if reached != [token_bytes[left], token_bytes[right]]:
            raise ValueError(
                f"the merge ({left}, {right}) is never made: the merges before it turn {token!r} into {reached}",
                i,
            )
        ranks[token] = first + i
        token_bytes[first + i] = token
    return ranks


def merges_from_ranks(ranks: Mapping[bytes, int], ordered: Iterable[bytes]) -> list[Pair]:
    """Return the pairs of ids that make the tokens of `ordered`; the inverse of ranks_from_merges.

    Tokens that no merge makes are left out.

    >>> merges_from_ranks(ranks_from_merges([(116, 104), (256, 101)]), [b"th", b"the"])
    [(116, 104), (256, 101)]
    """
    return [(ranks[left], ranks[right]) for left, right in filter(None, parents_of_all(ordered, ranks))]


def parents_of_all(ordered: Iterable[bytes], ranks: Mapping[bytes, int]) -> Iterator[tuple[bytes, bytes] | None]:
    """Yield what `parents` returns for each token, in a third of the time where they come in the order of their merges.

    Two tokens are the parents of a third if no earlier merge joins anything across the place where they meet.

    >>> ranks = {bytes([i]): i for i in range(256)} | {b"th": 256, b"the": 257}
    >>> list(parents_of_all([b"th", b"the"], ranks))
    [(b't', b'h'), (b'th', b'e')]
    """
    order = ranks.order if isinstance(ranks, OrderedRanks) else ranks
    whole = (token for token in ranks if _is_always_whole(token, ranks))
    known = dict.fromkeys(whole, _SYMBOL)  # and tokens made by merges of lower ranks than their own
    for token in ordered:
        rank = order.get(token, NEVER)
        for middle in range(1, len(token)) if len(token) <= TRIED_BYTES_MAX else ():
            left, right = token[:middle], token[middle:]
            if (
                left in known
                and right in known
                and max(known[left][0], known[right][0]) < rank
                and _is_kept_apart(left, right, order, known)
            ):
                known[token] = rank, left, right
                yield left, right
                break
        else:
            yield parents(token, ranks)


def _is_always_whole(token: bytes, ranks: Mapping[bytes, int]) -> bool:
    """Return whether merging begins with this token wherever a text has its bytes."""
    if isinstance(ranks, OrderedRanks) and ranks.starts_with_characters:
        return ranks.is_symbol(token) and (len(token) > 1 or token.isascii())
    return len(token) == 1


_Made = tuple[int, bytes, bytes]  # the rank of the merge that makes a token, and the two tokens that it joins
_SYMBOL: _Made = NEVER, b"", b""  # what merging begins with


def _is_kept_apart(left: bytes, right: bytes, order: Mapping[bytes, int], known: Mapping[bytes, _Made]) -> bool:
    """Return whether merging text that these two tokens spell makes both of them.

    Takes the tokens that meet apart, the latest merge first. The pair that met before each merge must not have been
    mergeable at a lower rank. As `is_valid_token_pair` in the crate bpe (https://github.com/github/rust-gems).
    """
    while True:
        rank, _, end = known[left]
        after, start, _ = known[right]
        if rank > after:
            left, limit = end, rank
        elif after != NEVER:
            right, limit = start, after + 1  # of equal merges the leftmost is made first
        else:
            return True
        if order.get(left + right, ABOVE_ALL) < limit:
            return False
