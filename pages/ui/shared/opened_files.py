"""The text files opened in this session: those to train on and those of Compare's corpus; each page offers the other's.

A file that is taken over as plain text, whatever it was, has the ending .txt added to its name.
"""

from collections.abc import Callable, Collection, Mapping

import streamlit as st


def training_files() -> dict[str, bytes]:
    """Return the files to train on by their names, in the order in which they were opened."""
    return st.session_state.setdefault("training_files", {})


def corpus_files() -> dict[str, str]:
    """Return the texts of Compare's corpus by the names of their files, in the order in which they were opened."""
    return st.session_state.setdefault("corpus_files", {})


def is_among(name: str, names: Collection[str]) -> bool:
    """Return whether a file is there, under its name or the one it has as plain text.

    >>> is_among("a.md", ["a.md.txt"]), is_among("a.md.txt", ["a.md"]), is_among("a.txt", ["b.txt"])
    (True, True, False)
    """
    return not {name, f"{name}.txt", name.removesuffix(".txt")}.isdisjoint(names)


def offer_files(page: str, sizes: Mapping[str, int], *, take: Callable[[], None]) -> None:
    """Show a button that takes the files opened on another page, if there are any; sizes: bytes by names."""
    if sizes:
        st.button(f"Use the files opened on {page} ({in_words(sizes)})", on_click=take, key=f"_use_files_of {page}")


def in_words(sizes: Mapping[str, int]) -> str:
    """Return how many files there are, and their size.

    >>> in_words({"a.txt": 1_240_000, "b.txt": 900_000}), in_words({"a.txt": 2_345})
    ('2 files, 2.1 MB', '1 file, 2 kB')
    """
    total = sum(sizes.values())
    size = f"{total / 1e6:.1f} MB" if total >= 1e6 else f"{total / 1e3:.0f} kB" if total >= 1e3 else f"{total} bytes"
    return f"{len(sizes)} file{'s' * (len(sizes) != 1)}, {size}"
