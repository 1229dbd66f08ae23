"""What to say about the last training besides its result: an early end, and lines that were left out."""

import pandas as pd
import streamlit as st

from pages.ui.shared.messages import show_error
from pages.ui.train.run import TrainingReport

NOT_MEASURED = "A tenth of the text was held out, but is only measured when a training runs to its end."
NOT_HELD_OUT = "Nothing was held out: the text has no white space to cut it at."


def report() -> None:
    """Say how the last training of this session ended, if not as it was asked to."""
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
    elif last.name and 0 < last.n_learned < last.n_asked:
        st.text(f"After {last.n_learned:,} of {last.n_asked:,} merges, no pair was left that occurred often enough.")
    elif last.stopped:
        st.info("Stopped before the first merge: nothing is kept.")
    if last.name and last.hold_out and not last.held_out:
        ended = last.stopped or last.problem
        st.text(NOT_MEASURED if ended else NOT_HELD_OUT)


def left_out() -> None:
    """Show the lines that the last training left out, by file and line."""
    last: TrainingReport | None = st.session_state.get("training_report")
    counted = last.counted if last else None
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
