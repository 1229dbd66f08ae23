"""Buttons that lose no press, and those that download a file, or what a page shows as one that needs no server."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import streamlit as st

from pages.ui.options import reset_widget
from pages.ui.shared.live import live_session
from tokviz.system import sandbox
from tokviz.system.child_turns import Client, Task

NOTED = "pressed"
SAVED = (
    "One HTML file that opens from the disk or inside a course page, without a server or a network: it moves "
    "and answers as it does here."
)


def show_button(label: str, *, menu: str = "", **options: Any) -> bool:
    """Show a button, and return whether it was pressed.

    menu: the name, in `widget_key`, of a popover around it, which a press closes.

    If a run is cut short before it gets here, the next run learns of the press; `st.button` would forget it. If a
    callback can do the work, give one to `st.button` instead.
    """
    st.button(label, key=f"press {label}", on_click=_keep_press_and_close_menu, args=(label, menu), **options)
    if st.session_state.get(NOTED) != label:
        return False
    del st.session_state[NOTED]
    return not options.get("disabled")


def _keep_press_and_close_menu(label: str, menu: str) -> None:
    """Keep that a button was pressed, for the next run, and close its menu."""
    st.session_state[NOTED] = label
    if menu:
        reset_widget(menu)


def show_dialog_button(
    label: str, show: Callable[[], None], *, title: str, size: Literal["small", "large"] = "small", **options: Any
) -> None:
    """Show a button that opens a dialog with what `show` shows; `options` as in `show_button`."""
    if show_button(label, **options):
        st.dialog(title, width=size)(show)()


def show_file_button(label: str, data: bytes | str | Callable[[], bytes | str], file_name: str, **look: Any) -> None:
    """Show a button that downloads a file, without another run of the page.

    A function makes it when the button is pressed, for this session, but in a thread where no script runs. Of a
    ValueError, the file has the words.
    """
    made = partial(_file_or_error, data, live_session().client) if callable(data) else data
    look = {"icon": ":material/download:", **look}
    st.download_button(label, made, file_name=file_name, on_click="ignore", **look)


def _file_or_error(make: Callable[[], bytes | str], client: Client) -> bytes | str:
    """Return the file that is made for a session, or in it why there is none."""
    try:
        with sandbox.as_task(Task(client)):
            return make()
    except ValueError as e:
        return f"{e}\n"


def show_save_button(make: Callable[[], str], file_name: str, **look: Any) -> None:
    """Show the button that saves what the page shows as one HTML file; `make` makes it as in `show_file_button`."""
    look = {"mime": "text/html", "icon": ":material/save:", "help": SAVED, **look}
    show_file_button("Save as a page", make, file_name, **look)


def forget_press_of_another_page(page: str) -> None:
    """Forget a press noted on a page that has been left."""
    if st.session_state.get("page") != page:
        st.session_state.pop(NOTED, None)
