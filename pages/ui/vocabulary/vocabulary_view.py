"""The vocabulary of a tokenizer, to search and browse, drawn by the component in `assets/vocabulary`.

The tokens go to a browser once, over the live socket, and so does the report on the token that is open, with its uses
in the shared text.
"""

import uuid
from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.ui.shared.components import Component
from pages.ui.shared.live import chosen_look
from tokviz import AnyTokenizer
from tokviz.live.views.vocabulary_view import VocabularyView
from tokviz.vocabulary.findings import findings_if_known

VOCABULARY = Component("vocabulary", ("token_view", "vocabulary"))


def show_vocabulary_view(tokenizer: AnyTokenizer, *, key: str) -> None:
    """Show the vocabulary, and for the token that is open its relatives and its uses in the shared text."""
    found, data = findings_if_known(tokenizer), {"search": _requested_searches().get(key)}
    VOCABULARY.show_view(key, VocabularyView, "text", tokenizer, look=chosen_look(), found=found, data=data)


def request_search(fields: Mapping[str, str], *, key: str) -> None:
    """Fill in the search when the view is next shown: values by the names of its fields; the others are reset."""
    _requested_searches()[key] = {"name": uuid.uuid4().hex, "fields": dict(fields)}


def _requested_searches() -> dict[str, dict[str, Any]]:
    """Return the searches that other pages asked for; by its name a browser takes each of them once."""
    return st.session_state.setdefault("searches", {})
