"""Share a step: a link that opens the merges page with the same text, tokenizer and number of merges."""

import streamlit as st

from pages.ui.kept import kept_value
from pages.ui.shelf import chosen_name
from pages.ui.tab import link
from pages.ui.text import shared_text
from pages.ui.words import errors_in_words


def share_step() -> None:
    """Show the button."""
    if st.button("Share", icon=":material/share:", width="stretch"):
        _show_link()


@st.dialog("Share this step")
def _show_link() -> None:
    """Show a link to the step that stands now."""
    with errors_in_words():
        options = {"tokenizer": chosen_name(), "step": kept_value("step")}
        address = link(options=options, text=shared_text())
        st.caption(
            "The link itself holds the text, the step, and the tokenizer if it was trained here; nothing is stored "
            "anywhere. To open it on another computer, put the address of a tokviz that runs there in place of the "
            "beginning."
        )
        st.code(address, language=None, wrap_lines=True, height=200 if len(address) > 600 else "content")
