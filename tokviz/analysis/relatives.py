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

    Raises KeyError for bytes that are not a token, ValueError for a token that no merges lead to.

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


def children(vocabulary: Vocabulary, token: bytes) -> list[bytes]:
    """Return the tokens that one merge makes of this token and another, in the order of ranks.

    >>> import tokviz
    >>> children(tokviz.train("low lower", vocab_size=258), b"lo")
    [b'low']
    >>> len(children(tokviz.load("gpt2"), b" the"))
    24
    """
    ranks = vocabulary.mergeable_ranks
    found = set()
    for candidate, other, at in _longer(vocabulary, token):
        # Both parts of a merge have lower ranks; of the few where that holds the encoder is asked.
        if other in ranks and max(ranks[other], ranks[token]) < ranks[candidate] and candidate not in found:
            pair = bpe.parents(candidate, ranks)
            if pair is not None and len(pair[0]) == at:
                found.add(candidate)
    return sorted(found, key=ranks.__getitem__)


def _longer(vocabulary: Vocabulary, token: bytes) -> Iterator[tuple[bytes, bytes, int]]:
    """Yield the tokens that begin or end with a token, each with what else it holds and where the two meet."""
    forwards, backwards = _sorted_tokens(vocabulary)
    for found in _beginning(forwards, token):
        yield found, found[len(token) :], len(token)
    for found in _beginning(backwards, token[::-1]):
        longer, at = found[::-1], len(found) - len(token)
        yield longer, longer[:at], at


def _beginning(ordered: list[bytes], start: bytes) -> Iterator[bytes]:
    """Yield the entries of a sorted list that begin with `start` and are longer."""
    for i in range(bisect_left(ordered, start), len(ordered)):
        if not ordered[i].startswith(start):
            return
        if len(ordered[i]) > len(start):
            yield ordered[i]


@recent(maxsize=8)
def _sorted_tokens(vocabulary: Vocabulary) -> tuple[list[bytes], list[bytes]]:
    """Return the tokens sorted, and sorted with their bytes reversed."""
    tokens = list(vocabulary.mergeable_ranks)
    return sorted(tokens), sorted(token[::-1] for token in tokens)
