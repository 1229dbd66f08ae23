"""The same text under two or more tokenizers, in sight and in numbers; and files, and smaller vocabularies."""

import streamlit as st

from pages.ui.buttons import dialog_button
from pages.ui.corpus import corpus
from pages.ui.frame import frame
from pages.ui.kept import kept, kept_value
from pages.ui.link import show_link
from pages.ui.open_tokenizer import open_tokenizer
from pages.ui.shelf import MOST_COMPARED, shelf, shelf_label
from pages.ui.side_by_side import side_by_side
from pages.ui.text import shared_text
from pages.ui.vocabulary_size import vocabulary_size

VIEWS = {"Side by side": side_by_side, "Vocabulary size": vocabulary_size, "Corpus": corpus}


def share() -> None:
    """Show a link to this comparison."""
    options = {key: kept_value(key) for key in ("compared", "compare_view", "reference")}
    show_link("the text and the view", options=options, text=shared_text())


frame(
    "Compare",
    "One text under several tokenizers: point at a token to see the others at the same place. What they cut "
    "differently is underlined.",
)
names = kept("compared", st.multiselect, "Tokenizers", options=shelf(), max_selections=MOST_COMPARED,
             format_func=shelf_label)  # fmt: skip
with st.container(horizontal=True, vertical_alignment="center"):
    open_tokenizer()
    dialog_button("Share", share, title="Share", icon=":material/share:")
    view = kept("compare_view", st.segmented_control, "View", options=list(VIEWS), required=True,
                label_visibility="collapsed")  # fmt: skip
if len(names) < 2:
    st.info("Choose two tokenizers or more.")
else:
    VIEWS[view](names)
