"""The progress of a training run, with a button that stops it."""

import time

import streamlit as st

from pages.ui.training_run import TrainingRun

SHOWN_EVERY = 0.1  # seconds


def run_to_end(run: TrainingRun) -> None:
    """Go on with a run, showing how far it is, until it ends or is stopped."""
    bar = st.progress(0.0)
    line = st.empty()
    if st.button("Stop and keep what is learned"):
        run.stop()
    shown = 0.0
    while not run.done:
        run.advance()
        if time.monotonic() - shown > SHOWN_EVERY:
            shown = time.monotonic()
            bar.progress(run.share)
            line.text(str(run.steps[-1]) if run.steps else "")
