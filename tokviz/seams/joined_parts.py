"""A text cut in two, and the ids of both parts beside those of the whole.

Ids of parts, one after the other, are not always those of the whole: a cut inside a token costs tokens, and one between
a space and its word gives the space a token of its own.
"""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, pairwise

from tokviz.core.pretokens import well_formed
from tokviz.core.tokenizer import Tokenizer
from tokviz.seams.canonical import Canonical, canonical
from tokviz.seams.endings import cut_ends, first_read

WINDOW = 64  # characters behind a cut; if the cuts of both do not meet in them, four times as many


def joined_parts(tokenizer: Tokenizer, left: str, right: str) -> Canonical:
    """Return the ids of two texts, one after the other, beside those of both together.

    Special tokens are plain text. Raises ValueError for a tokenizer whose merges are not known.

    >>> import tokviz
    >>> found = joined_parts(tokviz.load("cl100k_base"), "The answer is ", "yes")
    >>> found.ids, found.canonical
    ([791, 4320, 374, 220, 9891], [791, 4320, 374, 10035])
    """
    left, right = well_formed(left), well_formed(right)
    return canonical(tokenizer, [*tokenizer.encode(left), *tokenizer.encode(right)])


class Cuts:
    """What cutting a text costs, at any place: only what stands around the cut is encoded again.

    Lone surrogates become U+FFFD. Special tokens are plain text.

    >>> import tokviz
    >>> cuts = Cuts(tokviz.load("cl100k_base"), "The answer is yes")
    >>> [cuts.extra_tokens(cut) for cut in range(18)]
    [0, 1, 1, 0, 1, 2, 1, 1, 2, 2, 0, 1, 1, 0, 1, 1, 1, 0]
    """

    def __init__(self, tokenizer: Tokenizer, text: str) -> None:
        self.text, self._tokenizer = well_formed(text), tokenizer
        self._known: dict[str, int] = {}
        self._ends = [0, *cut_ends(self.text, tokenizer.split_pattern)]
        pretokens = (self.text[a:b] for a, b in pairwise(self._ends))
        self._before = list(accumulate(map(self._count, pretokens), initial=0))  # tokens before each of these ends

    def _count(self, pretoken: str) -> int:
        if pretoken not in self._known:
            self._known[pretoken] = len(self._tokenizer.encode_pretoken(pretoken))
        return self._known[pretoken]

    def _counts(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Yield where each pretoken of a part ends in the text, and how many tokens end there or before."""
        n_tokens, begin = 0, start
        for end in cut_ends(self.text[start:stop], self._tokenizer.split_pattern):
            n_tokens += self._count(self.text[begin : start + end])
            begin = start + end
            yield begin, n_tokens

    def extra_tokens(self, cut: int) -> int:
        """Return how many tokens more the two parts have than the whole, cut before this character.

        It may be less than none. Raises ValueError for a place outside the text.
        """
        if not 0 <= cut <= len(self.text):
            raise ValueError(f"the text has {len(self.text):,} characters and cannot be cut at {cut}")
        return self._left(cut) + self._right(cut) - self._before[-1]

    def _left(self, cut: int) -> int:
        """Return how many tokens the text before a cut has."""
        limit = first_read(self.text, cut, self._tokenizer.split_pattern)
        i = max(bisect_right(self._ends, limit) - 1, 0)
        *_, (_, n_tokens) = [(0, 0), *self._counts(self._ends[i], cut)]
        return self._before[i] + n_tokens

    def _right(self, cut: int) -> int:
        """Return how many tokens the text behind a cut has."""
        n_tokens, size = 0, WINDOW
        while cut + size < len(self.text):
            stop = cut + size
            known = first_read(self.text, stop, self._tokenizer.split_pattern)
            for end, n_tokens in self._counts(cut, stop):
                i = bisect_right(self._ends, end) - 1
                if end <= known and self._ends[i] == end:
                    return n_tokens + self._before[-1] - self._before[i]
            size *= 4
        return max((n for _, n in self._counts(cut, len(self.text))), default=0)
