"""The documents and views of this session, as its scripts reach them."""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.options import option_value
from tokviz.core.special_tokens import ALL_SPECIAL
from tokviz.live.document import Document
from tokviz.live.look import Look
from tokviz.live.session import LiveSession
from tokviz.system import sandbox

LONGEST_WAIT = 1.0  # seconds for which `await_view` waits

is_served = False  # whether a server shows the views, to browsers that open sockets


def set_up_for_serving() -> None:
    """Have scripts make first replies and wait for browsers, and call child processes for their sessions."""
    global is_served
    is_served = True
    sandbox.default_client = lambda: live_session().client


def live_session() -> LiveSession:
    """Return the documents and views of this session; only its state keeps them alive."""
    if "live" not in st.session_state:
        st.session_state.live = LiveSession()
    return st.session_state.live


def view_component_data(
    name: str | None, document: str | None = None, *, tells_ahead: bool = True, **more: Any
) -> dict[str, Any]:
    """Return what the component of a live view is told, which is its first reply too until the page has a socket.

    name: None for a component that shows no view. tells_ahead: whether it takes a first reply. more: what only this
    component is told. Where no server shows the view, no socket follows, and nothing is told ahead.
    """
    session = live_session()
    ahead = session.first_messages_if_quick(name, document) if name and tells_ahead and is_served else []
    return {"token": session.token, "view": name, "document": document, "ahead": ahead, **more}


def await_view(name: str) -> None:
    """Wait until the browser has painted the view of this name, so that what else the page shows comes after it.

    Drawing all of a page at once keeps the browser busy for longer than it takes to show what the page is about.
    """
    live_session().is_shown(name, wait=LONGEST_WAIT if is_served else 0.0)


def reserve_container(key: str, **look: Any) -> DeltaGenerator:
    """Return a container to be filled after `await_view`; its style has to give it its height from the first."""
    place = st.container(key=key, **look)
    place.empty()  # without which it would not be on the page
    return place


def reserve_row(key: str) -> DeltaGenerator:
    """Return a row to be filled after `await_view`."""
    return reserve_container(key, horizontal=True, vertical_alignment="center", gap="small")


def reserve_two_rows(key: str) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return two rows to be filled after `await_view`, for what is chosen and how to look at it.

    They are beside each other or one below the other, by the width of the page alone; each is as high as a control.
    """
    with st.container(key=f"rows-{key}", horizontal=True, gap="small"):
        return reserve_row("choice-row"), reserve_row("look-row")


def page_look(allowed_special: str | tuple[str, ...] = ()) -> Look:
    """Return how the pages look at texts, with these special tokens recognised."""
    return Look(allowed_special, option_value("finds_hidden"))


def chosen_look() -> Look:
    """Return how the pages look at texts where the switch for special tokens counts."""
    return page_look(ALL_SPECIAL if option_value("allow_special") else ())


def document(name: str, text: str = "") -> Document:
    """Return the document of this name; a new one has this text."""
    return live_session().get_or_add_document(name, text)
