"""Merges that somebody's code learned, held against the expected ones: the first that differs, and what explains it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest

from tokviz.checks.ways import TIE_RULES, Pair, Way, way_steps


@dataclass(frozen=True)
class Difference:
    """The first merge that differs.

    rank: 0 for the first merge. theirs, expected: pairs of tokens, None where that list ends. their_count,
    expected_count: how often they occur at that moment; their_count is 0 for a pair that does not occur. way: the one
    that gives all merges that were learned, None if none does.
    """

    rank: int
    theirs: Pair | None
    expected: Pair | None
    their_count: int
    expected_count: int
    way: Way | None

    @property
    def is_tie(self) -> bool:
        """Whether both pairs occur equally often, so that only a rule for ties decides."""
        return self.their_count == self.expected_count > 0


def first_difference(
    merges: Sequence[Pair], n_merges: int, expected: Way, text: str, special_tokens: Sequence[str] = ()
) -> Difference | None:
    """Return how merges differ from the first `n_merges` of the expected way; None if they are these.

    >>> found = first_difference([(b"b", b"c")], 1, Way("none"), "abc")
    >>> found.expected, found.is_tie, found.way.tie
    ((b'a', b'b'), True, 'last')
    """
    steps = islice(way_steps(expected, text, special_tokens), n_merges)
    for rank, (theirs, step) in enumerate(zip_longest(merges, steps)):
        if step is None or theirs != step.pair:
            way = explaining_way(merges, expected, text, special_tokens)
            if step is None or theirs is None:
                return Difference(rank, theirs, None if step is None else step.pair, 0, 0, way)
            return Difference(rank, theirs, step.pair, step.count(theirs), step.count(step.pair), way)
    return None


def explaining_way(merges: Sequence[Pair], expected: Way, text: str, special_tokens: Sequence[str] = ()) -> Way | None:
    """Return the way that gives all these merges, the one nearest to the expected way; None if none does."""
    for way in expected.others(has_special=bool(special_tokens)):
        learned = (step.pair for step in way_steps(way, text, special_tokens))
        if all(theirs == next(learned, None) for theirs in merges):
            return way
    return None


def words_of(found: Difference, expected: Way) -> str:
    """Return a difference in words, a sentence on each line.

    >>> print(words_of(first_difference([(b"b", b"c")], 1, Way("none"), "abc"), Way("none")))
    merge 1 joins b'b' + b'c', and b'a' + b'b' was expected.
    Both occur once: only a rule for ties decides.
    All your merges come from ties going to the pair that first occurs last.
    Expected is the pair that occurs first in the text.
    """
    number = found.rank + 1
    if found.theirs is None:
        return f"merge {number} is missing: {_joined(found.expected)} was expected"
    if found.expected is None:
        return f"merge {number}, {_joined(found.theirs)}, is one too many"
    words = f"merge {number} joins {_joined(found.theirs)}, and {_joined(found.expected)} was expected.\n"
    if found.is_tie:
        words += f"Both occur {_times(found.their_count)}: only a rule for ties decides.\n"
    else:
        words += f"Yours occurs {_times(found.their_count)} there, the expected one {_times(found.expected_count)}.\n"
    if found.way is None:
        return f"{words}No rule for ties, and no other way of counting that tokviz knows, explains all your merges."
    *others, last = expected.departures(found.way)
    words += f"All your merges come from {' and '.join(filter(None, [', '.join(others), last]))}."
    is_other_tie = found.way.tie != expected.tie
    return f"{words}\nExpected is {TIE_RULES[expected.tie].words}." if is_other_tie else words


def _joined(pair: Pair | None) -> str:
    return "nothing" if pair is None else f"{pair[0]!r} + {pair[1]!r}"


def _times(n: int) -> str:
    return {0: "never", 1: "once"}.get(n, f"{n} times")
