"""Where two tokenizers cut a text differently: the stretches between boundaries that both have."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tokviz.core.spans import TokenSpans


class Stretch(NamedTuple):
    """A stretch of a text, from where to where in bytes, and which tokens it has under either tokenizer."""

    byte_start: int
    byte_end: int
    left: slice
    right: slice


def differing_stretches(both: Sequence[TokenSpans], features: Sequence[Sequence[object]]) -> Iterator[Stretch]:
    """Yield the stretches of a text whose tokens differ, each as short as boundaries of both allow.

    features: what is compared of each token of the one tokenizer and of the other, such as their ids.

    >>> import tokviz
    >>> spans = [tokviz.text_spans(tokviz.load(name), "in 2024") for name in ("gpt2", "cl100k_base")]
    >>> [each[:2] for each in differing_stretches(spans, [each.byte_ends.tolist() for each in spans])]
    [(2, 7)]
    """
    ends = np.union1d(np.intersect1d(both[0].byte_ends, both[1].byte_ends), len(both[0].data))
    left, right = ([0, *np.searchsorted(each.byte_ends, ends, side="right").tolist()] for each in both)
    for at, (start, end) in enumerate(pairwise([0, *ends.tolist()])):
        ours, theirs = slice(left[at], left[at + 1]), slice(right[at], right[at + 1])
        if features[0][ours] != features[1][theirs]:
            yield Stretch(start, end, ours, theirs)
