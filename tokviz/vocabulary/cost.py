"""What a vocabulary of some size gives and costs: tokens of a text, and parameters of a model.

A vocabulary size counts the 256 bytes and the merges; special tokens come on top.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

N_BYTES = 256


@dataclass(frozen=True)
class VocabularyCut:
    """A vocabulary cut to `n_vocab` tokens: how many tokens the text then has.

    saved: the share of the tokens saved by doubling from half that vocabulary; None for the bytes alone.
    """

    n_vocab: int
    n_tokens: int
    saved: float | None


def vocabulary_doublings(curve: np.ndarray) -> Iterator[VocabularyCut]:
    """Yield the vocabulary of the bytes alone, then each double of it, and last the whole one.

    `curve` is `MergeTrace.curve()`: the number of tokens after k merges, for k = 0 to all of them.

    >>> [(cut.n_vocab, cut.n_tokens, cut.saved) for cut in vocabulary_doublings(np.array([100] + [75] * 256 + [50]))]
    [(256, 100, None), (512, 75, 0.25), (513, 50, 0.5)]
    """
    whole = N_BYTES + len(curve) - 1
    sizes = [N_BYTES << n for n in range((whole // N_BYTES).bit_length())]
    for n_vocab in dict.fromkeys([*sizes, whole]):
        n_tokens = int(curve[n_vocab - N_BYTES])
        before = int(curve[max(n_vocab // 2 - N_BYTES, 0)])
        saved = 1 - n_tokens / before if n_vocab > N_BYTES and before else None
        yield VocabularyCut(n_vocab, n_tokens, saved)


def n_embedding_and_output_parameters(n_vocab: int, width: int, *, tied: bool) -> tuple[int, int]:
    """Return the parameters of the embedding and of the output of a model of this width.

    Each is a matrix of n_vocab × width, without a bias; tied, the output uses the embedding's and adds
    none. Raises ValueError for sizes below 1.

    >>> n_embedding_and_output_parameters(50_257, 768, tied=True)  # GPT-2 small: 38.6 of its 124 million
    (38597376, 0)
    """
    if n_vocab < 1 or width < 1:
        raise ValueError(f"vocabulary and width must be whole numbers of at least 1, not {n_vocab!r} and {width!r}")
    return n_vocab * width, 0 if tied else n_vocab * width
