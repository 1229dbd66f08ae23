"""Superwords: tokens of several words, learned after those inside words.

After Liu et al., "SuperBPE: Space Travel for Language Models", 2025 (arXiv 2503.13423): up to a transition point merges
stay inside the pretokens of a usual split pattern, then training goes on with a pattern that leaves words together.
"""

from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tokviz.core.steps import ACROSS, WHOLE, TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.training.plan import (
    PLAIN,
    Counts,
    Plan,
    Texts,
    Way,
    pattern_or_default,
    smallest_vocab_size,
    with_split_pattern,
)

_SIGN = r"[^\s\p{L}\p{M}\p{N}]"  # punctuation, a symbol, or an emoji
# Words with the single spaces and signs between them are one pretoken. Numbers stay apart, as do runs of signs and of
# white space, and a pretoken ends with its line.
SUPERWORDS = (
    rf"(?:[\p{{L}}\p{{M}}]++|{_SIGN}(?!{_SIGN})|[^\S\r\n](?=\S)(?!{_SIGN}{{2}}))++"
    rf"|\p{{N}}{{1,3}}| ?{_SIGN}{{2,}}|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def with_superwords(tokenizer: Any) -> Tokenizer:
    """Return a tokenizer with the same tokens whose merges may reach from word to word; training can start from it.

    >>> import tokviz
    >>> words = tokviz.train("by the way", vocab_size=263)
    >>> more = tokviz.train("by the way, by the way", vocab_size=265, start=with_superwords(words))
    >>> len(words.encode("by the way")), len(more.encode("by the way"))
    (3, 1)
    """
    return with_split_pattern(tokenizer, SUPERWORDS)


# The result is byte-level BPE like any other, with the second pattern and all ranks in one table: a text is cut by the
# second pattern alone, and merges are made in the order of their ranks. The tokenizer.json of the authors does the same
# with a Split of the second stage. So a merge of the first stage is also made across pretokens of the first pattern,
# where their ends spell its token, and right after the transition a text has a few percent more or fewer tokens than
# right before. The second stage learns from those, and encoding makes exactly the merges that training made. Every file
# format that holds a split pattern of your own holds such a tokenizer.
@dataclass(frozen=True)
class Superwords(Way):
    """Merges inside words, up to a vocabulary of `superwords_from` bytes and merges, and then across words.

    The transition comes earlier if no pair is left inside words.

    >>> plan = Plan(260, "gpt2", way=Superwords(257))
    >>> [(step.token_bytes, step.part) for step in plan.steps(plan.pretoken_counts_by_part("to be or not to be"))]
    [(b'to', ''), (b'to ', 'across words'), (b'to b', 'across words'), (b'to be', 'across words')]
    """

    superwords_from: int
    pattern = SUPERWORDS

    def check_plan(self, plan: Plan) -> None:
        """Raise ValueError for a transition outside the vocabulary."""
        size, smallest = self.superwords_from, smallest_vocab_size(plan.start)
        is_whole = isinstance(size, int) and not isinstance(size, bool)
        if not is_whole or not smallest <= size <= plan.vocab_size:
            raise ValueError(
                f"superwords_from must be a size from {smallest} to the vocab_size {plan.vocab_size}, not {size!r}"
            )

    def patterns_by_part(self, plan: Plan, language: str) -> dict[str, str]:
        """Return all texts, inside words and across them."""
        return {WHOLE: plan.split_pattern, ACROSS: SUPERWORDS}

    def steps(self, plan: Plan, counts: Counts) -> Generator[TrainStep]:
        """Yield each merge inside words, then each one across them."""
        plain = replace(plan, way=PLAIN, special_tokens=())
        first = []
        for step in replace(plain, vocab_size=self.superwords_from).steps(counts):
            first.append(step._replace(n_merges=plan.n_merges))
            yield first[-1]
        of_first = replace(plan, special_tokens=()).tokenizer(first)
        for step in replace(plain, split_pattern=SUPERWORDS, start=of_first).steps({WHOLE: counts[ACROSS]}):
            yield step._replace(rank=len(first) + step.rank, n_merges=plan.n_merges, part=ACROSS)

    def check_parts(self, parts: Sequence[str]) -> None:
        """Raise ValueError unless all merges inside words come first."""
        n_inside = parts.count(WHOLE)
        if [*parts] != [WHOLE] * n_inside + [ACROSS] * (len(parts) - n_inside):
            raise ValueError("merges across words come before some inside them")

    def baseline_plan(self, plan: Plan) -> Plan:
        """Return the plan of as many merges inside words alone."""
        return replace(plan, way=PLAIN)


def train_superwords(
    text: Texts,
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
    way = Superwords(superwords_from)
    plan = Plan(vocab_size, pattern_or_default(split_pattern, start), special_tokens, min_count, start, way)
    return plan.train(text, workers=workers, name=name)


def superword_steps(
    text: Texts,
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
    way = Superwords(superwords_from)
    plan = Plan(vocab_size, pattern_or_default(split_pattern, start), special_tokens, min_count, start, way)
    return plan.steps(plan.pretoken_counts_by_part(text, workers=workers))
