"""Doors: buttons that open another page with what a lesson shows."""

import streamlit as st

from pages.ui.merges.replays import train_now
from pages.ui.playground.chat_rows import restore_rows
from pages.ui.session_tokenizers.tokenizer_list import choose_tokenizer, chosen_name, tokenizer_named
from pages.ui.shared.options import OWN_PATTERN, THE_TEXT, overridden_by_link, set_option
from pages.ui.shared.text import set_text
from pages.ui.vocabulary.vocabulary_view import search_for
from tokviz import SPLIT_PATTERNS
from tokviz.lessons.parts import Door, Training

PAGES = {
    "playground": ("app.py", "Open in the playground", ":material/edit_note:"),
    "merges": ("pages/merges.py", "Open in the time machine", ":material/merge:"),
    "compare": ("pages/compare.py", "Open in Compare", ":material/compare:"),
    "train": ("pages/train.py", "Open in Train", ":material/model_training:"),
    "bytes": ("pages/bytes.py", "Open in Bytes & patterns", ":material/data_array:"),
    "patterns": ("pages/bytes.py", "Open in Bytes & patterns", ":material/data_array:"),
    "vocabulary": ("pages/vocabulary.py", "Open in Vocabulary", ":material/dictionary:"),
}
LOOKS = {"bytes": "Bytes", "patterns": "Split patterns"}


def door_buttons(doors: tuple[Door, ...], *, key: str) -> None:
    """Show the buttons; one that is pressed opens its page."""
    with st.container(horizontal=True, gap="small"):
        for n, door in enumerate(doors):
            path, label, icon = PAGES[door.page]
            st.button(door.label or label, icon=icon, key=f"_door_{key}_{n}", on_click=_press, args=(door, path))


def _press(door: Door, path: str) -> None:
    st.session_state.door = door, path


def go_through() -> None:
    """Open the page behind the door that was pressed, if any; if this run is cut short, the next one does it."""
    if pressed := st.session_state.get("door"):
        door, path = pressed
        walk_through(door)
        del st.session_state["door"]
        st.switch_page(path)


def walk_through(door: Door) -> None:
    """Set everything that the page behind a door shows: text, tokenizer, step and so on."""
    set_text(door.text)
    if door.page == "train":
        set_option("train_on", THE_TEXT)
    if door.page == "train" and door.training:
        _fill_in(door.training)
    else:
        _choose_tokenizer(door)
    if door.compared:
        set_option("compared", list(door.compared))
    set_option("allow_special", door.allow_special)
    if door.page in LOOKS:
        set_option("look", LOOKS[door.page])
    if door.pattern:
        _look_at(door.pattern)
    if door.page == "vocabulary":
        search_for(dict(door.search), key="vocabulary")
    set_option("input", "Chat" if door.messages else "Text")
    if door.messages:
        overridden_by_link().add("rows")
        restore_rows([list(message) for message in door.messages])


def _choose_tokenizer(door: Door) -> None:
    """Choose the tokenizer of a door, training it first if the door says how, and the step."""
    if door.training:
        for training in (*door.beside, door.training):  # the last is the chosen one
            train_now(training)
    else:
        choose_tokenizer(door.tokenizer)
    # With all merges made, the time machine shows the tokens of the lesson.
    set_option("step", len(tokenizer_named(chosen_name()).merge_tokens) if door.step is None else door.step)


def _look_at(pattern: str) -> None:
    """Choose the split pattern to look at, by name or as a regular expression."""
    named = pattern in SPLIT_PATTERNS
    set_option("cut_pattern", pattern if named else OWN_PATTERN)
    set_option("cut_off", [])
    if not named:
        set_option("own_pattern", pattern)


def _fill_in(training: Training) -> None:
    """Fill in the form of the train page."""
    named = training.split_pattern in SPLIT_PATTERNS
    values = {
        "train_name": training.name,
        "vocab_size": training.vocab_size,
        "min_count": training.min_count,
        "pattern": training.split_pattern if named else OWN_PATTERN,
        "special": "",
    }
    if not named:
        values["own_pattern"] = training.split_pattern
    for key, value in values.items():
        set_option(key, value)
