"""What the tests of trainings in other processes share."""

import pytest

from tokviz.jobs.queue import TrainingQueue


@pytest.fixture(scope="module")
def queue() -> TrainingQueue:
    """A queue in which one training runs at a time."""
    return TrainingQueue(slots=1)
