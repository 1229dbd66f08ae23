"""The process of a training: it takes pickled tasks, one after the other, and tells how far each is.

It sends `Counting` again and again, a `CountReport`, `Learned` again and again, and at the end `Ended` or `Failed`.
`jobs.queue` starts it; it ends with its parent (see `system.child_process`).

"""

import contextlib
import operator
import os
import pickle
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tokviz.core.steps import TrainStep
from tokviz.core.vocabulary import SpecialTokens
from tokviz.system.child_process import messages_from_parent, pipe_to_parent
from tokviz.training.corpus import BadLine, Corpus, no_text
from tokviz.training.counting import add_counts, batches, counted, texts_of_documents
from tokviz.training.training import steps_from_counts

SAID_EVERY = 0.1  # seconds
STEPS_AT_ONCE = 200  # whoever reads a message does nothing else meanwhile: of so many for half a millisecond
BATCH = 2**19  # characters; counted in about a tenth of a second
NICENESS = 19  # others on the machine, the server of the pages first, come before
OUT_OF_MEMORY_SCORE = 800  # of 1,000: where memory ends, the kernel ends this process and not the server


@dataclass(frozen=True)
class TrainingTask:
    """What is to be trained on what: documents, or a corpus of files held in memory.

    counts_bytes_max: counts are told if their pretokens have so many bytes at most, since whoever reads them does
    nothing else meanwhile.
    """

    documents: Collection[str] | Corpus
    name: str
    vocab_size: int
    min_count: int
    split_pattern: str
    special_tokens: SpecialTokens = ()
    counts_bytes_max: int = 0


@dataclass(frozen=True)
class Counting:
    """So much of the documents is counted, from 0 to 1."""

    share: float


@dataclass(frozen=True)
class CountReport:
    """All is counted. bad_lines: the first thousand of the lines that were left out. counts: None where too many."""

    n_bytes: int
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
    """All merges there are, or as many as were asked for, are learned."""


@dataclass(frozen=True)
class Failed:
    """It cannot be done, and why, in words."""

    reason: str


Message = Counting | CountReport | Learned | Ended | Failed


def messages(task: TrainingTask) -> Iterator[Message]:
    """Train, and yield what there is to say of it.

    >>> task = TrainingTask(["low lower"], "low", vocab_size=258, min_count=1, split_pattern="gpt2")
    >>> [type(message).__name__ for message in messages(task)]
    ['Counting', 'CountReport', 'Learned', 'Ended']
    """
    try:
        counts: dict[str, int] = {}
        for share in _count(task, counts):
            yield Counting(share)
        if isinstance(task.documents, Corpus) and not counts:
            raise no_text(task.documents)
        yield _counted(task, counts)
        steps = steps_from_counts(counts, vocab_size=task.vocab_size, min_count=task.min_count)
        yield from map(Learned, _bundles(steps))
        yield Ended()
    except (ValueError, OSError) as e:
        yield Failed(str(e))
    except MemoryError:
        yield Failed("there is not enough memory for so much text: try it with less")
    except Exception as e:  # or the process would end, and nobody know why
        yield Failed(f"the training failed for a reason that nobody foresaw: {type(e).__name__}: {e}")


def _counted(task: TrainingTask, counts: dict[str, int]) -> CountReport:
    """Return what is to be said of the counts."""
    corpus = task.documents
    is_corpus = isinstance(corpus, Corpus)
    sizes = [len(pretoken.encode()) for pretoken in counts]
    return CountReport(
        n_bytes=sum(map(operator.mul, sizes, counts.values())),
        n_documents=corpus.n_documents if is_corpus else len(corpus),
        n_bad_lines=corpus.n_bad if is_corpus else 0,
        bad_lines=tuple(corpus.bad_lines) if is_corpus else (),
        counts=counts if sum(sizes) <= task.counts_bytes_max else None,
    )


def _count(task: TrainingTask, counts: dict[str, int]) -> Iterator[float]:
    """Count the pretokens of the documents; yield the share that is counted."""
    documents, n_counted = task.documents, 0
    is_corpus = isinstance(documents, Corpus)
    total = (documents.n_bytes if is_corpus else sum(map(len, documents))) or 1
    texts = texts_of_documents(documents, task.split_pattern, special_tokens=task.special_tokens)

    def noted() -> Iterator[str]:
        nonlocal n_counted
        for text in texts:
            n_counted += len(text)
            yield text

    for _, part in counted(batches(noted(), BATCH), task.split_pattern):
        add_counts(counts, part)
        yield min((documents.n_read if is_corpus else n_counted) / total, 1.0)


def _bundles(steps: Iterator[TrainStep]) -> Iterator[list[TrainStep]]:
    """Yield the steps in lists: at most so many, and none that waits for long."""
    bundle: list[TrainStep] = []
    said = time.monotonic()
    for step in steps:
        bundle.append(step)
        if len(bundle) == STEPS_AT_ONCE or time.monotonic() - said > SAID_EVERY:
            yield bundle
            bundle, said = [], time.monotonic()
    yield bundle


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
