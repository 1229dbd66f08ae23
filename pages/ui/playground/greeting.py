"""What the playground says to somebody who is here for the first time: a headline, a definition, and where to go."""

import streamlit as st

from pages.ui.lessons.lesson import lesson_link
from pages.ui.options import option_value, set_option
from pages.ui.pages import LEARN, MERGES, TRAIN
from pages.ui.shared.text import where_it_runs
from tokviz.lessons import what_is_a_token

DOORS = {MERGES: "Watch merges happen", TRAIN: "Choose or train a tokenizer"}


def greets() -> bool:
    """Return whether the page greets: not once that was dismissed, nor where the page is presented."""
    return option_value("landing") and not option_value("presenting")


def headline() -> None:
    """Say what this is about, to somebody who is here for the first time."""
    with st.container(key="landing", horizontal=True, vertical_alignment="top"):
        with st.container(gap=None):
            st.header("Language models don’t read letters. They read tokens.", anchor=False)
            st.markdown(
                "A token is a piece of text with a number: a word, a part of a word, a space, sometimes a few bytes. "
                "Each block at the right is one. Change the text and watch."
            )
        st.button("Dismiss", icon=":material/close:", type="tertiary", on_click=set_option, args=("landing", False))


def doors() -> None:
    """Show where to go from here."""
    with st.container(key="doors", horizontal=True, vertical_alignment="center", gap="small"):
        lesson_link(what_is_a_token.LESSON, "New here? Start with a lesson", icon=LEARN.icon)
        for page, label in DOORS.items():
            st.page_link(page.script, label=label, icon=page.icon)
        st.caption(where_it_runs(), width="stretch", text_alignment="right")
