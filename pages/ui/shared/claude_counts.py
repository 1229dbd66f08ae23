"""The choice of counts of Claude, which pages show beside tokenizers where the package that makes them is installed."""

from typing import Any

import streamlit as st

from pages.ui.options import option_value_among, show_option_widget
from tokviz.formats.claude import RECONSTRUCTED, claude_names


def chosen_claude_names() -> list[str]:
    """Return the names of the counts of Claude that the user has chosen."""
    return option_value_among("claude_counts", claude_names())


def show_claude_picker(**look: Any) -> None:
    """Show the choice, if there is any, and say what the counts are once one is chosen."""
    names = claude_names()
    look |= {"options": names, "selection_mode": "multi", "label_visibility": "collapsed"}
    if names and show_option_widget("claude_counts", st.pills, "Claude", **look):
        st.caption(RECONSTRUCTED)
