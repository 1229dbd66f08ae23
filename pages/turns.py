"""A chat turn by turn: what each prompt keeps of the one before, what is trained on, and where templates fail."""

import streamlit as st

from pages.ui.frame.frame import begin_page
from pages.ui.options import option_value, option_value_among, show_choice, show_sections
from pages.ui.pages import TURNS
from pages.ui.session_tokenizers.download import show_download_button
from pages.ui.session_tokenizers.tokenizer_list import chosen_tokenizer, show_tokenizer_picker
from pages.ui.shared.live import reserve_two_rows
from pages.ui.shared.messages import show_errors
from pages.ui.turns.sections import (
    INTROS,
    SECTIONS,
    SOURCES,
    show_conversation_and_section,
    show_example_conversations,
    show_example_if_untouched,
)

show_header = begin_page(
    TURNS, opens=show_example_if_untouched, intro=lambda: INTROS[option_value_among("turns_section", SECTIONS)]
)
choice, look = reserve_two_rows("turns")
with show_errors():
    show_conversation_and_section(chosen_tokenizer())
show_header()
with choice:
    show_download_button(show_tokenizer_picker(label_visibility="collapsed", width=300), type="tertiary")
with look:
    show_sections("turns_section", SECTIONS)
    if option_value_among("turns_section", SECTIONS) != "Trials":  # which has its own conversations
        show_choice("turns_source", "Conversations from", SOURCES)
        if option_value("turns_source") == SOURCES[0]:
            with st.popover("Examples", type="tertiary", key="turns examples"):
                show_example_conversations()
