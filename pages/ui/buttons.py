"""Buttons whose press is not lost."""

from typing import Any

import streamlit as st


def pressed(label: str, **options: Any) -> bool:
    """Show a button, and return whether it was pressed.

    A press whose run is cut short before it comes here is told to the next run; `st.button` would forget it. Where a
    callback can do all that is asked, give one to `st.button` instead.
    """
    name = f"pressed {label}"
    st.button(label, key=f"_{label}", on_click=_note, args=(name,), **options)
    return st.session_state.pop(name, False)


def _note(name: str) -> None:
    st.session_state[name] = True
