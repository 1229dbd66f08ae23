"""The relatives of a token: its merge tree down to bytes, and its children.

The children are found without recovering the merges of the whole vocabulary, which takes seconds.

"""

from bisect import bisect_left
from collections.abc import Iterator

from tokviz.core import bpe
from tokviz.core.tokenizer import Tokenizer
from tokviz.core.trace import MergeNode, pieces_trace
from tokviz.core.vocabulary import Vocabulary
from tokviz.system.recent import recent


def merge_tree(tokenizer: Tokenizer, token: bytes) -> MergeNode:
    """Return the merge tree of a token that is not special; offsets are those inside the token, in bytes.

    A token that is only ever taken whole is a leaf. Raises KeyError for bytes that are not a token, ValueError for a
    token that no merges lead to and that is not taken whole.

    >>> import tokviz
    >>> tree = merge_tree(tokviz.train("low lower", vocab_size=258), b"low")
    >>> tree.left.token_bytes, tree.right.token_bytes, tree.right.byte_start, tree.rank
    (b'lo', b'w', 2, 1)
    """
    if token not in tokenizer.mergeable_ranks:
        raise KeyError(f"{tokenizer.name} has no token {token!r}")
    history = pieces_trace(tokenizer, [(token, False)])
    if len(history.ends) != 1:
        raise ValueError(f"no merges of {tokenizer.name} lead to its token {token!r}")
    return history.merge_tree(0)


def tokens_made_directly_from(vocabulary: Vocabulary, token: bytes) -> list[bytes]:
    """Return the tokens that one merge makes of this token and another, in the order of ranks.

    >>> import tokviz
    >>> tokens_made_directly_from(tokviz.train("low lower", vocab_size=258), b"lo")
    [b'low']
    >>> len(tokens_made_directly_from(tokviz.load("gpt2"), b" the"))
    24
    """
    ranks, n_bytes = vocabulary.mergeable_ranks, len(token)
    longer = {one for one in tokens_extending(vocabulary, token) if one[n_bytes:] in ranks}
    longer |= {one for one in tokens_extending_left(vocabulary, token) if one[:-n_bytes] in ranks}
    found = (one for one in longer if token in (bpe.parents(one, ranks) or ()))
    return sorted(found, key=lambda one: vocabulary.merge_rank(ranks[one]) or 0)


def tokens_extending(vocabulary: Vocabulary, start: bytes) -> Iterator[bytes]:
    """Yield the tokens that begin with some bytes and are longer, sorted.

    >>> import tokviz
    >>> list(tokens_extending(tokviz.load("gpt2"), b" lowe"))
    [b' lower', b' lowered', b' lowering', b' lowers', b' lowest']
    """
    return _entries_extending(_sorted_tokens(vocabulary), start)


def tokens_extending_left(vocabulary: Vocabulary, end: bytes) -> Iterator[bytes]:
    """Yield the tokens that end with some bytes and are longer, sorted by their bytes read backwards.

    >>> import tokviz
    >>> list(tokens_extending_left(tokviz.load("gpt2"), b"aucus"))
    [b' Caucus', b' caucus']
    """
    return (token[::-1] for token in _entries_extending(_reversed_tokens(vocabulary), end[::-1]))


@recent(maxsize=8)
def n_bytes_of_longest_token(vocabulary: Vocabulary) -> int:
    """Return how many bytes the longest token has that is not special.

    >>> import tokviz
    >>> n_bytes_of_longest_token(tokviz.load("gpt2"))
    128
    """
    return max(map(len, vocabulary.mergeable_ranks))


def _entries_extending(ordered: list[bytes], start: bytes) -> Iterator[bytes]:
    """Yield the entries of a sorted list that begin with `start` and are longer."""
    for i in range(bisect_left(ordered, start), len(ordered)):
        if not ordered[i].startswith(start):
            return
        if len(ordered[i]) > len(start):
            yield ordered[i]


@recent(maxsize=8)
def _sorted_tokens(vocabulary: Vocabulary) -> list[bytes]:
    return sorted(vocabulary.mergeable_ranks)


@recent(maxsize=8)
def _reversed_tokens(vocabulary: Vocabulary) -> list[bytes]:
    return sorted(token[::-1] for token in vocabulary.mergeable_ranks)
