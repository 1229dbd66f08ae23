"""Training for the pages: jobs in the server's one queue, and their results.

A job belongs to the session that submitted it, and to those that find it again by its id, which the tab keeps over a
reload, as does a copy of the tab. It runs whatever page is shown, and ends early when all these sessions are gone: only
their states keep it alive.
"""

import sys
from dataclasses import replace
from functools import cache

import streamlit as st

from pages.ui.options import option_value, set_option
from pages.ui.pages import TRAIN
from pages.ui.session_tokenizers.tokenizer_list import (
    add_tokenizer,
    choose_and_compare_tokenizer,
    chosen_tokenizer_name,
    kept_tokenizers,
)
from pages.ui.train.report import LOST, ending_messages, keep_report
from tokviz.core.steps import WHOLE
from tokviz.jobs.job import TrainingJob
from tokviz.jobs.queue import TrainingQueue
from tokviz.jobs.task import TrainingTask
from tokviz.jobs.worker import Ended, train_and_yield_messages
from tokviz.records.session_tokenizer import Kept
from tokviz.records.training import CORPUS_BYTES_MAX, FromTraining, text_digest
from tokviz.text.words import quantity
from tokviz.training.plan import Plan


@cache
def training_queue() -> TrainingQueue:
    """Return the queue of this server."""
    return TrainingQueue()


def submit(task: TrainingTask) -> TrainingJob:
    """Return a job that reports its counts, and ends unless the session keeps it.

    Raises ValueError if its settings are impossible.
    """
    return training_queue().submit(replace(task, counts_bytes_max=CORPUS_BYTES_MAX))


def train_at_once(text: str, plan: Plan, name: str) -> Kept[FromTraining]:
    """Train on a small text here and now; texts of any size go to `submit`. ValueError for what cannot be trained."""
    task = TrainingTask(plan, {WHOLE: [text]}, name, sys.maxsize, (text_digest(text),))
    job = TrainingJob(task)
    for message in train_and_yield_messages(task):
        job.note_message(message)
        if isinstance(message, Ended) and message.problem:
            raise ValueError(message.problem)
    job.mark_ended(None)
    kept = job.kept_tokenizer()
    assert kept is not None  # it was counted, and not stopped
    return kept


def submit_for_session(task: TrainingTask) -> TrainingJob:
    """Begin the training of this session, as `submit` does; the next page that runs takes it up."""
    job = submit(task)
    _keep_alive_only(job)
    set_option("training_job", job.id)
    return job


def current_job_kept_alive() -> TrainingJob | None:
    """Return the current training of this session, even one that began before the tab was reloaded."""
    job = training_queue().job(option_value("training_job"))
    _keep_alive_only(job)
    return job


def _keep_alive_only(job: TrainingJob | None) -> None:
    """Keep this job alive, and no other: Streamlit would keep a value that was replaced until the next run."""
    st.session_state.setdefault("held_jobs", [])[:] = [job] if job else []


def finish_training_if_ended() -> None:
    """If the training of this session has ended, add and choose its tokenizer, and keep how it ended.

    That it is done is written last, so if this run is cut short, the next one does it again.
    """
    if not option_value("training_job"):
        return
    job = current_job_kept_alive()
    if job is None:
        keep_report([("info", LOST)])
    elif job.has_ended:
        _add_tokenizer_and_keep_report(job)
    else:
        return
    _keep_alive_only(None)  # a copy of this tab may have yet to take it up
    set_option("training_job", "")


def _add_tokenizer_and_keep_report(job: TrainingJob) -> None:
    """Add and choose the tokenizer of a job that has ended, and keep how it ended."""
    learned = job.kept_tokenizer()
    if learned is not None:
        # Another tokenizer may have been opened meanwhile under the name that was free at first.
        name = add_tokenizer(learned)
        learned = kept_tokenizers()[name]
        if chosen_tokenizer_name() != name:  # not trained anew
            st.session_state.used_before_training = chosen_tokenizer_name()
        choose_and_compare_tokenizer(name)
        st.session_state.trained_name = name
        if st.session_state.page != TRAIN.title:  # which says so itself
            learned_text = quantity(len(learned.origin.steps), "merge")
            st.toast(f"Done: {learned_text} learned. This page uses the new tokenizer too.", icon=":material/check:")
    keep_report(ending_messages(job, learned), job.counted)
