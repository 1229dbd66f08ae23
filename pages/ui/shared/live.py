"""The documents and views of this session, as its scripts reach them."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from tokviz.live.document import Document
from tokviz.live.session import LiveSession
from tokviz.system import sandbox
from tokviz.system.child_turns import Client, Task

R = TypeVar("R")


def live_session() -> LiveSession:
    """Return the documents and views of this session; only its state keeps them alive."""
    if "live" not in st.session_state:
        st.session_state.live = LiveSession()
    return st.session_state.live


def client_of_script() -> Client:
    """Return the client of a script's calls to child processes: its session."""
    return live_session().client


def for_session(make: Callable[[], R]) -> Callable[[], R]:
    """Return a function that does the same, for this session, where no script runs: in the thread of a download."""
    client = client_of_script()

    def made() -> R:
        with sandbox.as_task(Task(client)):
            return make()

    return made


def seen(name: str) -> list[int]:
    """Return which state of a document this run sees, as the browser counts: version and sequence."""
    state = document(name).state
    return [state.version, state.sequence]


def document(name: str, text: str = "") -> Document:
    """Return the document of this name; a new one has this text."""
    return live_session().document(name, text)
