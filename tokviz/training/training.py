"""Training: a text goes in, merges come out one by one, and make a Tokenizer in the end.

Merges are learned from pretoken counts alone. `Pairs` chooses and makes them; this module checks the arguments and
keeps the bytes of each new token.
"""

import warnings
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from typing import Protocol

from tokviz.core.special_tokens import SPECIAL_ID_MAX
from tokviz.core.steps import TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.training.counting import CorpusDocument, pretoken_counts
from tokviz.training.pairs import N_BYTES, Pairs


def train(
    text: str | Iterable[CorpusDocument],
    *,
    vocab_size: int,
    split_pattern: str | None = None,
    special_tokens: Collection[str] | Mapping[str, int] = (),
    min_count: int = 1,
    workers: int | None = None,
    name: str = "trained",
    start: Tokenizer | None = None,
) -> Tokenizer:
    """Return a Tokenizer trained on a text, or on documents that no merge reaches across.

    The arguments are those of `train_steps`. If too few pairs occur `min_count` times,
    training stops early and a UserWarning says how far it came.

    >>> train("aaabdaaabac", vocab_size=259, split_pattern="none").encode("aaabdaaabac")
    [258, 100, 258, 97, 99]

    With `start`, training continues from that tokenizer:

    >>> import tokviz
    >>> gpt2 = tokviz.load("gpt2")
    >>> more = train("ภาษาไทย ภาษาไทย", vocab_size=len(gpt2.mergeable_ranks) + 13, start=gpt2)
    >>> len(gpt2.encode("ภาษาไทย")), len(more.encode("ภาษาไทย")), more.encode("low<s>") == gpt2.encode("low<s>")
    (14, 1, True)
    """
    steps = list(
        train_steps(
            text,
            vocab_size=vocab_size,
            split_pattern=split_pattern,
            special_tokens=special_tokens,
            min_count=min_count,
            workers=workers,
            start=start,
        )
    )
    warn_of_early_end(len(steps), vocab_size, min_count, start)
    return Tokenizer.from_steps(
        steps, split_pattern=split_pattern, special_tokens=special_tokens, name=name, start=start
    )


def warn_of_early_end(n_steps: int, vocab_size: int, min_count: int, start: Tokenizer | None) -> None:
    """Warn whoever called the caller if training has learned fewer merges than it was asked for."""
    n_asked = vocab_size - smallest_size(start)
    if n_steps < n_asked:
        times = "once" if min_count == 1 else f"{min_count} times"
        warnings.warn(
            f"training stopped after {n_steps} of {n_asked} merges: no pair is left that occurs {times}", stacklevel=3
        )


def train_steps(
    text: str | Iterable[CorpusDocument],
    *,
    vocab_size: int,
    split_pattern: str | None = None,
    special_tokens: Collection[str] | Mapping[str, int] = (),
    min_count: int = 1,
    workers: int | None = None,
    start: Tokenizer | None = None,
) -> Iterator[TrainStep]:
    """Yield each merge as it is learned; the arguments are checked, and pretokens counted, at the call.

    text: a str, or documents, each a str or an iterable of the blocks that make it; a `Corpus` of files
    is one of these. vocab_size counts bytes and merges, not the special tokens. split_pattern: by default that of
    `start`, else cl100k. special_tokens, names or a dict of names to ids, are cut out of the text: no merge goes into
    or across them. min_count: how often a pair must occur to be merged. workers: how many processes count the
    pretokens, this one included; None means one a core where counting takes longer than those take to start. Of equally
    frequent pairs, the first in the text is merged. Ends early when no pair is left.

    start: a tokenizer to continue from. The text is encoded with its merges first, and new ones are learned on top;
    vocab_size then counts its bytes and merges too. New ids follow its highest one, and its special tokens, which are
    cut out of the text too, keep theirs. No text gets more tokens than under `start`: the new ranks are above all
    others, so its merges are made first, one for one as before, and the new ones only join what they leave. Nor is an
    id of `start` ever learned twice: two tokens side by side never spell one of its tokens, since its own merges would
    have made that of the same bytes.

    Raises ValueError for arguments out of range, for another split pattern than that of `start`, and for a `start`
    with a token that its merges do not make.

    >>> [step.token_bytes for step in train_steps("low lower", vocab_size=258)]
    [b'lo', b'low']
    """
    check_sizes(vocab_size, min_count, start)
    # Made here without a merge, to refuse bad patterns and special tokens before any work.
    begun = Tokenizer.from_steps((), split_pattern=split_pattern, special_tokens=special_tokens, name="", start=start)
    if start is not None:
        check_start(start)
    documents = [text] if isinstance(text, str) else text
    counts = pretoken_counts(documents, begun.split_pattern, special_tokens=begun.special_tokens, workers=workers)
    return steps_from_counts(counts, vocab_size=vocab_size, min_count=min_count, start=start)


