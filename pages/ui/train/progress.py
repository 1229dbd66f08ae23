"""The progress of a training, polled beside the page, with a button that stops it."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.train.run import training_queue
from tokviz import Tokenizer
from tokviz.core.steps import TrainStep
from tokviz.jobs.job import TrainingJob
from tokviz.text.glyphs import visible_token
from tokviz.training.plan import id_of_first_learned_token

POLLED_EVERY = 0.5  # seconds
N_LINES = 8  # merges that are shown while they go by
SHORT = 0.4  # seconds; a training that ends sooner shows no bar, which would only blink


@st.fragment(run_every=POLLED_EVERY)
def show_training_progress_or_rerun(job: TrainingJob) -> None:
    """Show the progress of a job, again and again; when it ends, the whole page runs."""
    if job.has_ended:
        st.rerun()
    st.progress(job.stage_progress)
    st.text(progress_text(job))
    if lines := latest_merge_lines(job.steps, job.task.plan.start):
        st.code("\n".join(lines), language=None, height=30 + 24 * N_LINES)
    # Its id, since Streamlit keeps the arguments of every button as long as the session lives.
    st.button(
        "Stop and keep what is learned", key=f"_stop {job.id}", on_click=_stop_job, args=(job.id,), disabled=job.stopped
    )


def _stop_job(job_id: str) -> None:
    """Stop a job."""
    job = training_queue().job(job_id)
    if job is not None:
        job.stop()
        job.wait(SHORT)


def progress_text(job: TrainingJob) -> str:
    """Return the progress of a job in words."""
    if job.stage == "waiting":
        n_before = training_queue().n_jobs_waiting_before(job)
        others = f"{n_before} {'is' if n_before == 1 else 'are'} ahead of you." if n_before else "You are next."
        return f"Others are training, and this machine takes only a few at a time. {others}"
    left = "" if job.seconds_left_in_stage is None else f", {duration_text(job.seconds_left_in_stage)} left"
    if job.stage == "counting":
        return f"Counting the pretokens: {job.stage_progress:.0%}{left}; then the merges."
    if len(job.task.plan.patterns_by_part()) > 1 and len(job.steps) == job.n_merges:
        return "Now training with merges inside words only, for comparison."
    return f"Merge {len(job.steps):,} of {job.n_merges:,}{left}"


def latest_merge_lines(steps: Sequence[TrainStep], start: Tokenizer | None = None) -> list[str]:
    """Return the last few merges, a line each, the latest first; `start` is what training continued from.

    >>> import tokviz
    >>> latest_merge_lines([*tokviz.train_steps("low lower", vocab_size=258)])
    ['2  lo + w → low  (2 times)', '1  l + o → lo  (2 times)']
    """
    shown = [
        f"{step.rank + 1:,}  {' + '.join(visible_token(_token_bytes(steps, part, start)) for part in step.pair)} → "
        f"{visible_token(step.token_bytes)}  ({step.count:,} time{'s' * (step.count != 1)})"
        + (f" for {step.language}" if step.language is not None else "")
        for step in steps[-N_LINES:]
    ]
    return shown[::-1]


def _token_bytes(steps: Sequence[TrainStep], token_id: int, start: Tokenizer | None) -> bytes:
    """Return the bytes of a token that training learned or began with."""
    if token_id >= id_of_first_learned_token(start):
        return steps[token_id - id_of_first_learned_token(start)].token_bytes
    return bytes([token_id]) if start is None else start.token_bytes(token_id)


def duration_text(seconds: float) -> str:
    """Return about how long that is, in words.

    >>> duration_text(0.3), duration_text(89), duration_text(90), duration_text(200)
    ('1 second', '89 seconds', '2 minutes', '3 minutes')
    """
    n, unit = (max(1, round(seconds)), "second") if seconds < 90 else (round(seconds / 60), "minute")
    return f"{n} {unit}{'s' * (n != 1)}"
