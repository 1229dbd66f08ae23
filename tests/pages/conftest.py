"""What the pages' tests share."""

import gc
import importlib.metadata
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from altair.utils import schemapi

from pages.ui.train import run
from tokviz.jobs.job import TrainingJob
from tokviz.jobs.queue import TrainingQueue
from tokviz.jobs.task import TrainingTask
from tokviz.jobs.worker import Ended, messages


class QueueAtOnce(TrainingQueue):
    """A queue without processes: a job has ended when it is returned."""

    def __init__(self) -> None:
        super().__init__(slots=0)

    def submit(self, task: TrainingTask) -> TrainingJob:
        job = super().submit(task)
        job.is_waiting = False
        for message in messages(job.task):
            job.note(message)
            if isinstance(message, Ended):
                job.end(message.problem)
        return job


@pytest.fixture(scope="module", autouse=True)
def no_components_of_other_packages() -> Iterator[None]:
    """Every new AppTest looks for components in all installed packages, which takes longer than most pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importlib.metadata, "distributions", lambda **_: ())
        yield


@pytest.fixture(scope="module", autouse=True)
def charts_checked_once() -> Iterator[None]:
    """Checking a chart against the schema of Vega-Lite takes longer than drawing it, and most come again and again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schemapi, "validate_jsonschema", _checked_once)
        yield


_check, _sound = schemapi.validate_jsonschema, set[str]()


def _checked_once(spec: Any, schema: dict[str, Any], rootschema: dict[str, Any] | None = None, **options: Any) -> Any:
    """Check what is no chart that was sound before, but for the name of its data."""
    try:
        asked = re.sub(r'"data": {"name": "\w+"}', '"data"', json.dumps([spec, schema]))
    except TypeError:
        return _check(spec, schema, rootschema, **options)
    if asked in _sound:
        return None
    problem = _check(spec, schema, rootschema, **options)
    if problem is None:
        _sound.add(asked)
    return problem


@pytest.fixture(scope="module", autouse=True)
def rare_collections() -> Iterator[None]:
    """Collecting what pages leave would take a tenth of the time, most of it in the vocabularies that are loaded."""
    gc.freeze()
    before = gc.get_threshold()
    gc.set_threshold(100_000, 20, 100)
    yield
    gc.set_threshold(*before)


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
