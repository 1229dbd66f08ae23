"""Replays: training runs to watch from their first merge on; and the tie in the textbook's example, one of them.

A replay trains a small tokenizer, adds it to the list, chooses it on this page, makes its text the shared one, and
plays all of its merges.
"""

from dataclasses import replace

import pandas as pd
import streamlit as st

from pages.ui.options import reset_widget, set_option, widget_version
from pages.ui.session_tokenizers.tokenizer_list import add_tokenizer
from pages.ui.shared.messages import show_errors
from pages.ui.shared.text import RHYME, set_shared_text_to_example
from pages.ui.train.run import train_at_once
from tokviz.core.samples import sample
from tokviz.exercises.lesson import Training
from tokviz.exercises.trainings import plan_of
from tokviz.records.session_tokenizer import Kept
from tokviz.records.training import FromTraining

CLASSICAL = "aaabdaaabac"
N_MERGES = 300
REPLAYS = ("Rhyme", CLASSICAL, "English", "Thai", "Chinese", "Python", "Arithmetic")
# Both ways through the classical example: a row for each merge, letters for new tokens. After Z = aa two pairs have a
# count of 2. The textbook takes (a, b) next, the usual implementation the first in the text.
TIE = pd.DataFrame(
    {
        "textbook": [CLASSICAL, "Z = aa:  ZabdZabac", "Y = ab:  ZYdZYac", "X = ZY:  XdXac"],
        "usual implementation": [CLASSICAL, "Z = aa:  ZabdZabac", "Y = Za:  YbdYbac", "X = Yb:  XdXac"],
    },
    index=["the text", "merge 1", "merge 2", "merge 3"],
)


def show_replay_picker() -> None:
    """Show the buttons that begin a replay."""
    with st.container(horizontal=True, gap="small"):
        for name in REPLAYS:
            st.button(name, key=f"_replay_{name}", on_click=train_and_begin_replay, args=(name,))


def train_and_begin_replay(name: str) -> None:
    """Train on a replay's text, and play from before the first merge."""
    text = replay_text(name)
    training = small_training_on(text, name=replay_tokenizer_name(name))
    if name == CLASSICAL:
        training = replace(training, vocab_size=259, split_pattern="none", min_count=1)
    show_merges(train_and_add(training), plays=True)
    reset_widget("replays")
    set_shared_text_to_example(text)


def show_merges(name: str, step: int = 0, *, predicting: bool = False, plays: bool = False) -> None:
    """Show a step of the tokenizer of this name, "" the one that all pages share; ask for the next merge, or play."""
    set_option("predicting", predicting)
    set_option("step", step)
    st.session_state.plays = widget_version("step") if plays else None
    set_option("merges_tokenizer", name)  # last, since what is undone is known by it


def replay_tokenizer_name(name: str) -> str:
    """Return the name of the tokenizer that a replay trains.

    >>> replay_tokenizer_name("Rhyme"), replay_tokenizer_name("Thai")
    ('Trained on the rhyme', 'Trained on Thai')
    """
    return f"Trained on {'the rhyme' if name == 'Rhyme' else name}"


def replay_text(name: str) -> str:
    """Return the text that a replay trains on."""
    return {CLASSICAL: CLASSICAL, "Rhyme": RHYME}.get(name) or sample(name.lower())


def small_training_on(text: str, *, name: str) -> Training:
    """Return how a small tokenizer of this name is trained on a text."""
    return Training(name, text, vocab_size=256 + N_MERGES, split_pattern="cl100k", min_count=2)


def train_and_add(training: Training) -> str:
    """Train a small tokenizer at once, and add it to the list; return its name there."""
    return add_tokenizer(kept_trained_tokenizer(training))


def kept_trained_tokenizer(training: Training) -> Kept[FromTraining]:
    """Return what a training gives, at once."""
    return train_at_once(training.text, plan_of(training), training.name)


def show_tie_explanation() -> None:
    """Show both ways through the tie of the classical example, and why there are two."""
    with st.popover("About the tie", type="tertiary"), show_errors():
        st.markdown(
            "Does your textbook do it differently? Both are right. After `Z = aa` the text is `ZabdZabac`, and two "
            "pairs tie with a count of 2: `Z` + `a` and `a` + `b`. Byte pair encoding does not say which to take. The "
            "textbook takes `ab`; the usual implementation, like this page, takes the pair that comes first in the "
            "text, `Za`. Here both end in the same five tokens, `aaab`, `d`, `aaab`, `a`, `c`; on a longer text a tie "
            "can lead to different tokens."
        )
        st.table(TIE)
