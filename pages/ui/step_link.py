"""Share a step: a link that opens the merges page with the same text, tokenizer and number of merges."""

import streamlit as st

from pages.ui.kept import kept_value
from pages.ui.link import show_link
from pages.ui.shelf import chosen_name
from pages.ui.text import shared_text
from pages.ui.time_machine import take_step


def share_step() -> None:
    """Show the button."""
    if st.button("Share", icon=":material/share:", width="stretch"):
        _show_link()


@st.dialog("Share this step")
def _show_link() -> None:
    """Show a link to the step that stands now."""
    take_step()
    options = {"tokenizer": chosen_name()} | {name: kept_value(name) for name in ("step", "allow_special")}
    show_link("the text and the step", options=options, text=shared_text())
