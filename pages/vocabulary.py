"""The vocabulary of a tokenizer: search it, open a token, and see what it consists of."""

import streamlit as st

from pages.ui.frame.frame import frame
from pages.ui.session_tokenizers.tokenizer_list import special_tokens_toggle, tokenizer_picker
from pages.ui.shared.text import file_opener, sample_picker
from pages.ui.shared.token_view import text_editor
from pages.ui.vocabulary.vocabulary_charts import charts
from pages.ui.vocabulary.vocabulary_view import vocabulary_view

frame(
    "Vocabulary",
    "All tokens of a tokenizer. Search for the end of a word such as “ing”, or for the bytes e0 b8; open a token "
    "to see which two it was merged from. Which are the longest, and what do they say about the training text?",
)
picker, _ = st.columns([2, 5])
with picker:
    tokenizer = tokenizer_picker()


@st.fragment
def live() -> None:
    """Show the text in which uses are counted, and the vocabulary."""
    with st.expander("The text in which uses of a token are counted", icon=":material/edit:"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            sample_picker()
            file_opener()
            allow_special = special_tokens_toggle()
        text_editor("text", key="vocabulary text", height=120)
    vocabulary_view(tokenizer, key="vocabulary", allow_special=allow_special)


live()
charts(tokenizer)
