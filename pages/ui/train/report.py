"""What to say about the last training besides its result: an early end, and lines that were left out."""

import pandas as pd
import streamlit as st

from pages.ui.shared.messages import show_error
from tokviz.jobs.job import TrainingJob

NOT_MEASURED = "A tenth of the text was held out, but is only measured when a training runs to its end."
NOT_HELD_OUT = "Nothing was held out: the text has no white space to cut it at."


def report() -> None:
    """Say how the last training of this session ended, if not as it was asked to."""
    if st.session_state.get("training_lost"):
        st.info(
            "The training that this tab began is gone: the server was restarted, or the tab was away for too long. "
            "Train again."
        )
    job = _ended_training()
    if job is None:
        return
    if job.problem:
        show_error(job.problem, title="The training did not finish")
    n_learned = len(job.steps)
    if job.has_result and job.ended_early:
        st.text(f"The {n_learned:,} merges learned so far are kept as {st.session_state.trained_name}.")
    elif job.has_result and 0 < n_learned < job.n_asked:
        st.text(f"After {n_learned:,} of {job.n_asked:,} merges, no pair was left that occurred often enough.")
    elif job.stopped:
        st.info("Stopped before the first merge: nothing is kept.")
    if job.has_result and job.task.hold_out and job.held_out is None:
        st.text(NOT_MEASURED if job.ended_early else NOT_HELD_OUT)


def _ended_training() -> TrainingJob | None:
    """Return the last training of this session that has ended."""
    return st.session_state.get("ended_training")


def left_out() -> None:
    """Show the lines that the last training left out, by file and line."""
    job = _ended_training()
    counted = job and job.counted
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
