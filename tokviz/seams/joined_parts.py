"""A text cut in two: the ids of both parts, and the ids of the whole.

Ids of parts, one after the other, are not always those of the whole: a cut inside a token costs tokens, and one between
a space and its word gives the space a token of its own.
"""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from tokviz.core.lookahead import end_of_certain_cuts
from tokviz.core.pretokens import well_formed_text
from tokviz.core.spans import text_spans
from tokviz.core.tokenizer import tokenizer_with_merges
from tokviz.seams.canonical import Canonical, canonical, canonical_of_placed_ids
from tokviz.seams.endings import pretoken_ends

WINDOW = 64  # characters after a cut; if the cuts of both do not meet in them, four times as many


def joined_parts(tokenizer: Any, left: str, right: str) -> Canonical:
    """Return the ids of two texts, one after the other, and the ids of both together.

    Special tokens are plain text. Raises FamilyError for a tokenizer whose merges are not known.

    >>> import tokviz
    >>> found = joined_parts(tokviz.load("cl100k_base"), "The answer is ", "yes")
    >>> found.ids, found.canonical
    ([791, 4320, 374, 220, 9891], [791, 4320, 374, 10035])
    """
    left, right = well_formed_text(left), well_formed_text(right)
    tokenizer = tokenizer_with_merges(tokenizer, "a comparison of parts with the whole")
    if tokenizer.normalizer.is_plain:
        return canonical(tokenizer, [*tokenizer.encode(left), *tokenizer.encode(right)])
    one, other = (text_spans(tokenizer, text) for text in (left, right))
    places = np.concatenate([[0], one.byte_ends, len(left.encode()) + other.byte_ends])
    return canonical_of_placed_ids(tokenizer, [*one.ids.tolist(), *other.ids.tolist()], left + right, places)


@dataclass(frozen=True)
class AroundCut:
    """The surroundings of a cut, from one character to another: the ids of the whole there, and those of both parts.

    Before and after them the parts have the ids of the whole.
    """

    start: int
    stop: int
    whole: list[int]
    left: list[int]
    right: list[int]


class Cuts:
    """What cutting a text costs, at any place: only what surrounds the cut is encoded again.

    Where texts are changed before they are split, both parts are encoded as a whole. Lone surrogates become U+FFFD.
    Special tokens are plain text. Raises FamilyError for a tokenizer whose merges are not known.

    >>> import tokviz
    >>> cuts = Cuts(tokviz.load("cl100k_base"), "The answer is yes")
    >>> [cuts.extra_tokens(cut) for cut in range(18)]
    [0, 1, 1, 0, 1, 2, 1, 1, 2, 2, 0, 1, 1, 0, 1, 1, 1, 0]
    """

    def __init__(self, tokenizer: Any, text: str) -> None:
        tokenizer = tokenizer_with_merges(tokenizer, "the cost of cuts")
        self.text, self._tokenizer = well_formed_text(text), tokenizer
        self._ends = [0, *pretoken_ends(self.text, tokenizer.split_pattern)]
        pretokens = [self.text[a:b] for a, b in pairwise(self._ends)]
        n_tokens = {pretoken: len(tokenizer.encode_pretoken(pretoken)) for pretoken in {*pretokens}}
        self._before = list(accumulate(map(n_tokens.__getitem__, pretokens), initial=0))  # before each of these ends

    def extra_tokens(self, cut: int) -> int:
        """Return how many tokens more the two parts have than the whole, cut before this character.

        It may be less than none. Raises ValueError for a place outside the text.
        """
        around = self.around(cut)
        return len(around.left) + len(around.right) - len(around.whole)

    def around(self, cut: int) -> AroundCut:
        """Return the ids around a cut before this character; ValueError for a place outside the text.

        >>> import tokviz
        >>> Cuts(tokviz.load("cl100k_base"), "The answer is yes").around(14)
        AroundCut(start=3, stop=17, whole=[4320, 374, 10035], left=[4320, 374, 220], right=[9891])
        """
        if not self._tokenizer.normalizer.is_plain:
            parts = self.text, self.text[: self._checked_cut(cut)], self.text[cut:]
            return AroundCut(0, len(self.text), *map(self._tokenizer.encode, parts))
        ends = self._pretoken_ends_around(cut)
        whole = self._ends[self._end_index(ends[0]) : self._end_index(ends[-1]) + 1]
        left, right = ([end for end in ends if end <= cut], [end for end in ends if end >= cut])
        return AroundCut(ends[0], ends[-1], *map(self._ids_between, (whole, left, right)))

    def n_tokens_outside(self, around: AroundCut) -> tuple[int, int]:
        """Return how many tokens of the whole are before those around a cut, and how many after them.

        >>> import tokviz
        >>> cuts = Cuts(tokviz.load("cl100k_base"), "The answer is yes")
        >>> cuts.n_tokens_outside(cuts.around(14))
        (1, 0)
        """
        before, upto = (self._before[self._end_index(end)] for end in (around.start, around.stop))
        return before, self._before[-1] - upto

    def _checked_cut(self, cut: int) -> int:
        if not 0 <= cut <= len(self.text):
            raise ValueError(f"the text has {len(self.text):,} characters and cannot be cut at {cut}")
        return cut

    def _end_index(self, end: int) -> int:
        """Return the number of a pretoken of the whole by where the one before it ends."""
        return bisect_right(self._ends, end) - 1

    def _ids_between(self, ends: list[int]) -> list[int]:
        """Return the ids of the pretokens between these ends."""
        return [each for a, b in pairwise(ends) for each in self._tokenizer.encode_pretoken(self.text[a:b])]

    def _pretoken_ends_around(self, cut: int) -> list[int]:
        """Return where the pretokens of both parts end around a cut: from where they differ from those of the whole."""
        known = end_of_certain_cuts(self.text, self._checked_cut(cut), self._tokenizer.split_pattern)
        start = self._ends[self._end_index(known)]
        return [start, *self._pretoken_ends_between(start, cut), *self._pretoken_ends_after(cut)]

    def _pretoken_ends_after(self, cut: int) -> list[int]:
        """Return where the pretokens of the part after a cut end, up to where one of the whole does."""
        size = WINDOW
        while cut + size < len(self.text):
            found, stop = self._pretoken_ends_between(cut, cut + size), cut + size
            known = end_of_certain_cuts(self.text, stop, self._tokenizer.split_pattern)
            for i, end in enumerate(found):
                if end <= known and self._ends[self._end_index(end)] == end:
                    return found[: i + 1]
            size *= 4
        return self._pretoken_ends_between(cut, len(self.text))

    def _pretoken_ends_between(self, start: int, stop: int) -> list[int]:
        """Return where the pretokens of a part end in the text."""
        return [start + end for end in pretoken_ends(self.text[start:stop], self._tokenizer.split_pattern)]
