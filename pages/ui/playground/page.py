"""The playground: a text, a chat or token ids, and their tokens as you type."""

import streamlit as st

from pages.ui.playground.actions import actions
from pages.ui.playground.inputs import INPUTS
from pages.ui.session_tokenizers.open_tokenizer import open_tokenizer
from pages.ui.session_tokenizers.tokenizer_list import model_picker, special_tokens_toggle, tokenizer_picker
from pages.ui.shared.options import option_widget
from pages.ui.shared.text import file_opener, sample_picker


def playground() -> None:
    """Show the page below its frame."""
    pickers = st.columns([2, 2, 3, 2], vertical_alignment="bottom")
    with pickers[0]:
        tokenizer = tokenizer_picker()
    with pickers[1]:
        model_picker()
    with pickers[2]:
        source = option_widget("input", st.segmented_control, "Input", options=list(INPUTS), required=True,
                      label_visibility="collapsed")  # fmt: skip
    with pickers[3]:
        allow_special = special_tokens_toggle(disabled=source != "Text")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if source == "Text":
            sample_picker()
            file_opener()
        open_tokenizer()
    actions(source, INPUTS[source](tokenizer, allow_special))
