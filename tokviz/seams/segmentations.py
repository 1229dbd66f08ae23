"""All the ways to cut a text into tokens of a vocabulary: how many there are, the shortest, the greedy one, any one.

An encoder gives one of them, and a model has been trained on that one alone; it reads the others too, which attacks
use ("Adversarial Tokenization", Geh et al. 2025; "Broken Tokens? Your Language Model can Secretly Handle Non-Canonical
Tokenizations", Zheng et al. 2025). One pass over the bytes from the end counts them: the ways from a byte on are those
behind each token that fits there.
"""

import random
from functools import cached_property
from itertools import takewhile
from typing import Any

from tokviz.core.patterns import short_repr
from tokviz.core.pretokens import well_formed_text
from tokviz.core.relatives import n_bytes_of_longest_token
from tokviz.core.tokenizer import Tokenizer, tokenizer_with_merges
from tokviz.core.vocabulary import Vocabulary

Token = tuple[int, int]  # where it ends, in bytes, and its id
BYTES_MAX = 10_000  # half a second, and numbers of thousands of digits for each byte


class Segmentations:
    """The ways to cut a text, or bytes, into tokens; special tokens and the split pattern do not count.

    They are numbered from 0 to `count` - 1, ordered by the length of their first token, then of the second, and so on:
    number 0 is made of single bytes, of which those in `unused_bytes` come before their characters. A tokenizer first
    normalizes the text, without lone surrogates. Raises ValueError for more than 10,000 bytes, FamilyError for a
    tokenizer whose merges are not known.

    >>> import tokviz
    >>> ways = Segmentations(tokviz.load("gpt2"), "lower")
    >>> ways.count, [ways.tokens(ways.nth(n)) for n in (0, 1, ways.count - 1)]
    (15, [[b'l', b'o', b'w', b'e', b'r'], [b'l', b'o', b'w', b'er'], [b'lower']])
    """

    def __init__(self, vocabulary: Any, text: str | bytes) -> None:
        if not isinstance(vocabulary, Vocabulary):
            vocabulary = tokenizer_with_merges(vocabulary, "a list of all segmentations")
        if not isinstance(text, bytes):
            changed = vocabulary.normalized(text)[0] if isinstance(vocabulary, Tokenizer) else well_formed_text(text)
            text = changed.encode()
        self.data = text
        if len(self.data) > BYTES_MAX:
            raise ValueError(f"the text has {len(self.data):,} bytes; at most {BYTES_MAX:,} can be cut in every way")
        self._vocabulary, self._ranks = vocabulary, vocabulary.mergeable_ranks

    @cached_property
    def _tokens_by_start(self) -> list[list[Token]]:
        """The tokens that start at each byte, the shortest first."""
        data, ranks, n = self.data, self._ranks, len(self.data)
        longest = n_bytes_of_longest_token(self._vocabulary)
        unused = {byte[0]: token_id for token_id, byte in self._vocabulary.unused_bytes.items()}
        found: list[list[Token]] = []
        for start in range(n):
            stops = range(start + 1, min(start + longest, n) + 1)
            tokens = [(stop, ranks[data[start:stop]]) for stop in stops if data[start:stop] in ranks]
            found.append([(start + 1, unused[data[start]]), *tokens] if data[start] in unused else tokens)
        return found

    @cached_property
    def _n_ways_by_start(self) -> list[int]:
        """How many ways lead from each byte to the end."""
        counts = [0] * len(self.data) + [1]
        for start in range(len(self.data) - 1, -1, -1):
            counts[start] = sum(counts[stop] for stop, _ in self._tokens_by_start[start])
        return counts

    @property
    def count(self) -> int:
        """How many ways there are, exactly; 1 for no bytes."""
        return self._n_ways_by_start[0]

    def nth(self, number: int) -> list[int]:
        """Return the way with this number, as ids; ValueError for a number that none has."""
        if not 0 <= number < self.count:
            raise ValueError(f"there is no way {number}: they are numbered from 0 to {self.count - 1}")
        ids, start = [], 0
        while start < len(self.data):
            for stop, token_id in self._tokens_by_start[start]:
                if number < self._n_ways_by_start[stop]:
                    ids.append(token_id)
                    start = stop
                    break
                number -= self._n_ways_by_start[stop]
        return ids

    def number(self, ids: list[int]) -> int:
        """Return the number of a way, given as ids; ValueError for ids that are not one.

        >>> import tokviz
        >>> gpt2 = tokviz.load("gpt2")
        >>> Segmentations(gpt2, "lower").number(gpt2.encode("lower"))
        14
        """
        tokens = self._vocabulary.tokens_bytes(ids)
        if b"".join(tokens) != self.data:
            raise ValueError(f"these ids are {short_repr(b''.join(tokens))}, not {short_repr(self.data)}")
        number, start = 0, 0
        for token_id, token in zip(ids, tokens, strict=True):
            own = start + len(token), token_id
            before = takewhile(own.__ne__, self._tokens_by_start[start])
            number += sum(self._n_ways_by_start[stop] for stop, _ in before)
            start = own[0]
        return number

    def draw(self, rng: random.Random | None = None) -> list[int]:
        """Return one of all ways, each as likely as any other, as ids."""
        return self.nth((rng or random.Random()).randrange(self.count))

    def shortest(self) -> list[int]:
        """Return the ids of a way with the fewest tokens; of several the one whose first tokens are the longest."""
        n_tokens = [0] * (len(self.data) + 1)
        best: list[Token] = [(0, 0)] * len(self.data)
        for start in range(len(self.data) - 1, -1, -1):
            best[start] = min(reversed(self._tokens_by_start[start]), key=lambda token: n_tokens[token[0]])
            n_tokens[start] = n_tokens[best[start][0]] + 1
        return self._ids_along(best)

    def greedy(self) -> list[int]:
        """Return the ids of the way that takes the longest token at each place, as WordPiece does."""
        return self._ids_along([tokens[-1] for tokens in self._tokens_by_start])

    def tokens(self, ids: list[int]) -> list[bytes]:
        """Return the bytes of each token of a way."""
        return self._vocabulary.tokens_bytes(ids)

    def _ids_along(self, token_at: list[Token]) -> list[int]:
        """Return the ids on the way that `token_at` leads through the bytes."""
        ids, start = [], 0
        while start < len(self.data):
            start, token_id = token_at[start]
            ids.append(token_id)
        return ids
