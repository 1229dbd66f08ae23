"""What a training begins with: nothing but bytes, or a byte-level tokenizer of the list, whose ids it keeps."""

import streamlit as st

from pages.ui.options import option_value, option_widget
from pages.ui.session_tokenizers.tokenizer_list import (
    choice_label,
    opened_tokenizers,
    tokenizer_named,
    trained_tokenizers,
)
from tokviz import Tokenizer
from tokviz.formats.pretrained import PRETRAINED

BYTES = ""  # no tokenizer


def start_names() -> list[str]:
    """Return the names of the tokenizers that training can continue from, those trained or opened here first."""
    opened = (name for name, record in opened_tokenizers().items() if isinstance(record.tokenizer, Tokenizer))
    return list(dict.fromkeys([*trained_tokenizers(), *opened, *PRETRAINED]))


def start_picker() -> Tokenizer | None:
    """Show the choice of what to begin with, and return the tokenizer chosen, if it is one."""
    option_widget(
        "train_start", st.selectbox, "Begin with", options=[BYTES, *start_names()], format_func=_label,
        help="A tokenizer keeps its merges and its ids: new merges are learned on top, and their ids follow the "
        "highest one.",
    )  # fmt: skip
    return chosen_start()


def _label(name: str) -> str:
    return "Nothing but bytes" if name == BYTES else choice_label(name)


def chosen_start() -> Tokenizer | None:
    """Return the tokenizer to begin with, None for bytes alone."""
    name = option_value("train_start")
    return tokenizer_named(name) if name in start_names() else None
