"""Split patterns at work: pretokens, underlined by what cut them, and each alternative with a switch.

The component in `assets/cuts` draws what the server's view tells it; no script runs for a key. Switched-off
alternatives are kept as regular expressions, so that they stay off in any pattern that has them.
"""

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pages.ui.options import option_value, show_pattern_picker
from pages.ui.shared.components import Component
from pages.ui.shared.messages import show_errors
from tokviz import SPLIT_PATTERNS
from tokviz.core.pretokens import pretokens, well_formed_text
from tokviz.live.views.cuts_view import CHARACTERS_MAX, CutsView
from tokviz.text.alternatives import alternatives, pattern_without

CUTS = Component("cuts", ("token_view", "cuts"))
KEY = "cuts"  # of the view
NAMED = [name for name in SPLIT_PATTERNS if name != "none"]


def show_pattern_section() -> None:
    """Show the picker of a split pattern, the shared text as it cuts it, and the remaining pattern to copy."""
    picker, own = st.columns(2, vertical_alignment="bottom")
    pattern = show_pattern_picker("cut_pattern", NAMED, picker.selectbox, own.text_area)
    takes = {"message": partial(_keep_switches_if_pattern_unchanged, pattern)}
    with show_errors():  # of a pattern that does not compile; the view reports one that does not end
        off = switched_off_alternative_numbers(pattern)
        # Its text comes with the editor, where the tab may keep another.
        CUTS.show_view(KEY, CutsView, "text", pattern, off=tuple(off), tells_ahead=False, takes=takes)
        if off:
            st.caption("The pattern without the alternatives you switched off:")
            st.code(pattern_without(pattern, off), language=None, wrap_lines=True)


def switched_off_alternative_numbers(pattern: str) -> list[int]:
    """Return the numbers of the alternatives of a pattern that are switched off in this session."""
    off = set(option_value("cut_off"))
    return [i for i, alternative in enumerate(alternatives(pattern)) if alternative.regex in off]


def pretoken_figures_of_beginning(text: str) -> pd.DataFrame:
    """Return how many pretokens each named pattern makes of the beginning of a text."""
    text = well_formed_text(text[:CHARACTERS_MAX])
    found = {name: pretokens(text, name) for name in NAMED}
    return pd.DataFrame(
        {
            "split pattern": NAMED,
            "pretokens": [len(each) for each in found.values()],
            "distinct": [len(set(each)) for each in found.values()],
            "characters in the longest": [max(map(len, each), default=0) for each in found.values()],
        }
    )


def _keep_switches_if_pattern_unchanged(pattern: str, message: dict[str, Any]) -> None:
    """Take the switches as the browser has them, before the page runs."""
    if message.get("pattern") != pattern:
        return
    offered = [alternative.regex for alternative in alternatives(pattern)]
    others = [regex for regex in option_value("cut_off") if regex not in offered]
    st.session_state.cut_off = others + [regex for i, regex in enumerate(offered) if i in message["off"]]
