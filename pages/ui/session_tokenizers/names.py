"""The names of the tokenizers of this session, each in a field where it can be changed."""

import streamlit as st

from pages.ui.options import option_value, reset_widget, set_option, widget_key
from pages.ui.session_tokenizers.tokenizer_list import NAMING, kept_tokenizers, with_other_names
from pages.ui.shared.messages import keep_notice
from tokviz.formats.pretrained import ENCODINGS
from tokviz.records.origin import NAME_MAX
from tokviz.records.session_tokenizer import clean_name, free_name

NAMING_STATE = ("opened_last", "opening", "trained_name")  # of the session, besides the options


def show_names_to_change() -> None:
    """Show the tokenizers of this session, the newest first, each with its name in a field."""
    st.caption("Trained or opened here. Change a name, and all pages, links and downloads have the new one.")
    for name, each in reversed(kept_tokenizers().items()):
        key = widget_key(f"name of {name}")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text_input("Name", name, NAME_MAX, key=key, on_change=_rename_as_typed, args=(name, key),
                          label_visibility="collapsed")  # fmt: skip
            st.text(f"{each.tokenizer.n_vocab:,} ids", width="content")


def _rename_as_typed(name: str, key: str) -> None:
    """Take the name that was typed; if it cannot be one, show the old one again."""
    new_name = clean_name(st.session_state[key])
    reset_widget(f"name of {name}")
    if new_name and name in kept_tokenizers():
        try:
            rename_tokenizer(name, new_name)
        except ValueError as e:
            keep_notice(f"{e}.")


def rename_tokenizer(name: str, new_name: str) -> None:
    """Give a tokenizer of this session another name, with a number if that is taken, wherever it is named.

    Raises ValueError if its file cannot be read again.
    """
    here = kept_tokenizers()
    renamed = here[name].with_name(free_name(new_name, {*ENCODINGS, *here} - {name}))
    names = {name: renamed.name}
    listed = {names.get(each, each): renamed if each == name else kept for each, kept in here.items()}
    here.clear()
    here.update(listed)
    for key in NAMING:
        value = option_value(key)
        if (other := with_other_names(value, names)) != value:
            set_option(key, other)
    for key in NAMING_STATE:
        if st.session_state.get(key) == name:
            st.session_state[key] = renamed.name
