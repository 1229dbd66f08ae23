"""The button that saves what a page shows as one HTML file, which needs no server."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.shared.live import for_session

HELP = (
    "One HTML file that opens from the disk or inside a course page, without a server or a network: point, click, "
    "and move as you do here."
)


def save_as_page(make: Callable[[], str], file_name: str, **look: Any) -> None:
    """Show the button; `make` returns the page when it is pressed, or raises ValueError, and runs without a session."""

    def file() -> bytes:
        try:
            return make().encode()
        except ValueError as e:
            return f"{e}\n".encode()

    st.download_button(
        "Save as a page",
        for_session(file),
        file_name=file_name,
        mime="text/html",
        on_click="ignore",
        icon=":material/save:",
        help=HELP,
        **look,
    )
