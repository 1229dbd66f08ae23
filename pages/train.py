"""Train a tokenizer on a text and watch it learn."""

import time

import streamlit as st

from pages.ui.frame import frame
from pages.ui.shelf import choose, chosen_name, put_on_shelf, tokenizer_named, trained_here
from pages.ui.text import file_opener, sample_picker, save_text, shared_text
from pages.ui.token_view import token_view
from pages.ui.training_result import result
from pages.ui.training_run import TrainingRun
from pages.ui.training_settings import training_settings
from pages.ui.words import complain, errors_in_words

MAX_TEXT_BYTES = 20_000_000
MAX_SHOWN = 1_000_000  # characters

frame(
    "Train",
    "Paste a text, or take a sample, and learn the merges of a tokenizer from it. Try a small vocabulary "
    "first, then another split pattern on the same text.",
)


@st.fragment
def text_box() -> None:
    """Show the shared text to edit under the chosen tokenizer; one too long for an editor by its size only."""
    text = shared_text()
    if len(text) > MAX_SHOWN:
        st.info(f"The text has {len(text):,} characters: too long to edit here, not too long to train on.")
        return
    with errors_in_words():
        token_view(
            tokenizer_named(chosen_name()),
            key="train",
            text=text,
            label="Training text",
            placeholder="Paste a text to learn from",
            on_edit=save_text,
            storage="text",
            panes=("counts", "tokens"),
        )


def start_training(settings: dict[str, object]) -> None:
    """Begin a run on the shared text, or say why not."""
    text = shared_text()
    n_bytes = len(text.encode("utf-8", "replace"))
    if not text:
        st.info("There is no text to train on: paste one, or take a sample.")
    elif n_bytes > MAX_TEXT_BYTES:
        complain(f"The text has {n_bytes:,} bytes; this page trains on at most {MAX_TEXT_BYTES:,}.")
    else:
        with errors_in_words():
            st.session_state.run = TrainingRun(text, **settings)


def keep_training(run: TrainingRun) -> None:
    """Go on with a run, showing how far it is, until it ends or is stopped."""
    bar = st.progress(0.0)
    line = st.empty()
    if st.button("Stop and keep what is learned"):
        run.stop()
    shown = 0.0
    while not run.done:
        run.advance()
        if time.monotonic() - shown > 0.1:
            shown = time.monotonic()
            bar.progress(run.share)
            line.text(str(run.steps[-1]) if run.steps else "")
    put_on_shelf(run.trained())
    choose(run.name)
    st.session_state.run = None
    st.session_state.trained_name = run.name
    st.rerun()


left, right = st.columns([3, 2], gap="large")
with left:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sample_picker()
        file_opener()
    text_box()
with right:
    settings = training_settings()
    if settings is not None:
        start_training(settings)
    if st.session_state.get("run"):
        keep_training(st.session_state.run)
# After a reload, which trained tokenizer was the last is told by the chosen one.
last = trained_here().get(st.session_state.get("trained_name", chosen_name()))
if last is not None:
    result(last)
