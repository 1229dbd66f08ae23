"""Buttons whose press is not lost."""

from typing import Any

import streamlit as st

NOTED = "pressed"


def pressed(label: str, **options: Any) -> bool:
    """Show a button, and return whether it was pressed.

    A press whose run is cut short before it comes here is told to the next run; `st.button` would forget it. Where a
    callback can do all that is asked, give one to `st.button` instead.
    """
    st.button(label, key=f"_{label}", on_click=_note, args=(label,), **options)
    if st.session_state.get(NOTED) != label:
        return False
    del st.session_state[NOTED]
    return not options.get("disabled")


def _note(label: str) -> None:
    st.session_state[NOTED] = label


def forget_press_of_another_page(page: str) -> None:
    """Forget a press that was noted on a page which was left."""
    if st.session_state.get("page") != page:
        st.session_state.pop(NOTED, None)
    st.session_state.page = page
