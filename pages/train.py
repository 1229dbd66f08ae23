"""Train a tokenizer on a text and watch it learn."""

import streamlit as st

from pages.ui.frame.frame import frame
from pages.ui.session_tokenizers.tokenizer_list import chosen_name, tokenizer_named, trained_tokenizers
from pages.ui.shared.messages import show_errors, show_errors_next
from pages.ui.shared.options import option_value, option_widget
from pages.ui.shared.text import file_opener, sample_picker, shared_text
from pages.ui.shared.token_view import token_view
from pages.ui.train import THE_TEXT
from pages.ui.train.files import file_box, training_corpus
from pages.ui.train.progress import SHORT, training_progress
from pages.ui.train.report import report
from pages.ui.train.result import result
from pages.ui.train.run import train, training, training_queue
from pages.ui.train.settings import chosen_settings, training_settings
from tokviz.training.corpus import Corpus

MAX_TEXT_BYTES = 20_000_000
MAX_SHOWN = 1_000_000  # characters

frame(
    "Train",
    "Paste a text, take a sample, or open files, and learn the merges of a tokenizer from them. Try a small "
    "vocabulary first, then another split pattern on the same text.",
)


@st.fragment
def text_box() -> None:
    """Show the shared text to edit under the chosen tokenizer; if it is too long for that, only its size."""
    text = shared_text()
    if len(text) > MAX_SHOWN:
        st.info(f"The text has {len(text):,} characters: too long to edit here, but not too long to train on.")
        return
    with show_errors():
        token_view(
            tokenizer_named(chosen_name()),
            key="train",
            label="Training text",
            placeholder="Paste a text to learn from",
            panes=("counts", "tokens"),
        )


def begin() -> None:
    """Begin to train on what is here when the button is pressed."""
    if training() is not None:
        return  # a second press can come in before the button is disabled
    with show_errors_next():
        train(documents(), **chosen_settings()).wait(SHORT)


def documents() -> list[str] | Corpus:
    """Return what there is to train on; ValueError if there is nothing, or too much."""
    if option_value("train_on") != THE_TEXT:
        corpus = training_corpus()
        if corpus is None:
            raise ValueError("There are no files to train on: open one.")
        return corpus
    text = shared_text()
    n_bytes = len(text.encode("utf-8", "replace"))
    if not text:
        raise ValueError("There is no text to train on: paste one, or take a sample.")
    if n_bytes > MAX_TEXT_BYTES:
        raise ValueError(f"The text has {n_bytes:,} bytes; this page trains on at most {MAX_TEXT_BYTES:,}.")
    return [text]


training_queue().warm_up()
left, right = st.columns([3, 2], gap="large")
with left:
    source = option_widget("train_on", st.segmented_control, "Train on", options=[THE_TEXT, "Files"], required=True)
    if source == THE_TEXT:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            sample_picker()
            file_opener()
        text_box()
    else:
        file_box()
with right:
    job = training()
    training_settings(disabled=job is not None, on_click=begin)
    if job is not None:
        training_progress(job)
if job is None:
    report()
    # After a reload, the chosen tokenizer tells which one was trained last.
    last = trained_tokenizers().get(st.session_state.get("trained_name", chosen_name()))
    if last is not None:
        result(last)
