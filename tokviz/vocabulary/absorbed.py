"""Tokens that serve only as steps to longer ones: as soon as one was learned, a merge took nearly all of it.

Training merges the most frequent pair first, and how often the pair of rank r occurs falls about as 1 / r (Zipf's law).
If a token of rank r is part of one of rank r + 1, the longer one occurs nearly as often, and little is left of the
shorter one: ` TheNitrome` (gpt2) is part of ` TheNitromeFan`, the next merge. Such tokens are hardly ever trained on.
"Fishing for Magikarp" (Land and Bartolo 2024) finds them in models by their embeddings; this needs the ranks alone.
"Scaffold-BPE" (Lian et al. 2024) and "PickyBPE" (Chizhov et al. 2024) leave them out of vocabularies.
"""

from typing import NamedTuple

from tokviz.core import bpe
from tokviz.core.tokenizer import Tokenizer

LEFT_OVER_MAX = 0.01  # of its uses: 64 tokens of gpt2, 98 of cl100k_base, 114 of o200k_base


class Absorbed(NamedTuple):
    """A token, the first longer one made of it, and the share of its uses that Zipf's law leaves to it."""

    token_id: int
    into_id: int
    left_over: float


def tokens_absorbed(tokenizer: Tokenizer) -> list[Absorbed]:
    """Return the tokens of which hardly anything is left after the first merge that takes them, in the order of ids.

    Tokens that no merges make take nothing.

    >>> import tokviz
    >>> gpt2 = tokviz.load("gpt2")
    >>> found = [tuple(gpt2.tokens_bytes(one[:2])) for one in tokens_absorbed(gpt2)]
    >>> [pair for pair in found if b"Nitrome" in pair[0]]
    [(b'Nitrome', b' TheNitrome'), (b' TheNitrome', b' TheNitromeFan')]
    """
    ranks, order = tokenizer.mergeable_ranks, tokenizer.merge_tokens
    place = {token: i + 1 for i, token in enumerate(order)}
    found: dict[bytes, Absorbed] = {}
    for into in order:
        for part in _prefixes_and_suffixes_near_in_rank(into, place):
            pair = bpe.parents(into, ranks) if part not in found else None
            if pair and part in pair:
                left_over = 1 - place[part] / place[into]
                found[part] = Absorbed(ranks[part], ranks[into], left_over)
    return sorted(found.values())


def _prefixes_and_suffixes_near_in_rank(token: bytes, place: dict[bytes, int]) -> list[bytes]:
    """Return the beginnings and ends of a token that are tokens of only a little lower rank."""
    first = place[token] * (1 - LEFT_OVER_MAX)
    parts = (part for i in range(2, len(token)) for part in (token[:i], token[-i:]))
    return [part for part in parts if first <= place.get(part, 0) < place[token]]
