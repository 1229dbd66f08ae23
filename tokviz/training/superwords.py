"""Superwords: tokens of several words, learned after those inside words.

After Liu et al., "SuperBPE: Space Travel for Language Models", 2025 (arXiv 2503.13423): up to a transition point merges
stay inside the pretokens of a usual split pattern, then training goes on with one that leaves words together.

What comes of it is byte-level BPE like any other, with the second pattern and all ranks in one table: a text is cut by
the second pattern alone, and merges are made in the order of their ranks. The tokenizer.json of the authors does the
same with a Split of the second stage: it takes another version of the library to train, but not to encode. So a merge
of the first stage is also made across pretokens of the first pattern, where their ends spell its token, and right after
the transition a text has some percent more or fewer tokens than right before. The second stage learns from those, and
encoding makes just the merges that training made. Every file format that holds a split pattern of one's own holds such
a tokenizer.
"""

from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence

from tokviz.core.steps import TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.training.counting import CorpusDocument, pretoken_counts
from tokviz.training.training import check_sizes, check_start, smallest_size, steps_from_counts, warn_of_early_end

_SIGN = r"[^\s\p{L}\p{M}\p{N}]"  # punctuation, a symbol, or an emoji
# Words with the single spaces and signs between them are one pretoken. Numbers stay apart, as do runs of signs and of
# white space, and a pretoken ends with its line.
SUPERWORDS = (
    rf"(?:[\p{{L}}\p{{M}}]++|{_SIGN}(?!{_SIGN})|[^\S\r\n](?=\S)(?!{_SIGN}{{2}}))++"
    rf"|\p{{N}}{{1,3}}| ?{_SIGN}{{2,}}|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def with_superwords(tokenizer: Tokenizer) -> Tokenizer:
    """Return a tokenizer with the same tokens whose merges may reach from word to word; training can start from it.

    >>> import tokviz
    >>> words = tokviz.train("by the way", vocab_size=263)
    >>> more = tokviz.train("by the way, by the way", vocab_size=265, start=with_superwords(words))
    >>> len(words.encode("by the way")), len(more.encode("by the way"))
    (3, 1)
    """
    ranks, special = tokenizer.mergeable_ranks, tokenizer.special_tokens
    return Tokenizer(tokenizer.name, SUPERWORDS, ranks, special, tokenizer.always_special)


def train_superwords(
    text: str | Iterable[CorpusDocument],
    *,
    superwords_from: int,
    vocab_size: int,
    split_pattern: str | None = None,
    special_tokens: Collection[str] | Mapping[str, int] = (),
    min_count: int = 1,
    workers: int | None = None,
    name: str = "trained",
    start: Tokenizer | None = None,
) -> Tokenizer:
    """Return a Tokenizer trained on a text or documents, with superwords in the end; see `superword_steps`.

    If too few pairs occur `min_count` times, training stops early and a UserWarning says how far it came.

    >>> text = "by the way, by the sea"
    >>> [len(train_superwords(text, superwords_from=n, vocab_size=266).encode(text)) for n in (266, 262)]
    [8, 7]
    """
    steps = list(
        superword_steps(
            text,
            superwords_from=superwords_from,
            vocab_size=vocab_size,
            split_pattern=split_pattern,
            special_tokens=special_tokens,
            min_count=min_count,
            workers=workers,
            start=start,
        )
    )
    warn_of_early_end(len(steps), vocab_size, min_count, start)
    return _made_of(steps, start, special_tokens, name)


def superword_steps(
    text: str | Iterable[CorpusDocument],
    *,
    superwords_from: int,
    vocab_size: int,
    split_pattern: str | None = None,
    special_tokens: Collection[str] | Mapping[str, int] = (),
    min_count: int = 1,
    workers: int | None = None,
    start: Tokenizer | None = None,
) -> Iterator[TrainStep]:
    """Yield each merge as it is learned, inside pretokens of `split_pattern` first, then of `SUPERWORDS`.

    superwords_from: the size of the vocabulary, bytes and merges, at the transition, which comes earlier if no pair is
    left. The others are as in `train_steps`, and so are the steps: `n_tokens` counts what the texts have under the
    pattern of their stage. The tokenizer of the steps has the split pattern `SUPERWORDS`. Documents are read twice, and
    those of an iterator held. Raises ValueError as `train_steps`, and for a transition outside the vocabulary.

    >>> steps = superword_steps("to be or not to be", superwords_from=257, vocab_size=260, split_pattern="gpt2")
    >>> [step.token_bytes for step in steps]
    [b'to', b'to ', b'to b', b'to be']
    """
    check_sizes(vocab_size, min_count, start)
    check_transition(superwords_from, vocab_size, start)
    if start is not None:
        check_start(start)
    # Made here without a merge, to refuse bad patterns and special tokens before any work.
    begun = Tokenizer.from_steps((), split_pattern=split_pattern, special_tokens=special_tokens, name="", start=start)
    documents = _read_twice(text)
    inside, across = (
        pretoken_counts(documents, pattern, special_tokens=begun.special_tokens, workers=workers)
        for pattern in (begun.split_pattern, SUPERWORDS)
    )
    sizes = {"vocab_size": vocab_size, "min_count": min_count}

    def both_stages() -> Iterator[TrainStep]:
        steps = []
        for step in first_stage(inside, superwords_from=superwords_from, **sizes, start=start):
            steps.append(step)
            yield step
        yield from second_stage(across, steps, **sizes, start=start)

    return both_stages()


def check_transition(superwords_from: int, vocab_size: int, start: Tokenizer | None) -> None:
    """Raise ValueError for a transition outside the vocabulary."""
    smallest = smallest_size(start)
    is_whole = isinstance(superwords_from, int) and not isinstance(superwords_from, bool)
    if not is_whole or not smallest <= superwords_from <= vocab_size:
        raise ValueError(
            f"superwords_from must be a size from {smallest} to the vocab_size {vocab_size}, not {superwords_from!r}"
        )


def first_stage(
    inside: Mapping[str, int], *, superwords_from: int, vocab_size: int, min_count: int, start: Tokenizer | None
) -> Generator[TrainStep]:
    """Yield each merge inside words, learned from counts of pretokens of the usual split pattern."""
    for step in steps_from_counts(inside, vocab_size=superwords_from, min_count=min_count, start=start):
        yield step._replace(n_merges=vocab_size - smallest_size(start))


def second_stage(
    across: Mapping[str, int],
    first: Sequence[TrainStep],
    *,
    vocab_size: int,
    min_count: int,
    start: Tokenizer | None,
) -> Generator[TrainStep]:
    """Yield each merge on top of the first ones, learned from counts of pretokens of `SUPERWORDS`."""
    begun = _made_of(first, start)
    for step in steps_from_counts(across, vocab_size=vocab_size, min_count=min_count, start=begun):
        yield step._replace(rank=len(first) + step.rank, n_merges=vocab_size - smallest_size(start))


def _made_of(
    steps: Iterable[TrainStep],
    start: Tokenizer | None,
    special_tokens: Collection[str] | Mapping[str, int] = (),
    name: str = "trained",
) -> Tokenizer:
    """Return the tokenizer of steps, of both stages or of the first one."""
    old = None if start is None else with_superwords(start)
    return Tokenizer.from_steps(steps, split_pattern=SUPERWORDS, special_tokens=special_tokens, name=name, start=old)


def _read_twice(text: str | Iterable[CorpusDocument]) -> Iterable[CorpusDocument]:
    """Return documents that can be read again."""
    if isinstance(text, str):
        return [text]
    if not isinstance(text, Iterator):
        return text
    return [list(each) if isinstance(each, Iterator) else each for each in text]
