"""The section "Side by side" of the compare page: one text under several tokenizers."""

from collections.abc import Sequence

import streamlit as st

from pages.ui.compare.compare_view import compare_view
from pages.ui.compare.numbers import numbers
from pages.ui.options import option_value, set_option
from pages.ui.session_tokenizers.download import TITLE, download
from pages.ui.session_tokenizers.tokenizer_list import tokenizer_named
from pages.ui.shared.live import await_view, document
from pages.ui.shared.messages import show_errors
from pages.ui.shared.saved_page import save_as_page
from tokviz.display.page import columns_page


def side_by_side(names: Sequence[str]) -> None:
    """Show the text under tokenizers of this session, and their numbers once the typing rests."""
    _compared(names)
    if (name := st.session_state.pop("to_download", None)) in names:
        st.dialog(TITLE)(download)(tokenizer_named(name))


def save_columns(names: Sequence[str]) -> None:
    """Show the button that saves the text under tokenizers of this session as a page."""
    text, reference, finds_hidden = document("text"), option_value("reference"), option_value("finds_hidden")
    named = {name: tokenizer_named(name) for name in names}
    chosen = reference if reference in named else None
    save_as_page(
        lambda: columns_page(named, text.text, reference=chosen, finds_hidden=finds_hidden),
        "compare.html", type="tertiary",
    )  # fmt: skip


def _move(name: str, by: int) -> None:
    """Move a column by a number of places; the reference stays the same tokenizer."""
    names = list(option_value("compared"))
    if name not in names:
        return
    if option_value("reference") not in names:
        set_option("reference", names[0])
    at = names.index(name)
    names.insert(min(max(at + by, 0), len(names) - 1), names.pop(at))
    set_option("compared", names)
    st.session_state.columns_changed = True


@st.fragment
def _compared(names: Sequence[str]) -> None:
    """Show the text, its tokens and their numbers, and any errors, since a fragment runs alone."""
    with show_errors():
        comparison = compare_view(
            {name: tokenizer_named(name) for name in names},
            key="compare",
            reference=option_value("reference"),
            on_reference=lambda name: st.session_state.update(reference=name, columns_changed=True),
            on_order=_move,
            on_download=lambda name: st.session_state.update(to_download=name, columns_changed=True),
        )
        await_view("compare")
        if st.session_state.pop("columns_changed", False):
            st.rerun()  # the whole page, which tells the tab what to keep, and shows the dialog
        numbers(comparison)
