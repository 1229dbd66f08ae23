"""What the pages' tests share."""

import gc
import importlib.metadata
from collections.abc import Iterator
from functools import cache

import pytest

from pages.ui.train import run
from tokviz.jobs.job import TrainingJob
from tokviz.jobs.queue import TrainingQueue
from tokviz.jobs.task import TrainingTask
from tokviz.jobs.worker import Ended, train_and_yield_messages


class QueueAtOnce(TrainingQueue):
    """A queue without processes: a job has ended when it is returned."""

    def __init__(self) -> None:
        super().__init__(slots=0)

    def submit(self, task: TrainingTask) -> TrainingJob:
        job = super().submit(task)
        job.is_waiting = False
        for message in train_and_yield_messages(job.task):
            job.note_message(message)
            if isinstance(message, Ended):
                job.mark_ended(message.problem)
        return job


@pytest.fixture(scope="module", autouse=True)
def no_components_of_other_packages() -> Iterator[None]:
    """Every new AppTest looks for components in all installed packages, which takes longer than most pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importlib.metadata, "distributions", lambda **_: ())
        yield


@pytest.fixture(scope="module", autouse=True)
def no_collector_in_tables() -> None:
    """Each full collection would walk through all vocabularies that are loaded: a tenth of the time."""
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def trainings_at_once() -> Iterator[None]:
    """Trainings need no process, and no page that runs again and again until they have ended."""
    yield from _trained_by(QueueAtOnce)


@pytest.fixture
def processes() -> Iterator[None]:
    """Trainings have processes of their own, as on a server."""
    yield from _trained_by(queue_of_processes)


@cache
def queue_of_processes() -> TrainingQueue:
    return TrainingQueue()


def _trained_by(queue) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "TrainingQueue", queue)
        run.training_queue.cache_clear()
        yield
    run.training_queue.cache_clear()
