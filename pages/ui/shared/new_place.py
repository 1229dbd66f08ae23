"""Where a page stands when it shows something else."""

import streamlit as st

from pages.ui.shared.components import Component


def scroll_to_top_of_new_place(place: str, style: str, *, answer: str = "") -> None:
    """Scroll the page to its top if `place` has changed; the same component brings the page's style sheet, `style`.

    answer: the key of the container with the question and the answer that was opened last, which then comes into view.
    """
    with st.container(key="unseen_top"):
        Component("new_place", page_style=style).show(key="new_place", data={"place": place, "answer": answer})
