"""A training that a tokenizer of a session came from: its plan, its steps, and what was counted and measured."""

import hashlib
from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from functools import cached_property
from typing import Any, Self

from tokviz import Tokenizer, TrainStep
from tokviz.core import bpe
from tokviz.core.pair_history import PairHistory
from tokviz.core.pretokens import well_formed_text
from tokviz.core.steps import ACROSS, WHOLE
from tokviz.records.origin import NAME_MAX, Origin
from tokviz.records.plan import plan_of_record, plan_record
from tokviz.training.held_out import Baseline, HeldOut
from tokviz.training.plan import Counts, Plan, id_of_first_learned_token, smallest_vocab_size

VOCAB_SIZE_MAX = 100_000
MERGES_MAX = VOCAB_SIZE_MAX - 256
TOKEN_BYTES_MAX = 1_000_000  # of all tokens together; checking them takes up to two seconds
SPECIAL_TOKENS_MAX = 1_000
DIGEST_BYTES = 8
DIGESTS_MAX = 100
CORPUS_BYTES_MAX = 500_000  # of distinct pretokens; counting their pairs takes about 50 ms
CORPUS_PRETOKEN_BYTES_MAX = 50_000  # the history of a longer one takes half a second or more


@dataclass(frozen=True)
class FromTraining(Origin):
    """A training: its plan, the steps that were learned, and the figures of its texts.

    n_bytes: how many bytes of text were counted, without special tokens. counts: the pretoken counts of each part of
    the texts, in the order of first occurrence. They are not in the packed record, nor are the texts of the plan's way:
    a tokenizer that comes back from a browser or a link has none. held_out: what a part of the text gives that was held
    out, if one was. baseline: what the plan to compare with gives, if there is one. digests: of the texts that it was
    trained on, held-out parts included (see `text_digest`). n_before: how many tokens the text has under the tokenizer
    that training started from, if there is one. is_early: whether it was stopped or failed.
    """

    plan: Plan
    steps: tuple[TrainStep, ...]
    n_bytes: int
    counts: Counts | None = field(default=None, compare=False, repr=False)
    held_out: HeldOut | None = None
    baseline: Baseline | None = None
    digests: tuple[str, ...] = ()
    n_before: int | None = None
    is_early: bool = False

    def tokenizer(self, name: str) -> Tokenizer:
        """Return the tokenizer of its steps."""
        return self.plan.tokenizer(self.steps, name)

    def was_trained_on(self, text: str | bytes) -> bool:
        """Return whether this text, or the file with these bytes, was given to train on."""
        return bool(self.digests) and text_digest(text) in self.digests

    @cached_property
    def languages(self) -> list[str]:
        """The languages that merges were chosen for, in the order of their first merge."""
        return list(dict.fromkeys(step.language for step in self.steps if step.language is not None))

    def part_of_merge(self, n: int) -> str:
        """Return the part of the texts that merge `n` of this training was chosen in, a key of `counts`."""
        return self.steps[min(n, len(self.steps) - 1)].part if self.steps else WHOLE

    def n_inside_words(self) -> int:
        """Return how many merges stay inside words."""
        return sum(step.part != ACROSS for step in self.steps)

    def pair_history(self, part: str, tokenizer: Tokenizer) -> PairHistory | None:
        """Return the pairs of a part of the text at any step of the tokenizer; None if unknown or too many."""
        counts = (self.counts or {}).get(part)
        if counts is None:
            return None
        key = part, tokenizer
        if key not in self._pair_histories:
            sizes = [len(pretoken.encode()) for pretoken in counts]
            is_small = sum(sizes) <= CORPUS_BYTES_MAX and max(sizes, default=0) <= CORPUS_PRETOKEN_BYTES_MAX
            self._pair_histories[key] = PairHistory.of_counts(counts, tokenizer) if is_small else None
        return self._pair_histories[key]

    @cached_property
    def _pair_histories(self) -> dict[tuple[str, Tokenizer], PairHistory | None]:
        return {}

    def record(self) -> dict[str, Any]:
        """Return the origin as plain JSON."""
        return {
            "plan": plan_record(self.plan, with_texts=False),
            "pairs": [step.pair for step in self.steps],
            "counts": [step.count for step in self.steps],
            "n_tokens": [step.n_tokens for step in self.steps],
            "parts": [step.part for step in self.steps],
            "n_bytes": self.n_bytes,
            "n_before": self.n_before,
            "is_early": self.is_early,
            "held_out": self.held_out and astuple(self.held_out),
            "baseline": self.baseline and astuple(self.baseline),
            "digests": self.digests,
        }

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> Self:
        """Return the origin of a record; ValueError and other errors that come of a damaged one.

        >>> plan = Plan(258, "gpt2")
        >>> training = FromTraining(plan, tuple(plan.steps(plan.pretoken_counts_by_part("low lower"))), 9)
        >>> FromTraining.of_record(training.record()) == training
        True
        """
        if len(record["pairs"]) > MERGES_MAX or len(record["plan"]["special_tokens"]) > SPECIAL_TOKENS_MAX:
            raise ValueError("it has too many merges or special tokens")
        plan = plan_of_record(record["plan"])
        steps = _steps_of_record(record, plan)
        n_tokens = [step.n_tokens for step in steps]
        return cls(
            plan,
            steps,
            int(record["n_bytes"]),
            held_out=_held_out_of_record(record.get("held_out"), len(steps)),
            baseline=_baseline_of_record(record.get("baseline")),
            digests=tuple(str(digest)[: 2 * DIGEST_BYTES] for digest in (record.get("digests") or ())[:DIGESTS_MAX]),
            n_before=None if plan.start is None else _checked_n_before(int(record["n_before"]), n_tokens),
            is_early=bool(record.get("is_early")),
        )


