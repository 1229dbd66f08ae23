"""The frame of every page: page settings, navigation, title, and what the tab remembers."""

from urllib.parse import urlsplit

import streamlit as st

from pages.ui.frame.opened_link import take_link
from pages.ui.frame.tab_memory import remember
from pages.ui.merges.time_machine import take_step
from pages.ui.session_tokenizers.open_tokenizer import take_up_opened
from pages.ui.shared.buttons import forget_press_of_another_page
from pages.ui.shared.messages import show_error
from pages.ui.shared.text import shared_text
from pages.ui.train.run import take_up_training

# Streamlit shades a focused link just like the link of the current page, and writes on primary buttons and on the tags
# of a selection in white, a contrast of 2:1 in the dark theme. The ring has 3:1 or more in both themes.
LEGIBLE = """<style>
[data-testid^=stPageLink] a:focus-visible { outline: 2px solid #0f8a83; outline-offset: -2px; }
[data-testid=stBaseButton-primary]:not(:disabled),
[data-testid=stMultiSelect] [data-tag] { color: light-dark(#ffffff, #0b1614); }
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

LOOPBACK = ("127.0.0.1", "localhost", "::1")
WHERE_IT_RUNS = "Runs on this computer. Nothing you type leaves it."
WHERE_IT_IS_SERVED = "What you type goes to the computer that serves this page, and no further."


def frame(title: str, intro: str) -> None:
    """Begin a page: settings, navigation, title, and a line on what to see and try."""
    begin(title)
    navigation()
    st.title(title)
    st.caption(intro)
    say_problem()


def begin(title: str) -> None:
    """Set up a page before it shows anything: take its link, a training that has ended, and what was opened."""
    st.set_page_config(page_title=f"{title} · tokviz", page_icon="🧩", layout="wide")
    st.html(LEGIBLE)
    forget_press_of_another_page(title)
    take_step()
    take_link()
    take_up_training()
    take_up_opened()
    shared_text()
    st.session_state.pop("lesson_link", None)  # pressed in a lesson that was then left another way


def navigation() -> None:
    """Show the sidebar: the pages."""
    with st.sidebar:
        st.markdown("### tokviz")
        for path, label, icon in PAGES:
            st.page_link(path, label=label, icon=icon)
        st.caption(WHERE_IT_RUNS if _runs_here() else WHERE_IT_IS_SERVED)
        remember()


def _runs_here() -> bool:
    """Return whether browser and server are one computer; behind a proxy only the browser's address tells."""
    host = urlsplit(st.context.url or "").hostname
    return st.get_option("server.address") in LOOPBACK and host in (None, *LOOPBACK)


def say_problem() -> None:
    """Say what went wrong before this run, if anything did."""
    if problem := st.session_state.pop("problem", None):
        show_error(problem)
