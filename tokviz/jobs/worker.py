"""The process of a training: it takes pickled tasks, one after the other, and reports on each.

It sends `Counting` again and again, a `CountReport`, `Learned` again and again, `HeldOut` if a tenth of the text is
held out, and at the end `Ended`.
`jobs.queue` starts it; it ends with its parent (see `system.child_process`).
"""

import contextlib
import operator
import os
import pickle
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tokviz.core.special_tokens import SpecialTokens
from tokviz.core.steps import TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.system.child_process import messages_from_parent, pipe_to_parent
from tokviz.training.corpus import BadLine, Corpus, no_text
from tokviz.training.counting import CorpusDocument, add_counts, batches, count_texts, texts_of_documents
from tokviz.training.held_out import HeldOut, parted, tokens_after_each_merge
from tokviz.training.training import steps_from_counts

SENT_EVERY = 0.1  # seconds
STEPS_AT_ONCE = 200  # reading so many holds up the server for half a millisecond
BATCH = 2**19  # characters; counted in about a tenth of a second
NICENESS = 19  # the server of the pages comes first
OUT_OF_MEMORY_SCORE = 800  # of 1,000: when memory runs out, the kernel ends this process and not the server


@dataclass(frozen=True)
class TrainingTask:
    """What to train on: documents, or a corpus of files held in memory; and how, as `tokviz.train` has it.

    counts_bytes_max: the counts are reported if their pretokens have at most so many bytes, since it takes
    the caller a while to read them. hold_out: do not train on a tenth (see `training.held_out`), and report on it.
    digests: by which the caller recognises the texts. split_pattern: that of `start`, if training continues.
    """

    documents: Collection[str] | Corpus
    name: str
    vocab_size: int
    min_count: int
    split_pattern: str
    special_tokens: SpecialTokens = ()
    counts_bytes_max: int = 0
    hold_out: bool = False
    digests: tuple[str, ...] = ()
    start: Tokenizer | None = None

    def tokenizer(self, steps: Sequence[TrainStep] = ()) -> Tokenizer:
        """Return the tokenizer of the merges learned so far; ValueError for settings that make none."""
        return Tokenizer.from_steps(
            steps,
            name=self.name,
            split_pattern=self.split_pattern,
            special_tokens=self.special_tokens,
            start=self.start,
        )


@dataclass(frozen=True)
class Counting:
    """So much of the documents is counted, from 0 to 1."""

    share: float


@dataclass(frozen=True)
class CountReport:
    """Everything is counted; bytes and counts are of what is trained on.

    n_tokens: before the first merge is learned, that is under `start`, or as many as bytes without one. bad_lines: the
    first thousand of those left out. counts: None if there are too many.
    """

    n_bytes: int
    n_tokens: int
    n_documents: int
    n_bad_lines: int
    bad_lines: tuple[BadLine, ...]
    counts: dict[str, int] | None


@dataclass(frozen=True)
class Learned:
    """The next merges."""

    steps: list[TrainStep]


@dataclass(frozen=True)
class Ended:
    """The training has ended; `problem` says why it failed, None if it did not."""

    problem: str | None = None


def unexpected(error: Exception) -> str:
    """Return the message for an error that no training should raise."""
    reason = f"{type(error).__name__}: {error}"
    return f"an error in tokviz stopped the training ({reason}): try another text or other settings"


Message = Counting | CountReport | Learned | HeldOut | Ended


def messages(task: TrainingTask) -> Iterator[Message]:
    """Train, and yield what there is to say of it.

    >>> task = TrainingTask(["low lower"], "low", vocab_size=258, min_count=1, split_pattern="gpt2")
    >>> [type(message).__name__ for message in messages(task)]
    ['Counting', 'CountReport', 'Learned', 'Ended']
    """
    counts: dict[str, int] = {}
    held_out: dict[str, int] = {}
    try:
        yield from _count(task, counts, held_out)
        if isinstance(task.documents, Corpus) and not counts:
            raise no_text(task.documents)
        yield _count_report(task, counts)
        steps: list[TrainStep] = []
        sizes = {"vocab_size": task.vocab_size, "min_count": task.min_count}
        for learned in _bundles(steps_from_counts(counts, **sizes, start=task.start)):
            yield learned
            steps += learned.steps
        if held_out:
            yield _held_out(task, steps, held_out)
        yield Ended()
    except (ValueError, OSError) as e:
        yield Ended(str(e))
    except MemoryError:
        yield Ended("there is not enough memory for so much text: try it with less")
    except Exception as e:  # or the process would end, and nobody know why
        yield Ended(unexpected(e))


def _count(task: TrainingTask, counts: dict[str, int], held_out: dict[str, int]) -> Iterator[Counting]:
    """Count the pretokens of the documents, and of those held out; yield how much is counted."""
    documents, n_read = task.documents, 0
    total = (documents.n_bytes if isinstance(documents, Corpus) else sum(map(len, documents))) or 1
    begun = task.tokenizer()
    pattern = begun.split_pattern
    aside: list[str] = []  # texts held out

    def texts() -> Iterator[str]:
        for is_held_out, document in _documents(task):
            for text in texts_of_documents([document], pattern, special_tokens=begun.special_tokens):
                if is_held_out:
                    aside.append(text)
                else:
                    yield text

    for batch in batches(texts(), BATCH):
        add_counts(counts, count_texts(batch, pattern))
        add_counts(held_out, count_texts(aside, pattern))
        n_read = documents.n_read if isinstance(documents, Corpus) else n_read + sum(map(len, [*batch, *aside]))
        aside.clear()
        yield Counting(min(n_read / total, 1.0))
    add_counts(held_out, count_texts(aside, pattern))


def _documents(task: TrainingTask) -> Iterator[tuple[bool, CorpusDocument]]:
    """Yield the documents, and whether each is held out."""
    if task.hold_out:
        return parted(task.documents)
    return ((False, document) for document in task.documents)


def _held_out(task: TrainingTask, steps: list[TrainStep], counts: dict[str, int]) -> HeldOut:
    n_bytes = sum(len(pretoken.encode()) * n for pretoken, n in counts.items())
    n_tokens = [n_bytes, *tokens_after_each_merge(task.tokenizer(steps), counts)]
    n_old = len(n_tokens) - len(steps)
    return HeldOut(n_bytes, tuple(n_tokens[n_old:]), n_tokens[n_old - 1] if task.start else None)


def _count_report(task: TrainingTask, counts: dict[str, int]) -> CountReport:
    documents = task.documents
    bad = (documents.n_bad, tuple(documents.bad_lines)) if isinstance(documents, Corpus) else (0, ())
    n_documents = documents.n_documents if isinstance(documents, Corpus) else len(documents)
    sizes = [len(pretoken.encode()) for pretoken in counts]
    n_bytes = n_tokens = sum(map(operator.mul, sizes, counts.values()))
    if task.start:
        n_tokens = sum(len(task.start.encode_pretoken(pretoken)) * n for pretoken, n in counts.items())
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
