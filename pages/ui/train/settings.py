"""The settings of a training: name, size, split pattern, special tokens."""

from collections.abc import Callable

import streamlit as st

from pages.ui.session_tokenizers.tokenizer_list import opened_tokenizers
from pages.ui.session_tokenizers.trained_records import NAME_MAX, VOCAB_SIZE_MAX
from pages.ui.shared.options import OWN_PATTERN, option_value, option_widget
from tokviz import SPLIT_PATTERNS
from tokviz.core.special_tokens import special_tokens_of
from tokviz.formats.pretrained import PRETRAINED


def training_settings(*, disabled: bool, on_click: Callable[[], None]) -> None:
    """Show the settings, and the button that trains."""
    option_widget("train_name", st.text_input, "Name", max_chars=NAME_MAX)
    size, count = st.columns(2)
    with size:
        option_widget(
            "vocab_size", st.number_input, "Vocabulary size", min_value=256, max_value=VOCAB_SIZE_MAX,
            step=64, help="The 256 single bytes, and a token for each merge. Special tokens come on top.",
        )  # fmt: skip
    with count:
        option_widget(
            "min_count", st.number_input, "Minimum pair count", min_value=1, max_value=1_000,
            help="Training stops early if no pair is left that occurs this often.",
        )  # fmt: skip
    pattern = option_widget("pattern", st.selectbox, "Split pattern", options=[*SPLIT_PATTERNS, OWN_PATTERN])
    if pattern == OWN_PATTERN:
        option_widget("own_pattern", st.text_input, "Regular expression")
    option_widget(
        "special", st.text_input, "Special tokens, separated by spaces", placeholder="<|endoftext|>",
        help="Their ids follow that of the last merge. Or give each an id of its own, at least the vocabulary size: "
        "`<|begin_of_text|>=1101 <|end_of_text|>=1102`",
    )  # fmt: skip
    option_widget(
        "hold_out", st.toggle, "Hold out a tenth of the text",
        help="Every tenth line, or of several files every tenth document, is not trained on, but measured afterwards: "
        "how well does the tokenizer do on text that it has not seen?",
    )  # fmt: skip
    st.button("Train", type="primary", width="stretch", disabled=disabled, on_click=on_click)


def chosen_settings() -> dict[str, object]:
    """Return the settings as a TrainingTask takes them; ValueError for an impossible name or special tokens."""
    name = " ".join(option_value("train_name").split()) or "my tokenizer"
    if name in PRETRAINED or name in opened_tokenizers():
        raise ValueError(f"There is already a tokenizer named {name}. Choose another name.")
    pattern = option_value("pattern")
    return {
        "name": name,
        "vocab_size": int(option_value("vocab_size")),
        "min_count": int(option_value("min_count")),
        "split_pattern": option_value("own_pattern") if pattern == OWN_PATTERN else pattern,
        "special_tokens": special_tokens_of(option_value("special").split()),
        "hold_out": option_value("hold_out"),
    }
