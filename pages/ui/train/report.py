"""What to say about the last training besides its result: an early end, and lines that were left out."""

import pandas as pd
import streamlit as st

from pages.ui.shared.messages import show_error
from pages.ui.train.run import TrainingReport
from tokviz.jobs.worker import CountReport


def report() -> None:
    """Say how the last training of this session ended, if there is anything to say."""
    last: TrainingReport | None = st.session_state.get("training_report")
    if last is None:
        return
    if last.lost:
        st.info(
            "The training that this tab began is gone: the server was restarted, or the tab was away for too long. "
            "Train again."
        )
    if last.problem:
        show_error(last.problem, title="The training did not finish")
    if last.name and (last.stopped or last.problem):
        st.text(f"The {last.n_learned:,} merges learned so far are kept as {last.name}.")
    elif last.name and last.n_learned < last.n_asked:
        st.text(f"After {last.n_learned:,} of {last.n_asked:,} merges, no pair occurred often enough.")
    elif last.stopped:
        st.info("Stopped before the first merge: nothing is kept.")
    if last.counted:
        _left_out(last.counted)


def _left_out(counted: CountReport) -> None:
    """Show the lines that were left out, by file and line."""
    if not counted.n_bad_lines:
        return
    lines = "1 line was" if counted.n_bad_lines == 1 else f"{counted.n_bad_lines:,} lines were"
    documents = "1 document was" if counted.n_documents == 1 else f"{counted.n_documents:,} documents were"
    st.warning(f"{lines} left out. {documents} counted.")
    rows = [(bad.file, bad.line, bad.reason) for bad in counted.bad_lines]
    height = min(38 + 35 * len(rows), 260)
    st.dataframe(pd.DataFrame(rows, columns=["file", "line", "reason"]), hide_index=True, height=height)
    if len(rows) < counted.n_bad_lines:
        st.text(f"Only the first {len(rows):,} are shown.")
