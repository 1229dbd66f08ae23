"""Train a tokenizer on a text and watch it learn."""

import streamlit as st

from pages.ui.frame import frame
from pages.ui.kept import THE_TEXT, kept
from pages.ui.shelf import chosen_name, tokenizer_named, trained_here
from pages.ui.text import file_opener, sample_picker, shared_text
from pages.ui.token_view import token_view
from pages.ui.training_files import training_corpus
from pages.ui.training_progress import SHORT, training_progress
from pages.ui.training_report import report
from pages.ui.training_result import result
from pages.ui.training_run import train, training, training_queue
from pages.ui.training_settings import training_settings
from pages.ui.words import complain, errors_in_words
from tokviz.corpus import Corpus

MAX_TEXT_BYTES = 20_000_000
MAX_SHOWN = 1_000_000  # characters

frame(
    "Train",
    "Paste a text, take a sample, or open files, and learn the merges of a tokenizer from them. Try a small "
    "vocabulary first, then another split pattern on the same text.",
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
            label="Training text",
            placeholder="Paste a text to learn from",
            panes=("counts", "tokens"),
        )


def begin(documents: list[str] | Corpus | None, settings: dict[str, object]) -> None:
    """Begin to train, or say why not."""
    n_bytes = sum(len(text.encode("utf-8", "replace")) for text in documents) if isinstance(documents, list) else 0
    if documents is None:
        st.info("There are no files to train on: open some.")
    elif n_bytes > MAX_TEXT_BYTES:
        complain(f"The text has {n_bytes:,} bytes; this page trains on at most {MAX_TEXT_BYTES:,}.")
    elif documents == [""]:
        st.info("There is no text to train on: paste one, or take a sample.")
    else:
        with errors_in_words():
            train(documents, **settings).wait(SHORT)
            st.rerun()


training_queue().warm_up()
left, right = st.columns([3, 2], gap="large")
with left:
    source = kept("train_on", st.segmented_control, "Train on", options=[THE_TEXT, "Files"], required=True)
    if source == THE_TEXT:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            sample_picker()
            file_opener()
        text_box()
        documents = [shared_text()]
    else:
        documents = training_corpus()
with right:
    job = training()
    settings = training_settings(disabled=job is not None)
    if settings is not None and job is None:  # a second press can come in before the button is disabled
        begin(documents, settings)
    if job is not None:
        training_progress(job)
if job is None:
    report()
    # After a reload, which trained tokenizer was the last is told by the chosen one.
    last = trained_here().get(st.session_state.get("trained_name", chosen_name()))
    if last is not None:
        result(last)
