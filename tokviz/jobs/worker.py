"""The process of a training: it takes pickled tasks, one after the other, and reports on each.

It sends `Counting` again and again, a `CountReport`, `Learned` again and again, with a `Transition` before the merges
across words, `HeldOut` if a tenth of the text is held out, `Without` after superwords, and at the end `Ended`.
`jobs.queue` starts it; it ends with its parent (see `system.child_process`).
"""

import contextlib
import os
import pickle
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import repeat

from tokviz.core.steps import TrainStep
from tokviz.jobs.task import TrainingTask
from tokviz.records.trained import ACROSS, ALL
from tokviz.system.child_process import messages_from_parent, pipe_to_parent
from tokviz.training.corpus import BadLine, Corpus, no_text
from tokviz.training.counting import (
    CorpusDocument,
    add_counts,
    batches,
    count_texts,
    merged_counts,
    texts_of_documents,
)
from tokviz.training.held_out import HeldOut, parted, tokens_after_each_merge, tokens_of_counts
from tokviz.training.parity.parity_aware import parity_aware_steps_from_counts, sentence_counts
from tokviz.training.superwords import first_stage, second_stage
from tokviz.training.training import smallest_size, steps_from_counts

SENT_EVERY = 0.1  # seconds
STEPS_AT_ONCE = 200  # reading so many holds up the server for half a millisecond
BATCH = 2**19  # characters; counted in about a tenth of a second
NICENESS = 19  # the server of the pages comes first
OUT_OF_MEMORY_SCORE = 800  # of 1,000: when memory runs out, the kernel ends this process and not the server


@dataclass(frozen=True)
class Counting:
    """So much of the documents is counted, from 0 to 1."""

    share: float


@dataclass(frozen=True)
class CountReport:
    """Everything is counted; bytes and counts are of what is trained on.

    n_tokens: before the first merge is learned, that is under `start`, or as many as bytes without one. bad_lines: the
    first thousand of those left out. counts: of each part that merges are chosen in (see `jobs.task`), by language if
    languages take turns; None if there are too many.
    """

    n_bytes: int
    n_tokens: int
    n_documents: int
    n_bad_lines: int
    bad_lines: tuple[BadLine, ...]
    counts: dict[str, dict[str, int]] | None


@dataclass(frozen=True)
class Learned:
    """The next merges."""

    steps: list[TrainStep]


@dataclass(frozen=True)
class Transition:
    """So many merges are learned inside words; the next ones reach across them."""

    n_merges: int


@dataclass(frozen=True)
class Without:
    """Tokens of the text, and of that held out, after as many merges inside words alone."""

    n_tokens: int
    n_held_out: int | None


@dataclass(frozen=True)
class Ended:
    """The training has ended; `problem` says why it failed, None if it did not."""

    problem: str | None = None


def unexpected(error: Exception) -> str:
    """Return the message for an error that no training should raise."""
    reason = f"{type(error).__name__}: {error}"
    return f"an error in tokviz stopped the training ({reason}): try another text or other settings"


Message = Counting | CountReport | Learned | Transition | HeldOut | Without | Ended
Counts = dict[str, dict[str, int]]  # by the part that they are of


def messages(task: TrainingTask) -> Iterator[Message]:
    """Train, and yield what there is to say of it.

    >>> task = TrainingTask(["low lower"], "low", vocab_size=258, min_count=1, split_pattern="gpt2")
    >>> [type(message).__name__ for message in messages(task)]
    ['Counting', 'CountReport', 'Learned', 'Ended']
    """
    counts: Counts = {part: {} for part in (task.parity.languages if task.parity else task.patterns)}
    held_out: Counts = {part: {} for part in task.patterns}
    try:
        yield from _count(task, counts, held_out)
        if isinstance(task.documents, Corpus) and not any(counts.values()):
            raise no_text(task.documents)
        yield _count_report(task, counts)
        steps: list[TrainStep] = []
        after = task.n_asked  # merges inside words
        for message in _learned(task, counts):
            yield message
            if isinstance(message, Learned):
                steps += message.steps
            else:
                after = message.n_merges
        if held_out[ALL]:
            yield _held_out(task, steps, after, held_out)
        if task.superwords_from is not None and len(steps) > after:
            yield _without(task, len(steps), counts[ALL], held_out[ALL])
        yield Ended()
    except (ValueError, OSError) as e:
        yield Ended(str(e))
    except MemoryError:
        yield Ended("there is not enough memory for so much text: try it with less")
    except Exception as e:  # or the process would end, and nobody know why
        yield Ended(unexpected(e))


def _count(task: TrainingTask, counts: Counts, held_out: Counts) -> Iterator[Counting]:
    """Count the pretokens of the documents, and of those held out; yield how much is counted."""
    documents, n_read = task.documents, 0
    total = (documents.n_bytes if isinstance(documents, Corpus) else sum(map(len, documents))) or 1
    patterns, special = task.patterns, task.begun.special_tokens
    waiting: dict[tuple[bool, str, str], list[str]] = {}
    n_waiting = 0

    def take() -> None:
        for (is_held_out, part, pattern), texts in waiting.items():
            add_counts((held_out if is_held_out else counts)[part], count_texts(texts, pattern))
        waiting.clear()

    for is_held_out, language, document in _documents(task):
        # One that is to be cut twice is read whole.
        given = document if isinstance(document, str) or len(patterns) == 1 else [*document]
        for part, pattern in patterns.items():
            texts = texts_of_documents([given], pattern, special_tokens=special)
            for batch in batches(texts, BATCH):
                waiting.setdefault((is_held_out, language or part, pattern), []).extend(batch)
                n_waiting += sum(map(len, batch))
                if part == ALL:
                    n_read += sum(map(len, batch))
                if n_waiting >= BATCH:
                    take()
                    n_waiting = 0
                    n_done = documents.n_read if isinstance(documents, Corpus) else n_read
                    yield Counting(min(n_done / total, 1.0))
    take()
    yield Counting(1.0)


