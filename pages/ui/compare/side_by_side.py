"""The section "Side by side" of the compare page: one text under several tokenizers."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.compare.compare_view import compare_view
from pages.ui.compare.numbers import numbers
from pages.ui.session_tokenizers.tokenizer_list import tokenizer_named
from pages.ui.shared.messages import show_errors
from pages.ui.shared.options import option_value
from pages.ui.shared.text import sample_picker


def side_by_side(names: Sequence[str]) -> None:
    """Show the text under tokenizers of this session, and their numbers once the typing rests."""
    sample_picker()
    _compared(names)


@st.fragment
def _compared(names: Sequence[str]) -> None:
    """Show the text, its tokens and their numbers, and any errors, since a fragment runs alone."""
    with show_errors():
        comparison = compare_view(
            {name: tokenizer_named(name) for name in names},
            key="compare",
            reference=option_value("reference"),
            on_reference=lambda name: st.session_state.update(reference=name, reference_changed=True),
        )
        if st.session_state.pop("reference_changed", False):
            st.rerun()  # the whole page, which tells the tab what to keep
        numbers(comparison)
