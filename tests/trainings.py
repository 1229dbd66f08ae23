"""Plans, tasks and tokenizers of a session, with what a test does not care about filled in."""

from collections.abc import Mapping

from tokviz.core.steps import WHOLE
from tokviz.jobs.task import TrainingTask
from tokviz.records.origin import FromTokens
from tokviz.records.session_tokenizer import Kept
from tokviz.records.training import FromTraining
from tokviz.training.plan import PLAIN, Plan, smallest_vocab_size


def task(texts, *, name="t", counts_bytes_max=0, **plan):
    """Return the task of a training on documents, or on documents by language."""
    by_language = texts if isinstance(texts, Mapping) else {WHOLE: texts}
    return TrainingTask(Plan(**{"split_pattern": "gpt2"} | plan), by_language, name, counts_bytes_max)


def trained_of(tokenizer, steps, n_bytes, counts=None, *, start=None, way=PLAIN, split_pattern=None, **figures):
    """Return what is kept of a training that has made a tokenizer."""
    known = start.special_tokens if start else ()
    special = {token: token_id for token, token_id in tokenizer.special_tokens.items() if token not in known}
    plan = Plan(
        smallest_vocab_size(start) + (steps[0].n_merges if steps else 0),
        split_pattern or tokenizer.split_pattern,
        sorted(special, key=special.__getitem__),
        start=start,
        way=way,
    )
    return Kept(tokenizer, FromTraining(plan, steps, n_bytes, counts, **figures))


def made(tokenizer):
    """Return a tokenizer as a session keeps it, wherever it is from."""
    return Kept(tokenizer, FromTokens("words", (tokenizer.name,)))
