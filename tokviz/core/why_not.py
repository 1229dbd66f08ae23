"""WhyNot: why two neighbouring tokens did not merge, from the merges on both sides of the gap between them."""

from collections.abc import Iterator
from dataclasses import dataclass

from tokviz.core.bpe import Merged, closing_ranks
from tokviz.core.ordered_ranks import symbol_ends
from tokviz.core.vocabulary import Vocabulary


@dataclass(frozen=True)
class Meeting:
    """A pair that stood at a gap which never closed, and what ended it.

    rank: of the merge that would have joined the pair, None if the vocabulary has none. taken:
    "left" or "right", the side that a merge of rank `taken_rank` took away into `taken_bytes`; None
    for the last pair, the two tokens themselves.
    """

    left: bytes
    right: bytes
    rank: int | None
    taken: str | None = None
    taken_rank: int | None = None
    taken_bytes: bytes | None = None


@dataclass(frozen=True)
class WhyNot:
    """Why two neighbouring tokens did not merge.

    reason: "special token" or "pretoken boundary" (merges never cross either), "lower rank" (a merge
    for a pair at this gap exists, but a merge of lower rank took one side first: see the first of
    `meetings` with a rank), or "no merge" (the vocabulary has none for any pair that stood here).
    """

    reason: str
    meetings: tuple[Meeting, ...] = ()

    @property
    def lost(self) -> Meeting | None:
        """The first pair that had a merge but lost a side to one of lower rank."""
        return next((meeting for meeting in self.meetings if meeting.rank is not None), None)


def why_not(data: bytes, middle: int, vocabulary: Vocabulary) -> WhyNot:
    """Return why the tokens data[:middle] and data[middle:] of one pretoken did not merge.

    >>> ranks = {bytes([i]): i for i in range(256)} | {b"bc": 256, b"ab": 257}
    >>> why = why_not(b"abc", 1, Vocabulary("toy", ranks))
    >>> why.reason, why.lost.rank, why.lost.taken, why.lost.taken_bytes
    ('lower rank', 1, 'right', b'bc')
    """
    meetings = tuple(_meetings(data, middle, vocabulary))
    lost = any(meeting.rank is not None for meeting in meetings)
    return WhyNot("lower rank" if lost else "no merge", meetings)


def _meetings(data: bytes, middle: int, vocabulary: Vocabulary) -> Iterator[Meeting]:
    """Yield the pairs that stood at the gap before the byte `middle`, in the order of time."""
    merged: list[Merged] = []
    # The merges of two neighbours are those of their bytes alone, since none reached across their ends.
    closing_ranks(data, vocabulary.mergeable_ranks, merged=merged)
    ends = [0, *symbol_ends(data, vocabulary.mergeable_ranks)]
    at = ends.index(middle)
    left, right = ends[at - 1], ends[at + 1]
    for start, _, stop in merged:
        if middle not in (start, stop):
            continue
        pair = data[left:middle], data[middle:right]
        into, side = data[start:stop], "left" if stop == middle else "right"
        yield Meeting(
            *pair, vocabulary.pair_rank(*pair), side, vocabulary.merge_rank(vocabulary.mergeable_ranks[into]), into
        )
        left, right = (start, right) if side == "left" else (left, stop)
    pair = data[left:middle], data[middle:right]
    yield Meeting(*pair, vocabulary.pair_rank(*pair))
