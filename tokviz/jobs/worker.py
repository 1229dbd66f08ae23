"""The process of a training: it takes pickled tasks, one after the other, and reports on each.

It sends `Counting` again and again, a `CountReport`, the steps of the plan some at a time, `HeldOut` if a tenth of the
text is held out, `Baseline` if there is a plan to compare with, and at the end `Ended`.
`jobs.queue` starts it; it ends with its parent (see `system.child_process`).
"""

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass

from tokviz.core.steps import WHOLE, TrainStep
from tokviz.corpus.corpus import BadLine, Corpus, no_text_error
from tokviz.corpus.counting import (
    add_counts,
    count_pretokens,
    document_texts_to_pretokenize,
    merged_counts,
    text_batches,
)
from tokviz.jobs.task import TrainingTask
from tokviz.system.child_process import answer_parent
from tokviz.training.held_out import (
    Baseline,
    HeldOut,
    baseline_figures_if_different,
    documents_marked_held_out,
    held_out_figures,
    n_tokens_of_pretoken_counts,
)

SENT_EVERY = 0.1  # seconds
STEPS_AT_ONCE = 200  # the server reads them in half a millisecond
BATCH = 2**19  # characters; counted in about a tenth of a second
NICENESS = 19  # the server of the pages comes first
OUT_OF_MEMORY_SCORE = 800  # of 1,000: when memory runs out, the kernel ends this process and not the server


@dataclass(frozen=True)
class Counting:
    """The share of the documents that is counted, from 0 to 1."""

    share: float


@dataclass(frozen=True)
class CountReport:
    """Everything is counted; bytes and counts are of what is trained on.

    n_tokens: before the first merge is learned, that is under `start`; without one, as many as bytes. bad_lines: the
    first thousand that were left out of each corpus. counts: of each part of the texts; None if there are too many.
    """

    n_bytes: int
    n_tokens: int
    n_documents: int
    n_bad_lines: int
    bad_lines: tuple[BadLine, ...]
    counts: dict[str, dict[str, int]] | None


@dataclass(frozen=True)
class Ended:
    """The training has ended; `problem` says why it failed, None if it did not."""

    problem: str | None = None


def unexpected_error_text(error: Exception) -> str:
    """Return the message for an error that no training should raise."""
    reason = f"{type(error).__name__}: {error}"
    return f"an error in tokviz stopped the training ({reason}): try another text or other settings"


Message = Counting | CountReport | list[TrainStep] | HeldOut | Baseline | Ended
GrowingCounts = dict[str, dict[str, int]]  # `plan.Counts` while they are made


def train_and_yield_messages(task: TrainingTask) -> Iterator[Message]:
    """Train, and yield reports of it.

    >>> from tokviz.training.plan import Plan
    >>> task = TrainingTask(Plan(258, "gpt2"), {WHOLE: ["low lower"]}, "low")
    >>> [type(message).__name__ for message in train_and_yield_messages(task)]
    ['Counting', 'CountReport', 'list', 'Ended']
    """
    plan = task.plan
    counts: GrowingCounts = {part: {} for language in task.texts for part in plan.patterns_by_part(language)}
    held: GrowingCounts = {part: {} for part in counts}
    try:
        yield from _count_texts_and_yield_shares(task, counts, held)
        if not any(counts.values()) and (corpus := next(iter(_corpora(task)), None)):
            raise no_text_error(corpus)
        yield _count_report(task, counts)
        steps: list[TrainStep] = []
        for bundle in _step_bundles(plan.steps(counts)):
            steps += bundle
            yield bundle
        if held.get(WHOLE):
            yield held_out_figures(plan, steps, held)
        if compared := baseline_figures_if_different(plan, steps, counts, held):
            yield compared
        yield Ended()
    except (ValueError, OSError) as e:
        yield Ended(str(e))
    except MemoryError:
        yield Ended("there is not enough memory for so much text: try it with less")
    except Exception as e:  # or the process would end without a reason
        yield Ended(unexpected_error_text(e))


