"""The frame of every page: page settings, navigation, title, and what the tab remembers."""

import streamlit as st

from pages.ui.tab import remember, take_link
from pages.ui.text import shared_text
from pages.ui.words import complain

PAGES = (
    ("app.py", "Playground", ":material/edit_note:"),
    ("pages/train.py", "Train", ":material/model_training:"),
    ("pages/merges.py", "Merges", ":material/merge:"),
    ("pages/compare.py", "Compare", ":material/compare:"),
    ("pages/languages.py", "Languages", ":material/translate:"),
    ("pages/bytes.py", "Bytes & patterns", ":material/data_array:"),
    ("pages/vocabulary.py", "Vocabulary", ":material/dictionary:"),
)


def frame(title: str, intro: str) -> None:
    """Begin a page: settings, navigation, title, and one line on what to see and to try."""
    st.set_page_config(page_title=f"{title} · tokviz", page_icon="🧩", layout="wide")
    take_link()
    shared_text()
    with st.sidebar:
        st.markdown("### tokviz")
        for path, label, icon in PAGES:
            st.page_link(path, label=label, icon=icon)
        st.caption("Runs on this computer. Nothing you type leaves it.")
        remember()
    st.title(title)
    st.caption(intro)
    if problem := st.session_state.pop("problem", None):
        complain(problem)
