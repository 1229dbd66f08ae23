"""The vocabulary of a tokenizer: search it, open a token, and see what it consists of."""

import streamlit as st

from pages.ui.frame.frame import frame
from pages.ui.pages import VOCABULARY
from pages.ui.session_tokenizers.download import download_button
from pages.ui.session_tokenizers.tokenizer_list import special_tokens_toggle, tokenizer_picker
from pages.ui.shared.text import file_opener, sample_picker
from pages.ui.shared.token_view import text_editor
from pages.ui.vocabulary.trim_dialog import trim_button
from pages.ui.vocabulary.vocabulary_charts import charts
from pages.ui.vocabulary.vocabulary_view import vocabulary_view

frame(VOCABULARY)


@st.fragment
def text_box() -> None:
    """Show the text in which uses are counted, to edit."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sample_picker()
        file_opener()
    text_editor("text", key="vocabulary text", height=80)


with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    tokenizer = tokenizer_picker(label_visibility="collapsed", width=300)
    download_button(tokenizer, type="tertiary")
    trim_button(tokenizer)
    allow_special = special_tokens_toggle()
    has_text_box = st.toggle("Text to count tokens in")
with st.container():  # so that the vocabulary keeps its place, and what is open in it
    if has_text_box:
        text_box()
vocabulary_view(tokenizer, key="vocabulary", allow_special=allow_special)
charts(tokenizer)
