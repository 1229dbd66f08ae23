"""Replays: training runs to watch from their first merge on.

A replay trains a small tokenizer, adds it to the list, chooses it on this page, makes its text the shared one, and goes
back to the step before any merge.
"""

import streamlit as st

from pages.ui.options import reset_widget, set_option
from pages.ui.session_tokenizers.tokenizer_list import add_trained
from pages.ui.shared.text import set_text
from pages.ui.train.run import trained_at_once
from tokviz.core.samples import sample
from tokviz.exercises.lesson import Training

CLASSICAL = "aaabdaaabac"
N_MERGES = 300
# The names of the replays, each with the name of its sample.
SAMPLES = {
    "English": "english",
    "Thai": "thai",
    "Chinese": "chinese",
    "Python": "python",
    "Arithmetic": "arithmetic",
}
REPLAYS = (CLASSICAL, *SAMPLES)


def replay_picker() -> None:
    """Show the buttons that begin a replay."""
    with st.container(horizontal=True, gap="small"):
        for name in REPLAYS:
            st.button(name, key=f"_replay_{name}", on_click=begin_replay, args=(name,))


def begin_replay(name: str) -> None:
    """Train on a replay's text, and show it before the first merge."""
    text = CLASSICAL if name == CLASSICAL else sample(SAMPLES[name])
    classical = name == CLASSICAL
    train_now(
        Training(
            f"from {name}",
            text,
            vocab_size=256 + (3 if classical else N_MERGES),
            split_pattern="none" if classical else "cl100k",
            min_count=1 if classical else 2,
        )
    )
    set_option("merges_tokenizer", f"from {name}")
    reset_widget("replays")
    set_text(text)
    set_option("step", 0)


def train_now(training: Training) -> None:
    """Train a small tokenizer at once, and add it to the list."""
    add_trained(
        trained_at_once(
            training.text,
            name=training.name,
            vocab_size=training.vocab_size,
            min_count=training.min_count,
            split_pattern=training.split_pattern,
        )
    )
