"""Byte pair encoding as in a textbook: the specification of training and encoding, slow and written to be read.

Training counts all pairs of neighbours, merges the most frequent one everywhere, and repeats. Encoding makes the same
merges in the same order. `tokviz.training.pairs` and `tokviz.core.bpe` give the same merges, counts and tokens
without counting anew; tests hold them against this module. After Sennrich, Haddow and Birch (2016), "Neural Machine
Translation of Rare Words with Subword Units".
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from tokviz.core.steps import TrainStep
from tokviz.core.tokenizer import Tokenizer

Token = TypeVar("Token")


def naive_steps(
    pretokens: Iterable[str], n_merges: int, *, min_count: int = 1, start: Tokenizer | None = None
) -> Iterator[TrainStep]:
    """Yield each merge learned from pretokens given in the order of the text; see `tokviz.train_steps`.

    >>> [step.token_bytes for step in naive_steps(["aaabdaaabac"], 3)]
    [b'aa', b'aaa', b'aaab']
    """
    ranks = {bytes([i]): i for i in range(256)} if start is None else start.mergeable_ranks
    tokens = {token_id: token for token, token_id in ranks.items()}
    first = 256 if start is None else start.n_vocab
    corpus = [[ranks[token] for token in naive_tokens(pretoken.encode(), ranks)] for pretoken in pretokens]
    for rank in range(n_merges):
        counts = pair_counts(corpus)
        if not counts:
            return
        pair = max(counts, key=counts.__getitem__)  # of equal ones, the first in the text
        if counts[pair] < min_count:
            return
        new = first + rank
        tokens[new] = tokens[pair[0]] + tokens[pair[1]]
        corpus = [merged_tokens(ids, pair, new) for ids in corpus]
        yield TrainStep(rank, pair, new, tokens[new], counts[pair], sum(map(len, corpus)), n_merges)


def pair_counts(corpus: Iterable[Sequence[Token]]) -> dict[tuple[Token, Token], int]:
    """Return how often each pair of neighbours occurs, in the order of first occurrence; overlapping ones count too.

    >>> pair_counts(["aaab"])
    {('a', 'a'): 2, ('a', 'b'): 1}
    """
    counts: dict[tuple[Token, Token], int] = {}
    for tokens in corpus:
        for pair in pairwise(tokens):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def merged_tokens(tokens: Sequence[Token], pair: tuple[Token, Token], new: Token) -> list[Token]:
    """Return tokens with `new` in the place of a pair wherever it occurs, from left to right.

    >>> merged_tokens([97, 97, 97, 98], (97, 97), 256)
    [256, 97, 98]
    """
    result, i = [], 0
    while i < len(tokens):
        found = (*tokens[i : i + 2],) == pair
        result.append(new if found else tokens[i])
        i += 2 if found else 1
    return result


def naive_tokens(pretoken: bytes, ranks: Mapping[bytes, int], *, below: int | None = None) -> list[bytes]:
    """Return the tokens of a pretoken, merging the pair of lowest rank first, and of equal ones the leftmost.

    Only merges of a rank lower than `below` are made.

    >>> ranks = {bytes([i]): i for i in range(256)} | {b"th": 256, b"the": 257}
    >>> naive_tokens(b"then", ranks), naive_tokens(b"then", ranks, below=257)
    ([b'the', b'n'], [b'th', b'e', b'n'])
    """
    tokens = [pretoken[i : i + 1] for i in range(len(pretoken))]
    while True:
        made = [ranks[left + right] for left, right in pairwise(tokens) if left + right in ranks]
        rank = min(made, default=None)
        if rank is None or (below is not None and rank >= below):
            return tokens
        i = next(i for i, (left, right) in enumerate(pairwise(tokens)) if ranks.get(left + right) == rank)
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
