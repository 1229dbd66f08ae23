"""How a page shows errors.

User text and tokens are shown as plain text only; markdown in them would be rendered, and its images fetched.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

FAILED = "That did not work"
SORRY = (
    "Something went wrong here. Your text is safe: reload the page to continue. If it happens again, try another "
    "text or tokenizer; the server's log has the details."
)


def show_error(message: object, *, title: str = FAILED) -> None:
    """Show an error in words; the message may quote the user's text, so it is shown as plain text."""
    st.error(title)
    st.code(str(message), language=None, wrap_lines=True)


def keep_notice(words: str) -> None:
    """Keep a line for the next run of the page to show above all else; the run after that is without it."""
    st.session_state.told = words


def show_kept_notice_if_any() -> None:
    """Show the line that was kept, if one was; it may quote the user's text, so it is plain text."""
    if words := st.session_state.pop("told", None):
        with st.container(key="told"):
            st.text(words)


@contextmanager
def keep_errors(key: str = "problem") -> Iterator[None]:
    """Keep an error from inside for the next run of the page to show; for callbacks, which show nothing.

    key: of the session's state; by default the frame shows it, above the page.
    """
    try:
        yield
    except (ValueError, OSError) as e:
        st.session_state[key] = str(e)


@contextmanager
def show_errors(title: str = FAILED) -> Iterator[None]:
    """Show in words what goes wrong inside, instead of a stack trace."""
    try:
        yield
    except (ValueError, OSError) as e:
        show_error(e, title=title)
    except KeyError as e:
        show_error(e.args[0] if e.args else e, title=title)


def show_unexpected_error_notice(_error: Exception) -> bool:
    """Say that an unexpected error came; the server's log has its trace. True stops Streamlit's own words."""
    st.error(SORRY, icon=":material/error:")
    return True
