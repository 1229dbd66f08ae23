"""The vocabulary of a tokenizer, to search and to browse, drawn by the component in `assets/vocabulary`.

In: a tokenizer and a text. The tokens are sent to a browser once; what the two sides say to each other is in
`vocabulary_data`. Call it in an `st.fragment`, so that a question reruns nothing else.
"""

import uuid
from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from pages.ui.components import Component, message_of
from pages.ui.vocabulary_state import VocabularyState
from tokviz import AnyTokenizer
from tokviz.vocabulary import ALL

VOCABULARY = Component("vocabulary", ("token_view", "vocabulary"))


def vocabulary_view(tokenizer: AnyTokenizer, text: str, *, key: str, allow_special: bool = False) -> None:
    """Show the vocabulary, and for the token that is open its relatives and its use in the text.

    Special tokens in the text are plain text unless allowed. Raises ValueError where the split pattern does not end.
    """
    state: VocabularyState = st.session_state.setdefault(f"{key}:state", VocabularyState())
    VOCABULARY.show(
        key=key,
        data=state.reply(tokenizer, text, ALL if allow_special else ()) | {"search": _searches().get(key)},
        on_message_change=partial(_receive, key, state),
    )


def search_for(fields: Mapping[str, str], *, key: str) -> None:
    """Fill in the search when the view is shown next: values by the names of its fields, the others as at first."""
    _searches()[key] = {"name": uuid.uuid4().hex, "fields": dict(fields)}


def _searches() -> dict[str, dict[str, Any]]:
    """Return the searches that other pages asked for; each has a name, by which a browser takes it once."""
    return st.session_state.setdefault("searches", {})


def _receive(key: str, state: VocabularyState) -> None:
    """Take the browser's question, before the page runs."""
    message = message_of(key)
    if message:
        state.receive(message)
