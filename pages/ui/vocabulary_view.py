"""The vocabulary of a tokenizer, to search and to browse, drawn by the component in `assets/vocabulary`.

In: a tokenizer and a text. The tokens are sent to a browser once; what the two sides say to each other is in
`vocabulary_data`. Call it in an `st.fragment`, so that a question reruns nothing else.
"""

from functools import partial

import streamlit as st

from pages.ui.components import message_of, registered
from pages.ui.vocabulary_data import VocabularyState
from tokviz import Tokenizer
from tokviz.vocabulary import ALL

SCRIPTS = (
    "storage", "mounted", "token_view/text", "token_view/model", "token_view/pieces", "token_view/chip",
    "token_view/inspector", "questions", "vocabulary/search", "vocabulary/listing",
    "vocabulary/component",
)  # fmt: skip


def vocabulary_view(tokenizer: Tokenizer, text: str, *, key: str, allow_special: bool = False) -> None:
    """Show the vocabulary, and for the token that is open its relatives and its use in the text.

    Special tokens in the text are plain text unless allowed. Raises ValueError where the split pattern does not end.
    """
    state: VocabularyState = st.session_state.setdefault(f"{key}:state", VocabularyState())
    registered("vocabulary", SCRIPTS, ("token_view", "vocabulary"))(
        key=key,
        data=state.reply(tokenizer, text, ALL if allow_special else ()),
        on_message_change=partial(_receive, key, state),
    )


def _receive(key: str, state: VocabularyState) -> None:
    """Take the browser's question, before the page runs."""
    message = message_of(key)
    if message:
        state.receive(message)
