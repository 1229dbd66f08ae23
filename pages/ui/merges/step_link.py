"""Share a step: a link that opens the merges page with the same text, tokenizer and number of merges."""

import streamlit as st

from pages.ui.merges.time_machine import take_step
from pages.ui.shared.options import option_value
from pages.ui.shared.text import shared_text
from pages.ui.tokenizers.share_link import show_link
from pages.ui.tokenizers.tokenizer_list import chosen_name


def share_step() -> None:
    """Show the button."""
    if st.button("Share", icon=":material/share:", width="stretch"):
        _show_link()


@st.dialog("Share this step")
def _show_link() -> None:
    """Show a link to the current step."""
    take_step()
    options = {"tokenizer": chosen_name()} | {name: option_value(name) for name in ("step", "allow_special")}
    show_link("the text and the step", options=options, text=shared_text())
