"""The playground: type or paste a text and see its tokens."""

import streamlit as st

from pages.ui.frame import errors_in_words, frame, sample_picker, save_text, tokenizer_picker
from pages.ui.token_view import token_view

frame(
    "Playground",
    "Type or paste a text: each colour is one token id. Point at a token to find it in the list; click "
    "it to see what it is made of. Then change the tokenizer.",
)
picker, samples = st.columns([1, 3], vertical_alignment="bottom")
with picker:
    tokenizer = tokenizer_picker()
with samples:
    sample_picker()


@st.fragment
def live() -> None:
    """Show the tokens while the text is typed."""
    with errors_in_words():
        token_view(
            tokenizer,
            key="playground",
            text=st.session_state.text,
            on_edit=save_text,
            storage="text",
        )


live()
