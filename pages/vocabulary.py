"""The vocabulary of a tokenizer: search it, open a token, and see what it consists of."""

import streamlit as st

from pages.ui.frame.frame import frame_ahead
from pages.ui.pages import VOCABULARY
from pages.ui.session_tokenizers.download import download_button
from pages.ui.session_tokenizers.tokenizer_list import (
    chosen_name,
    special_tokens_toggle,
    tokenizer_named,
    tokenizer_picker,
)
from pages.ui.shared.live import await_view, row_to_fill
from pages.ui.shared.text import file_opener, sample_picker
from pages.ui.shared.token_view import text_editor
from pages.ui.vocabulary.trim_dialog import trim_button
from pages.ui.vocabulary.vocabulary_charts import charts
from pages.ui.vocabulary.vocabulary_view import vocabulary_view


@st.fragment
def text_box() -> None:
    """Show the text in which uses are counted, to edit."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sample_picker()
        file_opener()
    text_editor("text", key="vocabulary text", height=80)


show_header = frame_ahead(VOCABULARY)
tools = row_to_fill("vocabulary-tools")
place = st.container()  # always there, so that the vocabulary keeps its place, and what is open in it
tokenizer = tokenizer_named(chosen_name())
vocabulary_view(tokenizer, key="vocabulary")
await_view("vocabulary")
show_header()
with tools:
    tokenizer_picker(label_visibility="collapsed", width=300)
    download_button(tokenizer, type="tertiary")
    trim_button(tokenizer)
    special_tokens_toggle()
    has_text_box = st.toggle("Text to count tokens in")
with place:
    if has_text_box:
        text_box()
charts(tokenizer)
