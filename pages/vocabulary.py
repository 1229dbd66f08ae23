"""The vocabulary of a tokenizer: search it, open a token, and see what it consists of."""

import streamlit as st

from pages.ui.frame.frame import begin_screen
from pages.ui.pages import VOCABULARY
from pages.ui.session_tokenizers.download import show_download_button
from pages.ui.session_tokenizers.tokenizer_list import (
    chosen_tokenizer,
    show_special_tokens_toggle,
    show_tokenizer_picker,
)
from pages.ui.shared.live import await_view, reserve_two_rows
from pages.ui.shared.text import show_sample_picker, show_text_file_popover
from pages.ui.shared.token_view import show_text_editor
from pages.ui.vocabulary.trim_dialog import show_trim_button_if_trimmable
from pages.ui.vocabulary.vocabulary_charts import show_chosen_vocabulary_look
from pages.ui.vocabulary.vocabulary_view import show_vocabulary_view


@st.fragment
def show_text_editor_and_sources() -> None:
    """Show the text in which uses are counted, to edit."""
    with st.container(key="desk-text-sources", horizontal=True):
        show_sample_picker()
        show_text_file_popover()
    show_text_editor("text", key="vocabulary text", height=80)


screen, show_header = begin_screen(VOCABULARY)
tokenizer = chosen_tokenizer()
with screen:
    choice, look = reserve_two_rows("vocabulary")
    place = st.container()  # always there, so that the vocabulary keeps its place, and what is open in it
    show_vocabulary_view(tokenizer)
await_view("vocabulary")
show_header()
with choice:
    show_tokenizer_picker(label_visibility="collapsed", width=300)
    show_trim_button_if_trimmable(tokenizer)
    show_download_button(tokenizer, type="tertiary")
with look:
    show_special_tokens_toggle()
    has_text_box = st.toggle("Count in a text")
with place:
    if has_text_box:
        show_text_editor_and_sources()
with st.container(key="desk-look"):
    show_chosen_vocabulary_look(tokenizer)
