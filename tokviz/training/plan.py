"""Plan: a training as one value: its sizes, how texts are cut, what it starts from, and the way merges are chosen.

`PLAIN` is the usual way; `superwords` and `parity` have one each. A way says which parts of the texts are counted and
learns merges from these counts. Python, the command line and the pages call `Plan.count` and `Plan.steps`, and know
nothing of the ways.
"""

import warnings
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.patterns import pattern_name_or_regex, short_repr
from tokviz.core.special_tokens import SPECIAL_ID_MAX, SpecialTokens, special_tokens_with_ids
from tokviz.core.steps import WHOLE, TrainStep
from tokviz.core.tokenizer import Tokenizer, tokenizer_with_merges
from tokviz.corpus.counting import CorpusDocument, add_counts, pretoken_counts
from tokviz.training.pairs import N_BYTES, Pairs, learn_steps

Texts = str | Iterable[CorpusDocument]
START = "continued training"  # in errors
Counts = Mapping[str, Mapping[str, int]]  # pretoken counts by the part of the texts


@dataclass(frozen=True)
class Way:
    """A way to choose merges; this one merges the most frequent pair of the texts.

    pattern: the split pattern of the tokenizer that comes of it, None for that of the plan.
    """

    pattern: ClassVar[str | None] = None

    def check_plan(self, plan: "Plan") -> None:
        """Raise ValueError for a plan that cannot be carried out in this way."""

    def patterns_by_part(self, plan: "Plan", language: str) -> dict[str, str]:
        """Return the parts that texts in a language count for, each with its split pattern; the first has all texts."""
        return {WHOLE: plan.split_pattern}

    def steps(self, plan: "Plan", counts: Counts) -> Generator[TrainStep]:
        """Return the merges, each as it is learned from the counts of all parts."""
        return learn_steps(Pairs(counts[WHOLE], plan.start), plan.n_merges, plan.min_count, plan.start)

    def check_parts(self, parts: Sequence[str]) -> None:
        """Raise ValueError if this way never chooses merges in these parts one after the other."""
        if {*parts} - {WHOLE}:
            raise ValueError("a merge was chosen in a part of the texts that does not exist")

    def baseline_plan(self, plan: "Plan") -> "Plan | None":
        """Return the plan whose outcome shows what this way gains, None if there is none."""
        return None

    def without_texts(self) -> "Way":
        """Return this way without the texts it holds."""
        return self

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> Self:
        """Return the way whose fields are in plain JSON; ValueError, KeyError or TypeError for a damaged record."""
        return cls(**record)


PLAIN = Way()