def _documents(task: TrainingTask) -> Iterator[tuple[bool, str, CorpusDocument]]:
    """Yield the documents, whether each is held out, and its language if languages take turns."""
    if task.hold_out:
        return ((is_held_out, "", document) for is_held_out, document in parted(task.documents))
    languages = task.parity.languages if task.parity else repeat("")
    return (
        (False, language, document) for document, language in zip(task.documents, languages, strict=bool(task.parity))
    )


def _learned(task: TrainingTask, counts: Counts) -> Iterator[Learned | Transition]:
    """Yield the merges, and where those across words begin."""
    sizes = {"vocab_size": task.vocab_size, "min_count": task.min_count}
    if task.parity:
        parallel = sentence_counts(task.parity.sentences, [*counts], task.begun)
        steps = parity_aware_steps_from_counts(counts, parallel, **sizes, start=task.start, variant=task.parity.variant)
        yield from _bundles(steps)
        return
    if task.superwords_from is None:
        yield from _bundles(steps_from_counts(counts[ALL], **sizes, start=task.start))
        return
    inside: list[TrainStep] = []
    for bundle in _bundles(first_stage(counts[ALL], superwords_from=task.superwords_from, **sizes, start=task.start)):
        inside += bundle.steps
        yield bundle
    yield Transition(len(inside))
    yield from _bundles(second_stage(counts[ACROSS], inside, **sizes, start=task.start))


def _held_out(task: TrainingTask, steps: list[TrainStep], after: int, counts: Counts) -> HeldOut:
    """Return what the text held out gives, counted as the text is that each merge was learned from."""
    n_bytes = sum(len(pretoken.encode()) * n for pretoken, n in counts[ALL].items())
    inside, across = steps[:after], steps[after:]
    n_tokens = [n_bytes, *tokens_after_each_merge(replace(task, superwords_from=None).tokenizer(inside), counts[ALL])]
    n_old = len(n_tokens) - len(inside)
    learned = n_tokens[n_old:]
    if across:
        learned += tokens_after_each_merge(task.tokenizer(steps), counts[ACROSS])[-len(across) :]
    return HeldOut(n_bytes, tuple(learned), n_tokens[n_old - 1] if task.start else None)


def _without(task: TrainingTask, n_merges: int, counts: dict[str, int], held_out: dict[str, int]) -> Without:
    """Return how many tokens the texts have after as many merges inside words."""
    size = smallest_size(task.start) + n_merges
    steps = list(steps_from_counts(counts, vocab_size=size, min_count=task.min_count, start=task.start))
    inside = replace(task, superwords_from=None).tokenizer(steps)
    n_held_out = tokens_of_counts(inside, held_out) if held_out else None
    return Without(tokens_of_counts(inside, counts), n_held_out)


def _count_report(task: TrainingTask, counts: Counts) -> CountReport:
    documents = task.documents
    bad = (documents.n_bad, tuple(documents.bad_lines)) if isinstance(documents, Corpus) else (0, ())
    n_documents = documents.n_documents if isinstance(documents, Corpus) else len(documents)
    sizes = [len(pretoken.encode()) for some in counts.values() for pretoken in some]
    trained_on = merged_counts(some for part, some in counts.items() if part != ACROSS)
    n_bytes = n_tokens = sum(len(pretoken.encode()) * n for pretoken, n in trained_on.items())
    if task.start:
        n_tokens = tokens_of_counts(task.start, trained_on)
    kept = counts if sum(sizes) <= task.counts_bytes_max else None
    return CountReport(n_bytes, n_tokens, n_documents, *bad, kept)


def _bundles(steps: Iterator[TrainStep]) -> Iterator[Learned]:
    """Yield the steps a few at a time, so that none waits for long."""
    bundle, sent = [], time.monotonic()
    for step in steps:
        bundle.append(step)
        if len(bundle) == STEPS_AT_ONCE or time.monotonic() - sent > SENT_EVERY:
            yield Learned(bundle)
            bundle, sent = [], time.monotonic()
    yield Learned(bundle)


def main() -> None:
    """Take tasks until there are no more."""
    with contextlib.suppress(OSError, AttributeError):  # neither is known to every system
        os.nice(NICENESS)
        with open("/proc/self/oom_score_adj", "w") as score:
            score.write(str(OUT_OF_MEMORY_SCORE))
    pipe = pipe_to_parent()
    with contextlib.suppress(BrokenPipeError):
        for task in messages_from_parent():
            for message in messages(task):
                pickle.dump(message, pipe)
                pipe.flush()


if __name__ == "__main__":
    # Under its own name, as the reader of the messages knows it.
    from tokviz.jobs.worker import main as run

    run()