def smallest_size(start: Tokenizer | None) -> int:
    """Return the smallest vocab_size of a training: the bytes and merges it begins with.

    >>> import tokviz
    >>> smallest_size(None), smallest_size(tokviz.load("gpt2"))
    (256, 50256)
    """
    return N_BYTES if start is None else len(start.mergeable_ranks)


def first_id(start: Tokenizer | None) -> int:
    """Return the id of the first token that is learned.

    >>> import tokviz
    >>> first_id(None), first_id(tokviz.load("gpt2"))
    (256, 50257)
    """
    return N_BYTES if start is None else start.n_vocab


def check_sizes(vocab_size: int, min_count: int, start: Tokenizer | None = None) -> None:
    """Raise ValueError for a vocabulary smaller than what it begins with or too large, and a least count below 1."""
    smallest = smallest_size(start)
    for what, value, lowest in (("vocab_size", vocab_size, smallest), ("min_count", min_count, 1)):
        if isinstance(value, bool) or not isinstance(value, int) or value < lowest:
            raise ValueError(f"{what} must be a whole number of at least {lowest}, not {value!r}")
    highest = first_id(start) + vocab_size - smallest - 1
    if highest > SPECIAL_ID_MAX:
        raise ValueError(f"vocab_size {vocab_size} asks for ids up to {highest}; at most {SPECIAL_ID_MAX} is allowed")


def check_start(start: Tokenizer) -> None:
    """Raise ValueError for a tokenizer with a token that its merges do not make, as some files have.

    Tokens side by side could spell it, so that it would be learned a second time. Takes a second for 100,000 merges.
    """
    try:
        _ = start.merges
    except ValueError as e:
        raise ValueError(f"training cannot continue from {start.name}: {e}") from e


def steps_from_counts(
    counts: Mapping[str, int], *, vocab_size: int, min_count: int = 1, start: Tokenizer | None = None
) -> Generator[TrainStep]:
    """Yield each merge learned from pretoken counts given in the order of first occurrence.

    The counts are of pretokens under the split pattern of `start`, if there is one. Raises ValueError as `check_start`.

    >>> next(steps_from_counts({"low": 2, "lower": 1}, vocab_size=300)).count
    3
    """
    if start is not None:
        check_start(start)
    return learned_steps(Pairs(counts, start), vocab_size - smallest_size(start), min_count, start)


class AnyPairs(Protocol):
    """What chooses and makes merges; `Pairs` says what each method does."""

    @property
    def n_tokens(self) -> int:
        """Tokens in the corpus."""

    def most_frequent(self, min_count: int, /) -> int | None:
        """Return the pair to merge next, None if there is none."""

    def numbers_and_count(self, pair: int, /) -> tuple[int, int, int]:
        """Return the numbers of its tokens, and its count."""

    def merge(self, pair: int, new: int, /) -> None:
        """Replace it by the token `new` everywhere."""


def learned_steps(pairs: AnyPairs, n_merges: int, min_count: int, start: Tokenizer | None) -> Generator[TrainStep]:
    """Yield each merge as it is chosen and made; the pairs are of texts encoded with the merges of `start`."""
    tokens = [bytes([i]) for i in range(N_BYTES)]
    ids = list(range(N_BYTES))
    if start is not None:
        tokens += start.merge_tokens
        ids = [start.mergeable_ranks[token] for token in tokens]
    first = first_id(start)
    for rank in range(n_merges):
        best = pairs.most_frequent(min_count)
        if best is None:
            return
        left, right, count = pairs.numbers_and_count(best)
        pairs.merge(best, len(tokens))
        tokens.append(tokens[left] + tokens[right])
        ids.append(first + rank)
        yield TrainStep(rank, (ids[left], ids[right]), ids[-1], tokens[-1], count, pairs.n_tokens, n_merges)
