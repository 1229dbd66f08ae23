"""How a text uses a vocabulary: which tokens it takes, and which of its characters take several.

In: a tokenizer and the pretoken counts of a text or corpus. Out: plain numbers.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from tokviz.tokenizer import Tokenizer


@dataclass(frozen=True)
class Usage:
    """How a text uses a vocabulary.

    n_tokens: tokens of the text. n_used, n_unused: of the mergeable tokens. n_chars: characters;
    n_split: those that take more than one token. split: the ten most frequent of these, with counts.
    """

    n_tokens: int
    n_used: int
    n_unused: int
    n_chars: int
    n_split: int
    split: tuple[tuple[str, int], ...]


def usage(tokenizer: Tokenizer, counts: Mapping[str, int]) -> Usage:
    """Return how a text, given as its pretoken counts, uses the vocabulary.

    >>> import tokviz
    >>> figures = usage(tokviz.load("gpt2"), {"low": 2, " ก": 1})
    >>> figures.n_tokens, figures.n_used, figures.n_split, figures.split
    (5, 4, 1, (('ก', 1),))
    """
    used: Counter[int] = Counter()
    split: Counter[str] = Counter()
    n_chars = 0
    for pretoken, n in counts.items():
        ids = tokenizer.encode_pretoken(pretoken)
        for token_id in ids:
            used[token_id] += n
        n_chars += n * len(pretoken)
        ends, end = set(), 0
        for token in tokenizer.tokens_bytes(ids):
            end += len(token)
            ends.add(end)
        start = 0
        for character in pretoken:
            stop = start + len(character.encode())
            if any(place in ends for place in range(start + 1, stop)):
                split[character] += n
            start = stop
    n_unused = len(tokenizer.mergeable_ranks) - len(used)
    return Usage(used.total(), len(used), n_unused, n_chars, split.total(), tuple(split.most_common(10)))
