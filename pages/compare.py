"""The same text under two or more tokenizers, in sight and in numbers."""

import streamlit as st

from pages.ui.frame import frame
from pages.ui.kept import kept
from pages.ui.shelf import MOST_COMPARED, shelf
from pages.ui.side_by_side import side_by_side

VIEWS = {"Side by side": side_by_side}

frame(
    "Compare",
    "One text under several tokenizers: point at a token to see the others at the same place. What they cut "
    "differently is underlined.",
)
with st.container(horizontal=True, vertical_alignment="bottom"):
    names = kept("compared", st.multiselect, "Tokenizers", options=shelf(), max_selections=MOST_COMPARED)
    view = kept("compare_view", st.segmented_control, "View", options=list(VIEWS), required=True)
if len(names) < 2:
    st.info("Choose two tokenizers or more.")
else:
    VIEWS[view](names)
