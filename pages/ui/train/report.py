"""How the last training of this session ended, or why none began, in words, and the lines that it left out."""

from collections.abc import Callable, Collection
from functools import partial

import pandas as pd
import streamlit as st

from pages.ui.shared.messages import show_error
from tokviz.jobs.job import TrainingJob
from tokviz.jobs.worker import CountReport
from tokviz.records.session_tokenizer import Kept
from tokviz.records.training import FromTraining

LOST = "This tab's training is lost: the server was restarted, or the tab was away for too long. Train again."
REFUSED = "training_refused"  # the key of why no training began
NOTHING_KEPT = "Stopped before the first merge: nothing is kept."
NOT_MEASURED = "A tenth was left out as a test, but it is only measured when training finishes."
NOT_HELD_OUT = "Nothing was left out as a test: the text has no white space to cut it at."
SHOWN_AS: dict[str, Callable[[str], object]] = {
    "problem": partial(show_error, title="The training did not finish"),
    "info": st.info,
    "text": st.text,
}


def ending_messages(job: TrainingJob, learned: Kept[FromTraining] | None) -> list[tuple[str, str]]:
    """Return what to say of a job that has ended, if not as it was asked to: keys of SHOWN_AS, each with words.

    learned: its tokenizer, under the name that it has in the list.
    """
    said = [("problem", job.problem)] if job.problem else []
    is_early = job.stopped or job.problem is not None
    if learned and is_early:
        said.append(("text", f"What it learned is kept as {learned.name}."))
    elif job.stopped:
        said.append(("info", NOTHING_KEPT))
    if learned and job.task.plan.hold_out and not learned.origin.held_out:
        said.append(("text", NOT_MEASURED if is_early else NOT_HELD_OUT))
    return said


def keep_report(said: Collection[tuple[str, str]], counted: CountReport | None = None) -> None:
    """Keep what to say of a training that has ended, and what it counted, until the next one ends."""
    st.session_state.update(training_report=said, training_counted=counted)


def show_training_refusal_and_report() -> None:
    """Say why no training began, or how the last one of this session ended, if not as it was asked to."""
    if refused := st.session_state.pop(REFUSED, None):
        show_error(refused, title="The training did not begin")
    for kind, words in st.session_state.get("training_report", ()):
        SHOWN_AS[kind](words)


def show_left_out_lines_if_any() -> None:
    """Show the lines that the last training left out, by file and line."""
    counted: CountReport | None = st.session_state.get("training_counted")
    if counted is None or not counted.n_bad_lines:
        return
    lines = "1 line was" if counted.n_bad_lines == 1 else f"{counted.n_bad_lines:,} lines were"
    documents = "1 document was" if counted.n_documents == 1 else f"{counted.n_documents:,} documents were"
    st.warning(f"{lines} left out. {documents} counted.")
    rows = [(bad.file, bad.line, bad.reason) for bad in counted.bad_lines]
    height = min(38 + 35 * len(rows), 260)
    st.dataframe(pd.DataFrame(rows, columns=["file", "line", "reason"]), hide_index=True, height=height)
    if len(rows) < counted.n_bad_lines:
        st.text(f"Only the first {len(rows):,} are shown.")
