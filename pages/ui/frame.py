"""The frame of every page: page settings, navigation, title, and what the tab remembers."""

import streamlit as st

from pages.ui.link import take_link
from pages.ui.tab import remember
from pages.ui.text import shared_text
from pages.ui.words import complain

# Streamlit shades a link in focus just as the link of the current page, and writes on a primary button in white,
# which in the dark theme is 2:1. The ring is 3:1 or more in both themes.
LEGIBLE = """<style>
[data-testid^=stPageLink] a:focus-visible { outline: 2px solid #0f8a83; outline-offset: -2px; }
[data-testid=stBaseButton-primary]:not(:disabled) { color: light-dark(#ffffff, #0b1614); }
</style>"""
PAGES = (
    ("app.py", "Playground", ":material/edit_note:"),
    ("pages/train.py", "Train", ":material/model_training:"),
    ("pages/merges.py", "Merges", ":material/merge:"),
    ("pages/compare.py", "Compare", ":material/compare:"),
    ("pages/languages.py", "Languages", ":material/translate:"),
    ("pages/bytes.py", "Bytes & patterns", ":material/data_array:"),
    ("pages/vocabulary.py", "Vocabulary", ":material/dictionary:"),
    ("pages/lessons.py", "Lessons", ":material/school:"),
)


def frame(title: str, intro: str) -> None:
    """Begin a page: settings, navigation, title, and one line on what to see and to try."""
    begin(title)
    navigation()
    st.title(title)
    st.caption(intro)
    say_problem()


def begin(title: str) -> None:
    """Set up a page before anything is shown on it, and take the link that may have opened it."""
    st.set_page_config(page_title=f"{title} · tokviz", page_icon="🧩", layout="wide")
    st.html(LEGIBLE)
    take_link()
    shared_text()


def navigation() -> None:
    """Show the sidebar: the pages."""
    with st.sidebar:
        st.markdown("### tokviz")
        for path, label, icon in PAGES:
            st.page_link(path, label=label, icon=icon)
        st.caption("Runs on this computer. Nothing you type leaves it.")
        remember()


def say_problem() -> None:
    """Say what went wrong before this run, if anything did."""
    if problem := st.session_state.pop("problem", None):
        complain(problem)
