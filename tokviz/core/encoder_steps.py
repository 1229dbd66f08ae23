"""EncodingStep: how an encoder works through one pretoken, row by row, as one would by hand.

It adds what else could have been merged at each row.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tokviz.core.bpe import Merged, closing_ranks
from tokviz.core.ordered_ranks import symbol_ends
from tokviz.core.vocabulary import Vocabulary


@dataclass(frozen=True)
class EncodingStep:
    """One row: the tokens of a pretoken so far, and the pair that is merged next.

    tokens: bytes each, joined they are the pretoken. ranks: of each pair of neighbouring tokens the rank
    (0 is the first merge) of the merge that would join it, None where the vocabulary has none. winner:
    the index of the pair that is merged, None in the last row, which has the tokens of the encoding.
    """

    tokens: tuple[bytes, ...]
    ranks: tuple[int | None, ...]
    winner: int | None


def encoding_steps(pretoken: bytes, vocabulary: Vocabulary) -> Iterator[EncodingStep]:
    """Yield a row for each merge the encoder makes, and a last one with the tokens.

    The pair of the lowest rank is merged, of equal ones the leftmost. Takes O(n) steps a row.

    >>> ranks = {bytes([i]): i for i in range(256)} | {b"th": 256, b"the": 257}
    >>> for step in encoding_steps(b"then", Vocabulary("toy", ranks)):
    ...     print(step.tokens, step.ranks, step.winner)
    (b't', b'h', b'e', b'n') (0, None, None) 0
    (b'th', b'e', b'n') (1, None) 0
    (b'the', b'n') (None,) None
    """
    merged: list[Merged] = []
    closing_ranks(pretoken, vocabulary.mergeable_ranks, merged=merged)
    ends = symbol_ends(pretoken, vocabulary.mergeable_ranks)
    for middle in (*(one.middle for one in merged), None):
        tokens = tuple(pretoken[start:end] for start, end in pairwise([0, *ends]))
        ranks = tuple(vocabulary.pair_rank(left, right) for left, right in pairwise(tokens))
        yield EncodingStep(tokens, ranks, None if middle is None else ends.index(middle))
        if middle is not None:
            ends.remove(middle)
