"""Merges that a solution learned, compared with the expected ones: the first that differs, and what explains it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any

from tokviz.core.bpe import ranks_from_merges
from tokviz.solutions.outcomes import shortened_repr
from tokviz.solutions.ways import TIE_RULES, LearningWay, Pair, way_steps

TOKEN_BYTES_MAX = 10_000  # more than the texts that are trained on


def byte_merges(merges: Any) -> list[Pair]:
    """Return merges as pairs of bytes: given so, as a dict of pairs of ids to ids, or as pairs of ids in order.

    ValueError if they are nothing of the kind.

    >>> byte_merges({(97, 98): 256, (256, 99): 257})
    [(b'a', b'b'), (b'ab', b'c')]
    """
    if not isinstance(merges, Mapping | list | tuple):
        raise ValueError(f"expected are merges, and there is {shortened_repr(merges)}")
    is_ordered = not isinstance(merges, Mapping) or all(isinstance(rank, int) for rank in merges.values())
    if not is_ordered:
        raise ValueError("the merges are a dict, whose values should be ids")
    tokens = [bytes([i]) for i in range(256)]
    result: list[Pair] = []
    for number, pair in enumerate(sorted(merges, key=merges.__getitem__) if isinstance(merges, Mapping) else merges, 1):
        match pair:
            case [bytes(left), bytes(right)]:
                result.append((left, right))
            case [int(left), int(right)] if min(left, right) >= 0 and max(left, right) < len(tokens):
                result.append((tokens[left], tokens[right]))
            case _:
                raise ValueError(
                    f"merge {number} is {shortened_repr(pair)}; expected are two tokens, or ids of earlier ones"
                )
        tokens.append(b"".join(result[-1]))
        if len(tokens[-1]) > TOKEN_BYTES_MAX:
            raise ValueError(f"merge {number} makes a token of {len(tokens[-1]):,} bytes, longer than the text")
    return result


def ranks_of_byte_merges(merges: Sequence[Pair]) -> dict[bytes, int]:
    """Return the mergeable ranks of merges given as bytes; ValueError if one joins what no merge before it makes."""
    ids = {bytes([i]): i for i in range(256)}
    pairs = []
    for number, (left, right) in enumerate(merges, 1):
        for token in (left, right):
            if token not in ids:
                raise ValueError(
                    f"merge {number} joins {shortened_repr(token)}, which is neither a byte nor made by a merge before "
                    "it"
                )
        pairs.append((ids[left], ids[right]))
        ids[left + right] = 255 + number
    return ranks_from_merges(pairs)


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
    way: LearningWay | None

    @property
    def is_tie(self) -> bool:
        """Whether both pairs occur equally often, so that only a rule for ties decides."""
        return self.their_count == self.expected_count > 0


def first_difference_if_any(
    merges: Sequence[Pair], n_merges: int, expected: LearningWay, text: str, special_tokens: Sequence[str] = ()
) -> Difference | None:
    """Return how merges differ from the first `n_merges` of the expected way; None if they are these.

    >>> found = first_difference_if_any([(b"b", b"c")], 1, LearningWay("none"), "abc")
    >>> found.expected, found.is_tie, found.way.tie
    ((b'a', b'b'), True, 'last')
    """
    steps = islice(way_steps(expected, text, special_tokens), n_merges)
    for rank, (theirs, step) in enumerate(zip_longest(merges, steps)):
        if step is None or theirs != step.pair:
            way = nearest_explaining_way(merges, expected, text, special_tokens)
            if step is None or theirs is None:
                return Difference(rank, theirs, None if step is None else step.pair, 0, 0, way)
            return Difference(rank, theirs, step.pair, step.count(theirs), step.count(step.pair), way)
    return None


def nearest_explaining_way(
    merges: Sequence[Pair], expected: LearningWay, text: str, special_tokens: Sequence[str] = ()
) -> LearningWay | None:
    """Return the way that gives all these merges, the one nearest to the expected way; None if none does."""
    for way in expected.all_ways_by_fewest_departures(has_special=bool(special_tokens)):
        learned = (step.pair for step in way_steps(way, text, special_tokens))
        if all(theirs == next(learned, None) for theirs in merges):
            return way
    return None


def difference_words(found: Difference, expected: LearningWay) -> str:
    """Return a difference in words, a sentence on each line.

    >>> way = LearningWay("none")
    >>> print(difference_words(first_difference_if_any([(b"b", b"c")], 1, way, "abc"), way))
    merge 1 joins b'b' + b'c', and b'a' + b'b' was expected.
    Both occur once: only a rule for ties decides.
    All your merges come from ties going to the pair that first occurs last.
    Expected is the pair that occurs first in the text.
    """
    number = found.rank + 1
    if found.theirs is None:
        return f"merge {number} is missing: {_pair_text(found.expected)} was expected"
    if found.expected is None:
        return f"merge {number}, {_pair_text(found.theirs)}, is one too many"
    words = f"merge {number} joins {_pair_text(found.theirs)}, and {_pair_text(found.expected)} was expected.\n"
    if found.is_tie:
        words += f"Both occur {_times_text(found.their_count)}: only a rule for ties decides.\n"
    else:
        their_expected = _times_text(found.expected_count)
        words += f"Yours occurs {_times_text(found.their_count)} there, the expected one {their_expected}.\n"
    if found.way is None:
        return f"{words}No rule for ties, and no other way of counting that tokviz knows, explains all your merges."
    *others, last = expected.departures_in_words(found.way)
    words += f"All your merges come from {' and '.join(filter(None, [', '.join(others), last]))}."
    is_other_tie = found.way.tie != expected.tie
    return f"{words}\nExpected is {TIE_RULES[expected.tie].words}." if is_other_tie else words


def _pair_text(pair: Pair | None) -> str:
    return "nothing" if pair is None else f"{shortened_repr(pair[0])} + {shortened_repr(pair[1])}"


def _times_text(n: int) -> str:
    return {0: "never", 1: "once"}.get(n, f"{n} times")
