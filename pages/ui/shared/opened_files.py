"""The text files opened in this session, one pile for all pages: Train learns from them, Compare counts them."""

from collections.abc import Collection
from itertools import count

import streamlit as st

FILES_MAX = 50
TOTAL_BYTES_MAX = 100_000_000  # of all files as they are; Train unpacks no more than this either
ALL = "all files"  # what Compare calls their sum; no file has this name


def opened_files() -> dict[str, bytes]:
    """Return the files by their names, in the order in which they were opened."""
    return st.session_state.setdefault("opened_files", {})


def add_file_under_free_name(given_name: str, data: bytes) -> str:
    """Add a file under its name, or that with a number, and return this; ValueError in words if there is no room."""
    files = opened_files()
    if len(files) >= FILES_MAX:
        raise ValueError(f"{given_name} was not added: you can open at most {FILES_MAX} files.")
    if sum(map(len, files.values())) + len(data) > TOTAL_BYTES_MAX:
        raise ValueError(
            f"{given_name} would bring the files to more than {TOTAL_BYTES_MAX:,} bytes. The command line takes "
            "any number: tokviz train."
        )
    name = free_file_name(given_name, {*files, ALL})
    files[name] = data
    return name


def free_file_name(name: str, taken: Collection[str]) -> str:
    """Return a free name for a file, with the same ending.

    >>> free_file_name("a.txt", ["a.txt"]), free_file_name("a.txt", [])
    ('(2) a.txt', 'a.txt')
    """
    return next(each for each in (name if n == 1 else f"({n}) {name}" for n in count(1)) if each not in taken)


def show_remove_files_button() -> None:
    """Show the button that forgets all files, on every page."""
    st.button("Remove all files", on_click=_remove_files, disabled=not opened_files())


def _remove_files() -> None:
    """Forget all files."""
    opened_files().clear()
    st.session_state.pop("corpus_readings", None)  # what Compare has read of them
