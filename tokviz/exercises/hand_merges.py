"""Merging by hand: the rounds of a text in which a learner chooses the pairs, and every end that ties allow."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokviz.exercises.lines import visible_pieces_text
from tokviz.training import naive

WAYS_MAX = 200
Pieces = tuple[str, ...]
Pair = tuple[str, str]


@dataclass(frozen=True)
class Round:
    """The text in pieces before a merge, and how often each pair of neighbours occurs, in the order of the text."""

    pieces: Pieces
    counts: dict[Pair, int]

    @property
    def top_repeated_pairs(self) -> list[Pair]:
        """The pairs that occur most often, in the order of the text; none if no pair occurs twice."""
        most = max(self.counts.values(), default=0)
        return [pair for pair, count in self.counts.items() if count == most > 1]


def merged_pieces(pieces: Pieces, pair: Pair) -> Pieces:
    """Return pieces with a pair joined wherever it occurs, from left to right.

    >>> merged_pieces(("a", "a", "a", "b"), ("a", "a"))
    ('aa', 'a', 'b')
    """
    return tuple(naive.merged_tokens(pieces, pair, "".join(pair)))


def n_times_joined(pieces: Pieces, pair: Pair) -> int:
    """Return how often a merge joins a pair, which is less than its count where the pair overlaps itself.

    >>> n_times_joined(tuple("aaabdaaabac"), ("a", "a"))
    2
    """
    return len(pieces) - len(merged_pieces(pieces, pair))


def rounds_until_wrong_pair(text: str, chosen: Sequence[Pair]) -> list[Round]:
    """Return the rounds of a text: the first, and one after each of the pairs that were chosen.

    A pair that was not among the best when it was chosen ends the list.

    >>> last = rounds_until_wrong_pair("aaabdaaabac", [("a", "a")])[-1]
    >>> last.pieces, last.top_repeated_pairs
    (('aa', 'a', 'b', 'd', 'aa', 'a', 'b', 'a', 'c'), [('aa', 'a'), ('a', 'b')])
    """
    found = [_round(tuple(text))]
    for pair in chosen:
        if pair not in found[-1].top_repeated_pairs:
            break
        found.append(_round(merged_pieces(found[-1].pieces, pair)))
    return found


def usual_rounds(pieces: Pieces) -> Iterator[Round]:
    """Yield the round of these pieces, and one after each of the usual merges: the first of the best pairs.

    >>> [one.pieces for one in usual_rounds(("a", "b", "a", "b"))]
    [('a', 'b', 'a', 'b'), ('ab', 'ab')]
    """
    yield (one := _round(pieces))
    while pairs := one.top_repeated_pairs:
        yield (one := _round(merged_pieces(one.pieces, pairs[0])))


def n_steps(text: str, chosen: Sequence[Pair]) -> int:
    """Return how many steps a game has that goes on with the usual merges: a round for each, and the end.

    >>> n_steps("aaabdaaabac", [("a", "a")])
    4
    """
    last = rounds_until_wrong_pair(text, chosen)[-1]
    return len(chosen) + len(list(usual_rounds(last.pieces)))


def pair_text(pair: Pair) -> str:
    """Return a pair for people, with visible spaces.

    >>> pair_text((" a", "b"))
    '·a + b'
    """
    return visible_pieces_text(pair, " + ")


def _round(pieces: Pieces) -> Round:
    return Round(pieces, naive.pair_counts([pieces]))


def possible_final_pieces_if_few(text: str) -> set[Pieces]:
    """Return every end that choosing freely among tied pairs can lead to, until no pair occurs twice.

    The set is empty if there are more than `WAYS_MAX` texts on the way.

    >>> possible_final_pieces_if_few("aaabdaaabac")
    {('aaab', 'd', 'aaab', 'a', 'c')}
    """
    unseen, seen, found = [tuple(text)], set(), set()
    while unseen:
        pieces = unseen.pop()
        if pieces in seen:
            continue
        seen.add(pieces)
        if len(seen) > WAYS_MAX:
            return set()
        best = _round(pieces).top_repeated_pairs
        if not best:
            found.add(pieces)
        unseen += [merged_pieces(pieces, pair) for pair in best]
    return found
