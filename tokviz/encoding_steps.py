"""EncodingStep: how an encoder works through one pretoken, row by row, as one would by hand.

In: the bytes of a pretoken and a vocabulary. Out: the row of parts as it stands before each merge, the
rank of every pair in it, and which one wins. `closing_ranks` comes to the same tokens faster; to it this
adds what else could have been merged at each row.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tokviz.vocabulary import Vocabulary


@dataclass(frozen=True)
class EncodingStep:
    """One row: the parts of a pretoken, and the pair that is merged next.

    parts: bytes each, joined they are the pretoken. ranks: of each pair of neighbouring parts the rank
    (0 is the first merge) of the merge that would join it, None where the vocabulary has none. winner:
    the index of the pair that is merged, None in the last row, whose parts are the tokens.
    """

    parts: tuple[bytes, ...]
    ranks: tuple[int | None, ...]
    winner: int | None

    @property
    def rank(self) -> int | None:
        """The rank of the merge that is made, None in the last row."""
        return None if self.winner is None else self.ranks[self.winner]


def encoding_steps(pretoken: bytes, vocabulary: Vocabulary) -> Iterator[EncodingStep]:
    """Yield a row for each merge the encoder makes, and a last one with the tokens.

    The pair of the lowest rank is merged, of equal ones the leftmost. Takes O(n) steps a row.

    >>> ranks = {bytes([i]): i for i in range(256)} | {b"th": 256, b"the": 257}
    >>> for step in encoding_steps(b"then", Vocabulary("toy", ranks)):
    ...     print(step.parts, step.ranks, step.winner)
    (b't', b'h', b'e', b'n') (0, None, None) 0
    (b'th', b'e', b'n') (1, None) 0
    (b'the', b'n') (None,) None
    """
    parts = tuple(pretoken[i : i + 1] for i in range(len(pretoken)))
    while True:
        ranks = tuple(_rank(left + right, vocabulary) for left, right in pairwise(parts))
        candidates = [(rank, place) for place, rank in enumerate(ranks) if rank is not None]
        if not candidates:
            yield EncodingStep(parts, ranks, None)
            return
        winner = min(candidates)[1]
        yield EncodingStep(parts, ranks, winner)
        parts = (*parts[:winner], parts[winner] + parts[winner + 1], *parts[winner + 2 :])


def _rank(joined: bytes, vocabulary: Vocabulary) -> int | None:
    token_id = vocabulary.mergeable_ranks.get(joined)
    return None if token_id is None else vocabulary.merge_rank(token_id)