@dataclass(frozen=True)
class Plan:
    """How to train; `train_steps` says what the sizes, the split pattern, the special tokens and `start` are.

    way: how merges are chosen. hold_out: do not train on a tenth of the texts (see `held_out`). Raises ValueError for
    sizes, special tokens and ways that do not go together, and for a bad split pattern.

    >>> plan = Plan(258, "gpt2")
    >>> steps = list(plan.steps(plan.pretoken_counts_by_part("low lower")))
    >>> plan.tokenizer(steps).encode("lower")
    [257, 101, 114]
    """

    vocab_size: int
    split_pattern: str
    special_tokens: SpecialTokens = ()
    min_count: int = 1
    start: Tokenizer | None = None
    way: Way = PLAIN
    hold_out: bool = False

    def __post_init__(self) -> None:
        # A frozen dataclass sets its fields this way.
        if self.start is not None:
            object.__setattr__(self, "start", tokenizer_with_merges(self.start, START))
        self._check_sizes()
        special = self.special_tokens
        known = special_tokens_with_ids(special, first=id_of_first_learned_token(self.start) + self.n_merges)
        object.__setattr__(self, "split_pattern", pattern_name_or_regex(self.split_pattern))
        object.__setattr__(self, "special_tokens", known if isinstance(special, Mapping) else tuple(known))
        self.way.check_plan(self)

    def _check_sizes(self) -> None:
        """Raise ValueError for a vocabulary smaller than `start` or too large, and a least count below 1."""
        smallest = smallest_vocab_size(self.start)
        for what, value, lowest in (("vocab_size", self.vocab_size, smallest), ("min_count", self.min_count, 1)):
            if isinstance(value, bool) or not isinstance(value, int) or value < lowest:
                raise ValueError(f"{what} must be a whole number of at least {lowest}, not {value!r}")
        highest = id_of_first_learned_token(self.start) + self.n_merges - 1
        if highest > SPECIAL_ID_MAX:
            raise ValueError(
                f"vocab_size {self.vocab_size} asks for ids up to {highest}; at most {SPECIAL_ID_MAX} is allowed"
            )

    @property
    def n_merges(self) -> int:
        """How many merges are asked for."""
        return self.vocab_size - smallest_vocab_size(self.start)

    @property
    def n_start_merges(self) -> int:
        """How many merges come from `start`."""
        return len(self.start.merge_tokens) if self.start else 0

    def initial_tokenizer(self) -> Tokenizer:
        """Return the tokenizer before the first merge is learned, by which texts are cut.

        Raises ValueError for another split pattern than that of `start`, and for a special token that it has already.
        """
        return replace(self, way=PLAIN).tokenizer(name="")

    def patterns_by_part(self, language: str = WHOLE) -> dict[str, str]:
        """Return the parts that texts in a language count for, each with the split pattern they are cut by.

        >>> Plan(300, "gpt2").patterns_by_part()
        {'': 'gpt2'}
        """
        return self.way.patterns_by_part(self, language)

    def pretoken_counts_by_part(self, texts: Texts | Mapping[str, Texts], *, workers: int | None = 1) -> Counts:
        """Return the pretoken counts of texts, or of texts by language, for each part.

        Documents of an iterator are held if they are read for several parts. workers: as in `train_steps`. Raises
        ValueError as `initial_tokenizer` and `steps` do, before anything is counted.
        """
        special = self.initial_tokenizer().special_tokens
        if self.start is not None:
            check_training_can_continue(self.start)
        counts: dict[str, dict[str, int]] = {}
        for language, some in (texts if isinstance(texts, Mapping) else {WHOLE: texts}).items():
            parts = self.patterns_by_part(language)
            documents = [some] if isinstance(some, str) else some if len(parts) == 1 else _rereadable_documents(some)
            for part, pattern in parts.items():
                counted = pretoken_counts(documents, pattern, special_tokens=special, workers=workers)
                add_counts(counts.setdefault(part, {}), counted)
        return counts

    def steps(self, counts: Counts) -> Generator[TrainStep]:
        """Return the merges, each as it is learned from the counts of the parts, given in the order of the texts.

        Raises ValueError for a `start` with a token that its merges do not make.
        """
        if self.start is not None:
            check_training_can_continue(self.start)
        return self.way.steps(self, counts)

    def tokenizer(self, steps: Iterable[TrainStep] = (), name: str = "trained") -> Tokenizer:
        """Return the tokenizer of the merges learned so far; ValueError as in `initial_tokenizer`."""
        pattern, start = self.split_pattern, self.start
        if self.way.pattern is not None:
            pattern, start = self.way.pattern, start and with_split_pattern(start, self.way.pattern)
        return Tokenizer.from_steps(
            steps, name=name, split_pattern=pattern, special_tokens=self.special_tokens, start=start
        )

    def train(self, texts: Texts | Mapping[str, Texts], *, workers: int | None = 1, name: str = "trained") -> Tokenizer:
        """Return the tokenizer trained on texts; a UserWarning to the caller's caller says if it ended early."""
        steps = list(self.steps(self.pretoken_counts_by_part(texts, workers=workers)))
        if len(steps) < self.n_merges:
            times = "once" if self.min_count == 1 else f"{self.min_count} times"
            warnings.warn(
                f"training stopped after {len(steps)} of {self.n_merges} merges: no pair is left that occurs {times}",
                stacklevel=3,
            )
        return self.tokenizer(steps, name)


def pattern_or_default(split_pattern: str | None, start: Tokenizer | None) -> str:
    """Return the split pattern that is given, else that of `start`, else cl100k."""
    if split_pattern is not None:
        return split_pattern
    return "cl100k" if start is None else tokenizer_with_merges(start, START).split_pattern


def smallest_vocab_size(start: Tokenizer | None) -> int:
    """Return the smallest vocab_size of a training: the bytes and merges it starts from.

    >>> import tokviz
    >>> smallest_vocab_size(None), smallest_vocab_size(tokviz.load("gpt2"))
    (256, 50256)
    """
    return N_BYTES if start is None else len(start.mergeable_ranks)


def id_of_first_learned_token(start: Tokenizer | None) -> int:
    """Return the id of the first token that is learned.

    >>> import tokviz
    >>> id_of_first_learned_token(None), id_of_first_learned_token(tokviz.load("gpt2"))
    (256, 50257)
    """
    return N_BYTES if start is None else start.n_vocab


def check_training_can_continue(start: Tokenizer) -> None:
    """Raise ValueError for a tokenizer that changes texts, or whose merges do not make its tokens in the order of ids.

    Tokens side by side could spell a token that no merge makes, so that it would be learned a second time. Takes
    half a second for 100,000 merges.
    """
    if isinstance(start.mergeable_ranks, OrderedRanks) or not start.normalizer.is_plain:
        merges = f"is {start.kind}" if start.starts_with_characters else "has ids in another order than its merges"
        raise ValueError(
            f"training continues from byte-level BPE that leaves texts as they are, and {start.name} "
            + (f"changes them: {start.normalizer.words()}" if start.normalizer.words() else merges)
        )
    if token := min(start.unmerged, key=start.mergeable_ranks.__getitem__, default=None):
        raise ValueError(
            f"training cannot continue from {start.name}: no merge makes its token {start.mergeable_ranks[token]} "
            f"({short_repr(token)})"
        )


def with_split_pattern(tokenizer: Any, split_pattern: str) -> Tokenizer:
    """Return a tokenizer with the same tokens and another split pattern."""
    tokenizer = tokenizer_with_merges(tokenizer, "another split pattern")
    return tokenizer.with_vocabulary(tokenizer.mergeable_ranks, tokenizer.special_tokens, split_pattern=split_pattern)


def _rereadable_documents(documents: Iterable[CorpusDocument]) -> Iterable[CorpusDocument]:
    if not isinstance(documents, Iterator):
        return documents
    return [list(each) if isinstance(each, Iterator) else each for each in documents]
