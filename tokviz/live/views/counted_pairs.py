"""The pairs among which each merge is chosen, and whose turn it is where languages take turns."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import tokviz
from tokviz import MergeTrace, Tokenizer
from tokviz.core.pair_history import PairHistory
from tokviz.core.special_tokens import ALL_SPECIAL
from tokviz.core.steps import ACROSS, WHOLE
from tokviz.live.columns import packed_numbers
from tokviz.records.training import FromTraining
from tokviz.training.held_out import n_tokens_after_each_merge
from tokviz.training.parity.parity_aware import ParityAware, sentence_pretoken_counts
from tokviz.training.plan import with_split_pattern
from tokviz.training.superwords import SUPERWORDS

_ACROSS_WORDS = re.compile(rb"\S\s+\S")


@dataclass(frozen=True)
class CountedPairs:
    """The pairs of a text at any step, and which text that is.

    source: "corpus" (the training text), or the text on view and why: "elsewhere" (a pretrained tokenizer),
    "unknown" (the training text did not come back from a reload or a link), "languages" (nor did the texts of the
    languages), "too large". part: of the training text, in which the merge is chosen (see `FromTraining.counts`).
    """

    pairs: PairHistory
    source: str
    part: str = WHOLE

    @classmethod
    def for_step(
        cls,
        trace: MergeTrace,
        training: FromTraining | None,
        k: int = 0,
        *,
        on_view: Callable[[], PairHistory] | None = None,
    ) -> "CountedPairs":
        """Return the pairs of the training text where it is known, else of the text on view.

        k: how many merges are made. The training text decides none of those that training continued from. on_view:
        returns the pairs of the trace, for who keeps them.
        """
        if on_view is None:
            on_view = partial(PairHistory.of_trace, trace)
        if training is None or k < training.plan.n_start_merges:
            return cls(on_view(), "elsewhere")
        part = training.part_of_merge(k - training.plan.n_start_merges)
        if corpus := training.pair_history(part, trace.tokenizer):
            return cls(corpus, "corpus", part)
        if not training.languages and matches_token_counts_of_training(trace, training):
            return cls(_pair_history_of_text_on_view(trace, training, part), "corpus", part)
        unknown = "languages" if training.languages else "unknown"
        return cls(on_view(), unknown if training.counts is None else "too large", part)


def _pair_history_of_text_on_view(trace: MergeTrace, training: FromTraining, part: str) -> PairHistory:
    """Return the pairs of the text on view, which is the training text, cut as it was for this part of it."""
    made, pattern = trace.tokenizer, training.plan.patterns_by_part()[part]
    if pattern == made.split_pattern:
        return PairHistory.of_trace(trace)
    inside = with_split_pattern(made, pattern)
    allowed_special = ALL_SPECIAL if trace.special_ends else ()
    return PairHistory.of_trace(tokviz.trace(inside, trace.data.decode(), allowed_special=allowed_special))


def matches_token_counts_of_training(trace: MergeTrace, training: FromTraining) -> bool:
    """Whether a text gives after every merge as many tokens as the training text did.

    That holds for the training text, and hardly for another one. What comes back from a reload or a link
    has no training text; mostly it is the very text that is on view.
    """
    # Special tokens are cut out of a training text, and count as a token each in a trace.
    n_tokens = trace.curve() - len(trace.special_ends)
    # Before that the text is cut differently.
    after = training.n_inside_words() if ACROSS in training.plan.patterns_by_part() else 0
    learned = n_tokens.tolist()[-len(training.steps) :][after:]
    return learned == [step.n_tokens for step in training.steps[after:]] and bool(learned)


def languages_of_merges_data(training: FromTraining) -> dict[str, Any] | None:
    """Return the languages that merges were chosen for: their names, and for each merge the number of its language.

    A number counts from 1, and is 0 where there is none. None for a training without languages.
    """
    names = training.languages
    if not names:
        return None
    numbers = {None: 0} | {name: number for number, name in enumerate(names, 1)}
    of_steps = np.array([numbers[step.language] for step in training.steps])
    return {
        "names": names,
        "of": packed_numbers(np.concatenate([np.zeros(training.plan.n_start_merges, int), of_steps])),
    }


def first_rank_across_words(tokenizer: Tokenizer, training: FromTraining | None) -> int | None:
    """Return the rank from which merges reach across words, None if none does.

    Where the training is not known, it is the first whose token does.
    """
    if tokenizer.split_pattern != SUPERWORDS:
        return None
    if training and ACROSS in training.plan.patterns_by_part():
        return training.plan.n_start_merges + training.n_inside_words()
    return next((rank for rank, token in enumerate(tokenizer.merge_tokens) if _ACROSS_WORDS.search(token)), None)


def sentence_token_counts_by_language(training: FromTraining, tokenizer: Tokenizer) -> dict[str, list[int]]:
    """Return the tokens of the sentences by which languages were compared, by language, before and after each merge."""
    way = training.plan.way
    if not (isinstance(way, ParityAware) and way.sentences and training.counts):
        return {}
    counts = sentence_pretoken_counts(way.sentences, [*training.counts], tokenizer)
    return {
        language: [
            sum(len(pretoken.encode()) * n for pretoken, n in some.items()),
            *n_tokens_after_each_merge(tokenizer, some),
        ]
        for language, some in counts.items()
    }
