"""WhyNot: why two neighbouring tokens did not merge, from the history of the gap between them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

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


def why_not(data: bytes, gaps: np.ndarray, middle: int, vocabulary: Vocabulary) -> WhyNot:
    """Return why the tokens data[:middle] and data[middle:] of one pretoken did not merge.

    gaps: one entry per gap between neighbouring bytes, len(data) - 1 in all: the rank (0 is the first
    merge) that closed it; the one at middle - 1 never closed and is not read.

    >>> ranks = {bytes([i]): i for i in range(256)} | {b"bc": 256, b"ab": 257}
    >>> why = why_not(b"abc", np.array([-1, 0]), 1, Vocabulary("toy", ranks))
    >>> why.reason, why.lost.rank, why.lost.taken, why.lost.taken_bytes
    ('lower rank', 1, 'right', b'bc')
    """
    meetings = tuple(_meetings(data, gaps, middle, vocabulary))
    lost = any(meeting.rank is not None for meeting in meetings)
    return WhyNot("lower rank" if lost else "no merge", meetings)


def _meetings(data: bytes, gaps: np.ndarray, middle: int, vocabulary: Vocabulary) -> Iterator[Meeting]:
    """Yield the pairs that stood at the gap before the byte `middle`, in the order of time."""
    grown = [(rank, "left") for rank in _records(gaps[: middle - 1][::-1])]
    grown += [(rank, "right") for rank in _records(gaps[middle:])]
    left, right = middle - 1, middle + 1
    for rank, side in sorted(grown):  # of equal ranks the left one is merged first
        pair = data[left:middle], data[middle:right]
        # The token on that side grows over every gap that closed up to this merge.
        if side == "left":
            while left > 0 and gaps[left - 1] <= rank:
                left -= 1
            into = data[left:middle]
        else:
            while right < len(data) and gaps[right - 1] <= rank:
                right += 1
            into = data[middle:right]
        yield Meeting(*pair, vocabulary.pair_rank(*pair), side, rank, into)
    pair = data[left:middle], data[middle:right]
    yield Meeting(*pair, vocabulary.pair_rank(*pair))


def _records(gaps: np.ndarray) -> list[int]:
    """Return each value above all before it: the ranks of the merges that a token grew by."""
    result: list[int] = []
    for rank in gaps.tolist():
        if not result or rank > result[-1]:
            result.append(rank)
    return result