def text_digest(text: str | bytes) -> str:
    """Return a short digest by which a text is recognised; bytes are UTF-8.

    >>> text_digest("สวัสดี") == text_digest("สวัสดี".encode()) != text_digest("สวัสดี ")
    True
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES).hexdigest()


def _steps_of_record(record: Any, plan: Plan) -> tuple[TrainStep, ...]:
    pairs = [(int(left), int(right)) for left, right in record["pairs"]]
    counts, n_tokens = ([int(n) for n in record[name]] for name in ("counts", "n_tokens"))
    parts = [well_formed_text(str(part))[:NAME_MAX] for part in record["parts"]]
    if not len(pairs) == len(counts) == len(n_tokens) == len(parts) or min(n_tokens, default=1) < 1:
        raise ValueError("the numbers of pairs and counts differ, or no tokens are left")
    if len(pairs) > plan.n_merges:
        raise ValueError(f"it has {len(pairs)} merges, and {plan.n_merges} were asked for")
    plan.way.check_parts(parts)
    first, old = id_of_first_learned_token(plan.start), plan.start.mergeable_ranks if plan.start else None
    ranks = bpe.ranks_from_merges(pairs, bytes_max=TOKEN_BYTES_MAX, start=old, first=first)
    made = list(ranks)[smallest_vocab_size(plan.start) :]
    return tuple(
        TrainStep(rank, pair, first + rank, token, n_pairs, n, plan.n_merges, part)
        for rank, (pair, token, n_pairs, n, part) in enumerate(zip(pairs, made, counts, n_tokens, parts, strict=True))
    )


def _baseline_of_record(baseline: Any) -> Baseline | None:
    if baseline is None:
        return None
    n_tokens, n_held_out = int(baseline[0]), None if baseline[1] is None else int(baseline[1])
    if n_tokens < 1 or (n_held_out is not None and n_held_out < 1):
        raise ValueError("a text trained on has no tokens")
    return Baseline(n_tokens, n_held_out)


def _held_out_of_record(held_out: Any, n_merges: int) -> HeldOut | None:
    if not held_out:
        return None
    n_bytes, n_tokens = int(held_out[0]), tuple(int(n) for n in held_out[1])
    if n_bytes < 1 or len(n_tokens) != n_merges or min(n_tokens, default=1) < 1:
        raise ValueError("the figures of the text held out do not fit the merges")
    n_before = held_out[2] if len(held_out) > 2 else None
    return HeldOut(n_bytes, n_tokens, None if n_before is None else _checked_n_before(int(n_before), n_tokens))


def _checked_n_before(n_before: int, n_tokens: Sequence[int]) -> int:
    """Return how many tokens a text has before the first merge; ValueError if a merge makes them more."""
    if n_before < max(n_tokens, default=0):
        raise ValueError(f"a text has {n_before} tokens before the first merge, and more later")
    return n_before
