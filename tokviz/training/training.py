"""Training: a text goes in, merges come out one by one, and make a Tokenizer in the end.

Merges are learned from pretoken counts alone. `Pairs` chooses and makes them; this module checks the arguments and
keeps the bytes of each new token.
"""

import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping

from tokviz.core.steps import TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.training.counting import Document, pretoken_counts
from tokviz.training.pairs import N_BYTES, Pairs


def train(
    text: str | Iterable[Document],
    *,
    vocab_size: int,
    split_pattern: str = "cl100k",
    special_tokens: Collection[str] | Mapping[str, int] = (),
    min_count: int = 1,
    workers: int | None = None,
    name: str = "trained",
) -> Tokenizer:
    """Return a Tokenizer trained on a text, or on documents that no merge reaches across.

    The arguments are those of `train_steps`. If too few pairs occur `min_count` times,
    training stops early and a UserWarning says how far it came.

    >>> train("aaabdaaabac", vocab_size=259, split_pattern="none").encode("aaabdaaabac")
    [258, 100, 258, 97, 99]
    """
    steps = list(
        train_steps(
            text,
            vocab_size=vocab_size,
            split_pattern=split_pattern,
            special_tokens=special_tokens,
            min_count=min_count,
            workers=workers,
        )
    )
    if len(steps) < vocab_size - N_BYTES:
        warnings.warn(
            f"training stopped after {len(steps)} of {vocab_size - N_BYTES} merges: no pair is left "
            f"that occurs {'once' if min_count == 1 else f'{min_count} times'}",
            stacklevel=2,
        )
    return Tokenizer.from_steps(steps, split_pattern=split_pattern, special_tokens=special_tokens, name=name)


def train_steps(
    text: str | Iterable[Document],
    *,
    vocab_size: int,
    split_pattern: str = "cl100k",
    special_tokens: Collection[str] | Mapping[str, int] = (),
    min_count: int = 1,
    workers: int | None = None,
) -> Iterator[TrainStep]:
    """Yield each merge as it is learned; the arguments are checked, and pretokens counted, at the call.

    text: a str, or documents, each a str or an iterable of the blocks that make it; a `Corpus` of files
    is one of these. vocab_size counts bytes and merges, not the special tokens. special_tokens, names or
    a dict of names to ids, are cut out of the text: no merge goes into or across them. min_count: how
    often a pair must occur to be merged. workers: how many processes count the pretokens, this one included;
    None means one a core if that is quicker: from some four million characters on, with a named split pattern.
    Of equally frequent pairs, the first in the text is merged. Ends early when no pair is left.
    Raises ValueError for arguments out of range.

    >>> [step.token_bytes for step in train_steps("low lower", vocab_size=258)]
    [b'lo', b'low']
    """
    check_sizes(vocab_size, min_count)
    # Made here without a merge, to refuse bad patterns and special tokens before any work.
    Tokenizer.from_steps((), split_pattern=split_pattern, special_tokens=special_tokens, name="")
    documents = [text] if isinstance(text, str) else text
    counts = pretoken_counts(documents, split_pattern, special_tokens=list(special_tokens), workers=workers)
    return steps_from_counts(counts, vocab_size=vocab_size, min_count=min_count)


def check_sizes(vocab_size: int, min_count: int) -> None:
    """Raise ValueError for a vocabulary smaller than the bytes, and for a least count below 1."""
    for what, value, lowest in (("vocab_size", vocab_size, N_BYTES), ("min_count", min_count, 1)):
        if isinstance(value, bool) or not isinstance(value, int) or value < lowest:
            raise ValueError(f"{what} must be a whole number of at least {lowest}, not {value!r}")


def steps_from_counts(counts: Mapping[str, int], *, vocab_size: int, min_count: int = 1) -> Iterator[TrainStep]:
    """Yield each merge learned from pretoken counts given in the order of first occurrence.

    >>> next(steps_from_counts({"low": 2, "lower": 1}, vocab_size=300)).count
    3
    """
    n_merges = vocab_size - N_BYTES
    pairs = Pairs(counts)
    token_bytes = [bytes([i]) for i in range(N_BYTES)]
    for rank in range(n_merges):
        best = pairs.most_frequent(min_count)
        if best is None:
            return
        left, right, count = pairs.ids_and_count(best)
        pairs.merge(best, N_BYTES + rank)
        token_bytes.append(token_bytes[left] + token_bytes[right])
        yield TrainStep(rank, (left, right), N_BYTES + rank, token_bytes[-1], count, pairs.n_tokens, n_merges)
