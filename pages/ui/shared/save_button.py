"""The button that saves what a page shows as one HTML file, which needs no server."""

from collections.abc import Callable
from typing import Any

from pages.ui.shared.buttons import show_file_button
from pages.ui.shared.live import function_for_session

HELP = (
    "One HTML file that opens from the disk or inside a course page, without a server or a network: it moves "
    "and answers as it does here."
)


def show_save_button(make: Callable[[], str], file_name: str, **look: Any) -> None:
    """Show the button; `make` returns the page when it is pressed, or raises ValueError, and runs without a session."""

    def page_or_error_bytes() -> bytes:
        """Return the file of the page, or in it why there is none."""
        try:
            return make().encode()
        except ValueError as e:
            return f"{e}\n".encode()

    show_file_button(
        "Save as a page",
        function_for_session(page_or_error_bytes),
        file_name,
        mime="text/html",
        icon=":material/save:",
        help=HELP,
        **look,
    )
