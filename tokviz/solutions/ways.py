"""Ways to learn merges: what is counted, and which of equally frequent pairs is taken.

From-scratch tokenizers differ in little else. Each way trains as the textbook does, counting anew for every merge.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache, partial
from itertools import pairwise, product
from operator import attrgetter
from typing import NamedTuple

from tokviz.core.pretokens import pretokens, split_at_special_tokens
from tokviz.training.naive import merged_tokens

Pair = tuple[bytes, bytes]


class TiedPair(NamedTuple):
    """A pair that no other is more frequent than: its two tokens, and their ids, which count merges from 256 on."""

    tokens: Pair
    ids: tuple[int, int]


@dataclass(frozen=True)
class TieRule:
    """Which of equally frequent pairs, given in the order of first occurrence, is merged."""

    words: str
    choose: Callable[[list[TiedPair]], TiedPair]


_TOKENS, _IDS = attrgetter("tokens"), attrgetter("ids")
FIRST, GREATER = "first", "greater"
TIE_RULES = {
    FIRST: TieRule("the pair that occurs first in the text", lambda tied: tied[0]),
    "last": TieRule("the pair that first occurs last", lambda tied: tied[-1]),
    GREATER: TieRule("the lexicographically greater pair of bytes", partial(max, key=_TOKENS)),
    "smaller": TieRule("the lexicographically smaller pair of bytes", partial(min, key=_TOKENS)),
    "lower ids": TieRule("the pair with the lower ids", partial(min, key=_IDS)),
    "higher ids": TieRule("the pair with the higher ids", partial(max, key=_IDS)),
}
WORDS_ONLY = "split"  # in place of a pattern: what str.split leaves
SPLITS = {
    "gpt2": "cutting by GPT-2's split pattern",
    "cl100k": "cutting by GPT-4's split pattern",
    "o200k": "cutting by GPT-4o's split pattern",
    "none": "training without a split pattern",
    WORDS_ONLY: "cutting at white space and leaving it out",
}
SPECIAL = {
    "cut": "cutting the special tokens out",
    "kept": "leaving the special tokens in the text",
    "removed": "removing the special tokens and merging across the place",
}
OVERLAPS = {True: "counting both pairs in aaa", False: "counting one pair in aaa"}


@dataclass(frozen=True)
class LearningWay:
    """One way to learn merges. split: a split pattern. special, overlaps and tie: keys of the tables above."""

    split: str
    special: str = "cut"
    overlaps: bool = True
    tie: str = FIRST

    def departures_in_words(self, other: "LearningWay") -> list[str]:
        """Return in words where the other way departs from this one.

        >>> LearningWay("gpt2").departures_in_words(LearningWay("none", tie="last"))
        ['training without a split pattern', 'ties going to the pair that first occurs last']
        """
        words = {
            "split": SPLITS.get(other.split, f"cutting by {other.split!r}"),
            "special": SPECIAL[other.special],
            "overlaps": OVERLAPS[other.overlaps],
            "tie": f"ties going to {TIE_RULES[other.tie].words}",
        }
        names = (field.name for field in fields(self))
        return [words[name] for name in names if getattr(self, name) != getattr(other, name)]

    def all_ways_by_fewest_departures(self, *, has_special: bool) -> list["LearningWay"]:
        """Return all ways, the one with the fewest departures first."""
        splits = dict.fromkeys([self.split, *SPLITS])
        specials = SPECIAL if has_special else [self.special]
        ways = [LearningWay(*each) for each in product(splits, specials, OVERLAPS, TIE_RULES)]
        return sorted(ways, key=lambda way: len(self.departures_in_words(way)))


@lru_cache(maxsize=32)
def byte_pretoken_counts(split: str, special: str, text: str, special_tokens: tuple[str, ...]) -> dict[bytes, int]:
    """Return the counts of pretokens, in the order of first occurrence; split and special as in a `LearningWay`."""
    if special == "removed":
        text = "".join(part for part, is_special in split_at_special_tokens(text, special_tokens) if not is_special)
    parts = split_at_special_tokens(text, special_tokens if special == "cut" else ())
    stretches = [part for part, is_special in parts if not is_special]
    cut = (part.split() if split == WORDS_ONLY else pretokens(part, split) for part in stretches)
    return dict(Counter(pretoken.encode() for some in cut for pretoken in some))


@dataclass(frozen=True)
class Step:
    """A merge: its pair, and how often each pair of ids occurred before it."""

    pair: Pair
    counts: Mapping[tuple[int, int], int]
    tokens: Sequence[bytes]

    def count(self, pair: Pair) -> int:
        """Return how often a pair occurred."""
        # No two tokens have the same bytes: what a merge would make anew, an earlier one has made of the same bytes.
        ids = {token: i for i, token in enumerate(self.tokens)}
        return self.counts.get((ids.get(pair[0], -1), ids.get(pair[1], -1)), 0)


def way_steps(way: LearningWay, text: str, special_tokens: Iterable[str] = ()) -> Iterator[Step]:
    """Yield the merges that a way learns from a text, until no pair is left.

    >>> [step.pair for step, _ in zip(way_steps(LearningWay("none"), "aaabdaaabac"), range(3))]
    [(b'a', b'a'), (b'aa', b'a'), (b'aaa', b'b')]
    """
    tokens = [bytes([i]) for i in range(256)]
    cut = way.split, way.special, text, tuple(special_tokens)
    corpus = [([*data], n) for data, n in byte_pretoken_counts(*cut).items()]
    counts = _initial_pair_counts(*cut, overlaps=way.overlaps)
    while counts:
        most = max(counts.values())
        tied = [
            TiedPair((tokens[left], tokens[right]), (left, right)) for (left, right), n in counts.items() if n == most
        ]
        chosen = TIE_RULES[way.tie].choose(tied)
        yield Step(chosen.tokens, counts, tuple(tokens))
        left, new = chosen.ids[0], len(tokens)
        corpus = [(merged_tokens(ids, chosen.ids, new) if left in ids else ids, n) for ids, n in corpus]
        tokens.append(b"".join(chosen.tokens))
        counts = _pair_counts(corpus, overlaps=way.overlaps)


@lru_cache(maxsize=64)
def _initial_pair_counts(
    split: str, special: str, text: str, special_tokens: tuple[str, ...], *, overlaps: bool
) -> Mapping[tuple[int, int], int]:
    """Return how often each pair occurs before any merge, which is the same for every rule for ties."""
    return _pair_counts(byte_pretoken_counts(split, special, text, special_tokens).items(), overlaps=overlaps)


def _pair_counts(corpus: Iterable[tuple[Sequence[int], int]], *, overlaps: bool) -> dict[tuple[int, int], int]:
    counts: dict[tuple[int, int], int] = {}
    for ids, n in corpus:
        before = None  # the pair counted last, which an overlapping one would count again
        for pair in pairwise(ids):
            if not overlaps and pair == before and pair[0] == pair[1]:
                before = None
                continue
            before = pair
            counts[pair] = counts.get(pair, 0) + n
    return counts
