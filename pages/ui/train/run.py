"""Training for the pages: jobs in the server's one queue, and their results.

A job belongs to the session that submitted it, and to those that find it again by its id, which the tab keeps over a
reload, as does a copy of the tab. It runs whatever page is shown, and ends early when all these sessions are gone: only
their states keep it alive.
"""

from collections.abc import Collection
from functools import cache
from itertools import islice

import streamlit as st

from pages.ui.options import option_value, set_option
from pages.ui.session_tokenizers.tokenizer_list import add_trained, choose_tokenizer, opened_tokenizers
from tokviz.formats.pretrained import ENCODINGS
from tokviz.jobs.job import TrainingJob
from tokviz.jobs.queue import TrainingQueue
from tokviz.jobs.worker import TrainingTask
from tokviz.records.trained import CORPUS_BYTES_MAX, DIGESTS_MAX, Trained, renamed, text_digest
from tokviz.training.corpus import Corpus


@cache
def training_queue() -> TrainingQueue:
    """Return the queue of this server."""
    return TrainingQueue()


def submit(documents: Collection[str] | Corpus, **settings: object) -> TrainingJob:
    """Return a job, which ends unless the session keeps it; the settings are those of a TrainingTask.

    ValueError if they are impossible.
    """
    if "digests" not in settings and not isinstance(documents, Corpus):
        settings["digests"] = tuple(text_digest(text) for text in islice(documents, DIGESTS_MAX))
    return training_queue().submit(TrainingTask(documents, counts_bytes_max=CORPUS_BYTES_MAX, **settings))


def train(documents: Collection[str] | Corpus, **settings: object) -> TrainingJob:
    """Begin the training of this session, as `submit` does; the next page that runs takes it up."""
    job = submit(documents, **settings)
    _hold(job)
    set_option("training_job", job.id)
    return job


def training() -> TrainingJob | None:
    """Return the current training of this session, even one that began before the tab was reloaded."""
    job = training_queue().job(option_value("training_job"))
    _hold(job)
    return job


def _hold(job: TrainingJob | None) -> None:
    """Keep this job alive, and no other: Streamlit would keep a value that was replaced until the next run."""
    st.session_state.setdefault("held_jobs", [])[:] = [job] if job else []


def take_up_training() -> None:
    """If the training of this session has ended, add and choose its tokenizer, and keep the job for its report.

    That it is done is written last, so if this run is cut short, the next one does it again.
    """
    if not option_value("training_job"):
        return
    job = training()
    if job is not None and not job.ended:
        return
    if job is not None and (learned := job.trained()) is not None:
        _add(learned)
    st.session_state.update(ended_training=job, training_lost=job is None)
    _hold(None)  # a copy of this tab may have yet to take it up
    set_option("training_job", "")


def _add(learned: Trained) -> None:
    """Add a tokenizer to the list, choose it, and say so."""
    # Another tokenizer may have been opened meanwhile under the name that was free at first.
    learned = renamed(learned, {*ENCODINGS, *opened_tokenizers()})
    add_trained(learned)
    choose_tokenizer(learned.tokenizer.name)
    st.session_state.trained_name = learned.tokenizer.name
    st.toast(f"Done: {merges(len(learned.steps))} learned.", icon=":material/check:")


def merges(n: int) -> str:
    """Return a number of merges in words.

    >>> merges(1), merges(50_000)
    ('1 merge', '50,000 merges')
    """
    return f"{n:,} merge{'s' * (n != 1)}"
