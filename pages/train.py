"""Train a tokenizer on a text and watch it learn."""

import time

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui.frame import (
    Trained,
    complain,
    errors_in_words,
    frame,
    kept,
    put_on_shelf,
    sample_picker,
    save_text,
    tokenizer_named,
    visible,
)
from pages.ui.token_view import token_view
from pages.ui.training_run import TrainingRun
from tokviz import SPLIT_PATTERNS

MAX_TEXT_BYTES = 20_000_000
MAX_SHOWN = 1_000_000  # characters
OWN_PATTERN = "your own"

frame(
    "Train",
    "Paste a text, or take a sample, and learn the merges of a tokenizer from it. Try a small vocabulary "
    "first, then another split pattern on the same text.",
)


def take_upload() -> None:
    """Make an uploaded text file the shared text."""
    upload = st.session_state.get("_upload")
    if upload is not None:
        try:
            save_text(upload.getvalue().decode("utf-8-sig"))
        except UnicodeDecodeError as e:
            st.session_state.upload_error = (
                f"{upload.name} is not UTF-8 (byte {e.start}). Save it as UTF-8 and open it again."
            )


@st.fragment
def text_box() -> None:
    """Show the shared text to edit under the chosen tokenizer; one too long for an editor by its size only."""
    text = st.session_state.text
    if len(text) > MAX_SHOWN:
        st.info(f"The text has {len(text):,} characters: too long to edit here, not too long to train on.")
        return
    with errors_in_words():
        token_view(
            tokenizer_named(st.session_state.tokenizer),
            key="train",
            text=text,
            label="Training text",
            placeholder="Paste a text to learn from",
            on_edit=save_text,
            storage="text",
            panes=("counts",),
        )


def settings() -> dict[str, object] | None:
    """Show the settings; return them when the button is pressed."""
    name = kept("train_name", "my tokenizer", st.text_input, "Name", max_chars=40)
    size, count = st.columns(2)
    with size:
        vocab_size = kept(
            "vocab_size", 512, st.number_input, "Vocabulary size", min_value=256, max_value=100_000,
            step=64, help="256 bytes and the merges; special tokens come on top.",
        )  # fmt: skip
    with count:
        min_count = kept(
            "min_count", 2, st.number_input, "Least count of a pair", min_value=1, max_value=1_000,
            help="Training stops when no pair occurs so often.",
        )  # fmt: skip
    choices = [*SPLIT_PATTERNS, OWN_PATTERN]
    pattern = kept("pattern", "cl100k", st.selectbox, "Split pattern", options=choices)
    if pattern == OWN_PATTERN:
        pattern = kept("own_pattern", r"\p{L}+|\p{N}+", st.text_input, "Regular expression")
    special = kept(
        "special", "", st.text_input, "Special tokens, separated by spaces",
        placeholder="<|endoftext|>",
    )  # fmt: skip
    if not st.button("Train", type="primary", width="stretch"):
        return None
    return {
        "name": " ".join(name.split()) or "my tokenizer",
        "vocab_size": int(vocab_size),
        "min_count": int(min_count),
        "split_pattern": pattern,
        "special_tokens": special.split(),
    }


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
    put_on_shelf(Trained(run.tokenizer(), tuple(run.steps), run.n_bytes))
    st.session_state.run = None
    st.session_state.trained_name = run.name
    st.rerun()


def result(trained: Trained) -> None:
    """Show what was learned: figures, curve, merges, downloads."""
    tokenizer, steps = trained.tokenizer, trained.steps
    st.subheader("Result", anchor=False)
    st.text(f"{tokenizer.name}: {len(steps):,} merges from {trained.n_bytes:,} bytes")
    if not steps:
        st.info("No pair occurred often enough for a merge: the tokens are single bytes.")
        return
    rows = pd.DataFrame(
        {
            "rank": [step.rank for step in steps],
            "left": [visible(tokenizer.token_bytes(step.pair[0])) for step in steps],
            "right": [visible(tokenizer.token_bytes(step.pair[1])) for step in steps],
            "new token": [visible(step.token_bytes) for step in steps],
            "id": [step.token_id for step in steps],
            "count": [step.count for step in steps],
            "tokens after it": [step.n_tokens for step in steps],
        }
    )
    curve = pd.DataFrame(
        {
            "merges": rows["rank"] + 1,
            "bytes per token": [trained.n_bytes / step.n_tokens for step in steps],
        }
    ).iloc[:: max(1, len(steps) // 2000)]
    chart, table = st.columns([2, 3])
    with chart:
        st.altair_chart(
            alt.Chart(curve, height=360)
            .mark_line()
            .encode(x="merges:Q", y=alt.Y("bytes per token:Q", scale=alt.Scale(zero=False)))
        )
    with table:
        st.dataframe(rows, hide_index=True, height=360)
    downloads(trained)


def downloads(trained: Trained) -> None:
    """Offer the files; a format that cannot hold the tokenizer says why."""
    tokenizer = trained.tokenizer
    for column, suffix, text in zip(
        st.columns([1, 1, 4]),
        (".model", ".vocab"),
        (tokenizer.model_text, tokenizer.vocab_text),
        strict=False,
    ):
        with column, errors_in_words():
            st.download_button(suffix, text().encode(), file_name=f"tokenizer{suffix}", width="stretch")


left, right = st.columns([3, 2], gap="large")
with left:
    sample_picker()
    text_box()
    st.file_uploader("Or open a UTF-8 text file", type=None, key="_upload", on_change=take_upload)
    if problem := st.session_state.pop("upload_error", None):
        complain(problem)
with right:
    wanted = settings()
    n_bytes = len(st.session_state.text.encode("utf-8", "replace"))
    if wanted is not None:
        if not st.session_state.text:
            st.info("There is no text to train on: paste one, or take a sample.")
        elif n_bytes > MAX_TEXT_BYTES:
            complain(f"The text has {n_bytes:,} bytes; this page trains on at most {MAX_TEXT_BYTES:,}.")
        else:
            with errors_in_words():
                st.session_state.run = TrainingRun(st.session_state.text, n_bytes=n_bytes, **wanted)
    if st.session_state.get("run"):
        keep_training(st.session_state.run)
last = st.session_state.trained.get(st.session_state.get("trained_name"))
if last is not None:
    result(last)
