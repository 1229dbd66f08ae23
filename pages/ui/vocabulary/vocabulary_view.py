"""The vocabulary of a tokenizer, to search and browse, drawn by the component in `assets/vocabulary`.

The tokens go to a browser once, over the live socket, and so does the report on the token that is open, with its uses
in the shared text.
"""

import uuid
from collections.abc import Mapping

import streamlit as st

from pages.ui.shared.components import Component
from pages.ui.shared.live import chosen_look
from tokviz import AnyTokenizer
from tokviz.live.views.vocabulary_view import VocabularyView
from tokviz.vocabulary.findings import findings_if_known

VOCABULARY = Component("vocabulary", ("token_view", "vocabulary"))


def show_vocabulary_view(tokenizer: AnyTokenizer) -> None:
    """Show the vocabulary, and for the token that is open its relatives and its uses in the shared text."""
    found, data = findings_if_known(tokenizer), {"search": st.session_state.get("search")}
    VOCABULARY.show_view("vocabulary", VocabularyView, "text", tokenizer, look=chosen_look(), found=found, data=data)


def request_search(fields: Mapping[str, str]) -> None:
    """Fill in the search when the view is next shown: values by the names of its fields; the others are reset.

    By its name a browser takes a search once.
    """
    st.session_state.search = {"name": uuid.uuid4().hex, "fields": dict(fields)}
