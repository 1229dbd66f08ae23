"""A note on figures that flatter: a tokenizer measured on the text it was trained on."""

from collections.abc import Iterable

import streamlit as st

from pages.ui.session_tokenizers.tokenizer_list import trained_tokenizers


def say_own_text(names: Iterable[str], text: str) -> None:
    """Say which of these tokenizers were trained on this very text, if any was."""
    known = [name for name in names if knows(name, text)]
    if known:
        st.text(f"On its own training text: {', '.join(known)}. On any other text, expect more tokens.")


def knows(name: str, text: str | bytes) -> bool:
    """Return whether the tokenizer of this name was trained here, on this text or the file with these bytes."""
    trained = trained_tokenizers().get(name)
    return trained is not None and trained.knows(text)
