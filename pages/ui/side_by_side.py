"""The section "Side by side" of the compare page: one text, typed in once, under several tokenizers."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.compare_view import Comparison, compare_view, rest_signal
from pages.ui.kept import kept_value
from pages.ui.numbers import numbers
from pages.ui.shelf import tokenizer_named
from pages.ui.text import sample_picker, save_text, shared_text
from pages.ui.words import errors_in_words


def side_by_side(names: Sequence[str]) -> None:
    """Show the text under tokenizers of the shelf, and their numbers once the typing rests."""
    sample_picker()
    _live(names)
    _numbers()


@st.fragment
def _live(names: Sequence[str]) -> None:
    """Show the text and its tokens while it is typed; errors too, since a fragment runs alone."""
    with errors_in_words():
        comparison = compare_view(
            {name: tokenizer_named(name) for name in names},
            key="compare",
            text=shared_text(),
            reference=kept_value("reference"),
            storage="text",
            on_edit=save_text,
        )
        st.session_state.comparison = comparison
        st.session_state.reference = comparison.reference


@st.fragment
def _numbers() -> None:
    """Show the numbers of the text as it is when the typing rests, so that no key waits for them."""
    rest_signal("compare rest")
    comparison: Comparison | None = st.session_state.get("comparison")
    if comparison is not None:
        with errors_in_words():
            numbers(comparison)
