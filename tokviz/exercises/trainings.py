"""Small trainings within lessons, each done once: a few thousand bytes of text take a fraction of a second."""

from tokviz.core.steps import TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.exercises.lesson import Training
from tokviz.system.recent import recent
from tokviz.training.plan import PLAIN, Plan
from tokviz.training.superwords import Superwords


def plan_of(training: Training) -> Plan:
    """Return the plan of a training."""
    way = PLAIN if training.superwords_from is None else Superwords(training.superwords_from)
    return Plan(training.vocab_size, training.split_pattern, min_count=training.min_count, way=way)


@recent(maxsize=64)
def learned_steps_of_training(training: Training) -> tuple[TrainStep, ...]:
    """Return the merges of a training.

    >>> [step.token_bytes for step in learned_steps_of_training(Training("low", "low lower", 258, "cl100k"))]
    [b'lo', b'low']
    """
    plan = plan_of(training)
    return tuple(plan.steps(plan.pretoken_counts_by_part(training.text)))


@recent(maxsize=64)
def tokenizer_of_training(training: Training) -> Tokenizer:
    """Return the tokenizer of a training."""
    return plan_of(training).tokenizer(learned_steps_of_training(training), training.name)
