"""Buttons that lose no press."""

from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

NOTED = "pressed"
OPEN = "dialog"


def pressed(label: str, **options: Any) -> bool:
    """Show a button, and return whether it was pressed.

    If a run is cut short before it gets here, the next run learns of the press; `st.button` would forget it. If a
    callback can do the work, give one to `st.button` instead.
    """
    st.button(label, key=f"_{label}", on_click=_note, args=(label,), **options)
    if st.session_state.get(NOTED) != label:
        return False
    del st.session_state[NOTED]
    return not options.get("disabled")


def _note(label: str) -> None:
    st.session_state[NOTED] = label


def dialog_button(
    label: str, show: Callable[[], None], *, title: str, size: Literal["small", "large"] = "small", **options: Any
) -> None:
    """Show a button that opens a dialog with what `show` shows, through all runs until the user closes it."""
    st.button(label, key=f"_{label}", on_click=_open, args=(label,), **options)
    if st.session_state.get(OPEN) == label and not options.get("disabled"):
        st.dialog(title, width=size, on_dismiss=_close)(show)()


def _open(label: str) -> None:
    st.session_state[OPEN] = label


def _close() -> None:
    st.session_state.pop(OPEN, None)


def forget_press_of_another_page(page: str) -> None:
    """Forget a press noted, and a dialog opened, on a page that has been left."""
    if st.session_state.get("page") != page:
        st.session_state.pop(NOTED, None)
        _close()
    st.session_state.page = page
