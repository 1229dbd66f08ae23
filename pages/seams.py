"""Where tokens meet: what is settled, what a change costs, ids that are not canonical, and other ways to cut a text."""

from typing import Any

import streamlit as st

from pages.ui.frame.frame import frame_ahead
from pages.ui.options import option_choice, option_widget
from pages.ui.pages import SEAMS
from pages.ui.seams.sections import SECTIONS, open_unsettled, take_ids_of_text
from pages.ui.session_tokenizers.download import download_button
from pages.ui.session_tokenizers.tokenizer_list import (
    chosen_name,
    special_tokens_toggle,
    tokenizer_named,
    tokenizer_picker,
)
from pages.ui.shared.live import live_session, row_to_fill
from pages.ui.shared.messages import show_errors
from pages.ui.shared.text import linked_text
from tokviz import Tokenizer


def linked() -> dict[str, Any]:
    """Return what a link holds to show this again: the text, and what is shown beside it or in its place."""
    documents = live_session().documents
    return linked_text() | {name: documents[name].text for name in ("second", "ids") if name in documents}


def example_menu() -> None:
    """Show the examples of a section, and where it has ids to look at, those of the text."""
    for name, example in SECTIONS[section].examples.items():
        st.button(name, key=f"_example_{section}_{name}", on_click=example.take)


show_header = frame_ahead(SEAMS, shares=linked, opens=open_unsettled)
tools = row_to_fill("seams-tools")
section = option_choice("seams_section", SECTIONS)
with show_errors():
    SECTIONS[section].show(tokenizer_named(chosen_name()))
show_header()
with tools:
    tokenizer = tokenizer_picker(label_visibility="collapsed", width=200)
    download_button(tokenizer, type="tertiary")
    option_widget("seams_section", st.segmented_control, "Look at", options=list(SECTIONS), required=True,
                  label_visibility="collapsed")  # fmt: skip
    with st.popover("Examples", type="tertiary", key=f"examples {section}"):
        example_menu()
    if section == "Ids" and isinstance(tokenizer, Tokenizer):
        st.button("Ids of the text", type="tertiary", on_click=take_ids_of_text)
    if SECTIONS[section].recognises and tokenizer.special_tokens:
        special_tokens_toggle()
