"""Where tokens meet: what is settled, what a change costs, ids that are not canonical, and other ways to cut a text."""

import streamlit as st

from pages.ui.frame.frame import begin_view_first
from pages.ui.options import option_choice, option_widget
from pages.ui.pages import SEAMS
from pages.ui.seams.sections import SECTIONS, open_unsettled, take_ids_of_text
from pages.ui.session_tokenizers.download import show_download_button
from pages.ui.session_tokenizers.tokenizer_list import (
    chosen_name,
    pick_tokenizer,
    show_special_tokens_toggle,
    tokenizer_named,
)
from pages.ui.shared.live import row_to_fill
from pages.ui.shared.messages import show_errors
from tokviz import Tokenizer


def show_example_menu() -> None:
    """Show the examples of a section, and where it has ids to look at, those of the text."""
    for name, example in SECTIONS[section].examples.items():
        st.button(name, key=f"_example_{section}_{name}", on_click=example.take)


show_header = begin_view_first(SEAMS, opens=open_unsettled)
tools = row_to_fill("seams-tools")
section = option_choice("seams_section", SECTIONS)
with show_errors():
    SECTIONS[section].show(tokenizer_named(chosen_name()))
show_header()
with tools:
    tokenizer = pick_tokenizer(label_visibility="collapsed", width=200)
    show_download_button(tokenizer, type="tertiary")
    option_widget("seams_section", st.segmented_control, "Look at", options=list(SECTIONS), required=True,
                  label_visibility="collapsed")  # fmt: skip
    with st.popover("Examples", type="tertiary", key=f"examples {section}"):
        show_example_menu()
    if section == "Ids" and isinstance(tokenizer, Tokenizer):
        st.button("Ids of the text", type="tertiary", on_click=take_ids_of_text)
    if SECTIONS[section].recognises and tokenizer.special_tokens:
        show_special_tokens_toggle()