def _corpora(task: TrainingTask) -> list[Corpus]:
    return [documents for documents in task.texts.values() if isinstance(documents, Corpus)]


def _count_texts_and_yield_shares(task: TrainingTask, counts: GrowingCounts, held: GrowingCounts) -> Iterator[Counting]:
    """Count the pretokens of the documents, and of those held out; yield how much is counted."""
    corpora, n_read, n_waiting = _corpora(task), 0, 0
    given = [documents for documents in task.texts.values() if not isinstance(documents, Corpus)]
    total = max(1, sum(corpus.n_bytes or 0 for corpus in corpora) + sum(len(text) for texts in given for text in texts))
    special = task.plan.initial_tokenizer().special_tokens
    waiting: dict[tuple[bool, str, str], list[str]] = {}

    def count_waiting_texts() -> None:
        for (is_held_out, part, pattern), texts in waiting.items():
            add_counts((held if is_held_out else counts)[part], count_pretokens(texts, pattern))
        waiting.clear()

    for language, documents in task.texts.items():
        parts = task.plan.patterns_by_part(language)
        of_all = next(iter(parts))
        marked = documents_marked_held_out(documents) if task.plan.hold_out else ((False, each) for each in documents)
        for is_held_out, each in marked:
            # One that is to be cut twice is read whole.
            document = each if isinstance(each, str) or len(parts) == 1 else [*each]
            for part, pattern in parts.items():
                for batch in text_batches(
                    document_texts_to_pretokenize([document], pattern, special_tokens=special), BATCH
                ):
                    waiting.setdefault((is_held_out, part, pattern), []).extend(batch)
                    size = sum(map(len, batch))
                    n_waiting += size
                    n_read += size if part == of_all and not isinstance(documents, Corpus) else 0
                    if n_waiting >= BATCH:
                        count_waiting_texts()
                        n_waiting = 0
                        yield Counting(min((n_read + sum(corpus.n_read for corpus in corpora)) / total, 1.0))
    count_waiting_texts()
    yield Counting(1.0)


def _count_report(task: TrainingTask, counts: GrowingCounts) -> CountReport:
    corpora, start = _corpora(task), task.plan.start
    n_documents = sum(each.n_documents if isinstance(each, Corpus) else len(each) for each in task.texts.values())
    bad_lines = tuple(bad for corpus in corpora for bad in corpus.bad_lines)
    sizes = [len(pretoken.encode()) for some in counts.values() for pretoken in some]
    parts_of_all = dict.fromkeys(next(iter(task.plan.patterns_by_part(language))) for language in task.texts)
    trained_on = merged_counts(counts[part] for part in parts_of_all)
    n_bytes = n_tokens = sum(len(pretoken.encode()) * n for pretoken, n in trained_on.items())
    if start:
        n_tokens = n_tokens_of_pretoken_counts(start, trained_on)
    kept = counts if sum(sizes) <= task.counts_bytes_max else None
    return CountReport(n_bytes, n_tokens, n_documents, sum(corpus.n_bad for corpus in corpora), bad_lines, kept)


def _step_bundles(steps: Iterator[TrainStep]) -> Iterator[list[TrainStep]]:
    """Yield the steps a few at a time, so that none waits long."""
    bundle, sent = [], time.monotonic()
    for step in steps:
        bundle.append(step)
        if len(bundle) == STEPS_AT_ONCE or time.monotonic() - sent > SENT_EVERY:
            yield bundle
            bundle, sent = [], time.monotonic()
    yield bundle


def main() -> None:
    """Take tasks until there are no more."""
    with contextlib.suppress(OSError, AttributeError):  # neither is known to every system
        os.nice(NICENESS)
        with open("/proc/self/oom_score_adj", "w") as score:
            score.write(str(OUT_OF_MEMORY_SCORE))
    answer_parent(train_and_yield_messages)
