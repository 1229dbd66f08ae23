"""Small trainings within lessons, each done once: on some thousand bytes of text one takes a fraction of a second."""

from typing import Any

from tokviz.core.steps import TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.exercises.lesson import Training
from tokviz.system.recent import recent
from tokviz.training.superwords import SUPERWORDS, superword_steps
from tokviz.training.training import train_steps


@recent(maxsize=64)
def steps_of(training: Training) -> tuple[TrainStep, ...]:
    """Return the merges of a training.

    >>> [step.token_bytes for step in steps_of(Training("low", "low lower", 258, "cl100k"))]
    [b'lo', b'low']
    """
    made_of: dict[str, Any] = {
        "vocab_size": training.vocab_size,
        "split_pattern": training.split_pattern,
        "min_count": training.min_count,
    }
    if training.superwords_from is None:
        return tuple(train_steps(training.text, **made_of))
    return tuple(superword_steps(training.text, superwords_from=training.superwords_from, **made_of))


@recent(maxsize=64)
def tokenizer_of_training(training: Training) -> Tokenizer:
    """Return the tokenizer of a training."""
    pattern = training.split_pattern if training.superwords_from is None else SUPERWORDS
    return Tokenizer.from_steps(steps_of(training), split_pattern=pattern, name=training.name)
