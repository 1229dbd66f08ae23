"""Open a tokenizer from a file, this computer or Hugging Face, or make one from the text on view; rename those listed.

An opened tokenizer joins the list, as a trained one does, and becomes the chosen one.
"""

import textwrap
from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.options import option_value, reset_widget, set_option, widget_key
from pages.ui.session_tokenizers.families_form import show_families_form
from pages.ui.session_tokenizers.file_opener import empty_tokenizer_file_opener, show_tokenizer_file_opener
from pages.ui.session_tokenizers.given_file import keep_given_file
from pages.ui.session_tokenizers.local_opener import may_open_local_files, show_local_opener_if_allowed
from pages.ui.session_tokenizers.tokenizer_list import (
    NAMING,
    add_and_choose_tokenizer,
    kept_tokenizers,
    run_again_with_opened_tokenizer,
    tokenizer_names,
    with_other_names,
)
from pages.ui.shared.buttons import show_button
from pages.ui.shared.messages import keep_notice, show_errors
from tokviz import Tokenizer
from tokviz.formats.library_tokenizer import LibraryTokenizer
from tokviz.formats.pretrained import ENCODINGS
from tokviz.formats.table import file_format_if_known
from tokviz.records.origin import NAME_MAX, FromFile
from tokviz.records.session_tokenizer import Kept, clean_name, free_name, kept_from_file
from tokviz.server.hub import fetch_tokenizer_file_from_hub, hub_is_on

BEGINNING = 20_000  # bytes of a file, by which its format is recognised
TEXT = "A text"  # a way to open what is no tokenizer
NORMALIZER_MAX = 60  # characters
NAMING_STATE = ("opened_last", "opening", "trained_name")  # of the session, besides the options that name tokenizers


def show_open_menu(*, text_opener: Callable[[], None] | None = None) -> None:
    """Show the menu that opens a tokenizer, or a text if there is an opener for it; then the page runs again."""
    # A popover with a new key is a new one, and closed, so that the page below it shows what was opened.
    with st.popover("Open", type="tertiary", key=widget_key("opener")):
        _show_openers({TEXT: text_opener} if text_opener else {})


def _show_openers(ways: dict[str, Callable[[], None]]) -> None:
    """Show these ways to open something, those to open a tokenizer, those of this session to rename, and the last."""
    ways["A tokenizer"] = show_tokenizer_file_opener
    if may_open_local_files():
        ways["Other programs"] = show_local_opener_if_allowed
    ways["From this text"] = show_families_form
    if hub_is_on():
        ways["Hugging Face"] = _show_repository_form_and_fetch
    if kept_tokenizers():
        ways["Rename"] = show_names_to_change
    first = next(iter(ways))
    if st.session_state.get("_open_way") not in ways:
        st.session_state["_open_way"] = first
    way = (
        st.segmented_control(
            "Open", options=list(ways), required=True, key="_open_way", label_visibility="collapsed",
            on_change=_forget_given_file_and_empty_opener,
        )
        or first  # where another page has just shown the control
    )  # fmt: skip
    ways[way]()
    if way != TEXT and (last := st.session_state.get("opened_last")):
        _show_last_opened_if_kept(last)


def _forget_given_file_and_empty_opener() -> None:
    """Forget a file that was given another way."""
    keep_given_file(None)
    empty_tokenizer_file_opener()


def _show_repository_form_and_fetch() -> None:
    """Ask for the name of a repository."""
    name = st.text_input("Repository", placeholder="openai-community/gpt2", key="_hub_name")
    st.caption("Fetches one public file from huggingface.co; nothing else is sent or requested.")
    if show_button("Fetch", type="primary") and name:
        with show_errors(), st.spinner("Fetching the tokenizer…", show_time=True):
            file_name, data = fetch_tokenizer_file_from_hub(name.strip())
            suffix = file_name.partition(".")[2]
            run_again_with_opened_tokenizer(
                kept_from_file(data, f"{name.strip().split('/')[-1]}.{suffix}", taken=tokenizer_names())
            )


def add_and_choose_opened_tokenizer_if_any() -> None:
    """Add the tokenizer that was just opened to the list and choose it; if it is there already, only choose it."""
    opened: Kept[Any] | None = st.session_state.get("just_opened")
    if opened is None:
        return
    name = add_and_choose_tokenizer(opened)
    st.session_state.opened_last = name
    set_option("landing", False)  # whoever opens a tokenizer has seen the greeting
    keep_notice(f"✓ {opened_tokenizer_summary(kept_tokenizers()[name])}")
    _forget_given_file_and_empty_opener()
    reset_widget("opener")
    st.session_state.just_opened = None


def opened_tokenizer_summary(opened: Kept[Any]) -> str:
    """Return in a line what was opened: name, family, vocabulary, special tokens, normalizer, and what the file is.

    >>> from tokviz.records.session_tokenizer import kept_tokens
    >>> opened_tokenizer_summary(kept_tokens("toy", "words", ["a", "b"]))
    'Now using toy: words, 3 ids, no special tokens.'
    """
    tokenizer = opened.tokenizer
    normalizer = tokenizer.normalizer.words() if isinstance(tokenizer, Tokenizer) else ""
    normalizer = tokenizer.normalizer if isinstance(tokenizer, LibraryTokenizer) else normalizer
    normalizer = textwrap.shorten(normalizer, NORMALIZER_MAX, placeholder="…")
    n_special = len(tokenizer.special_tokens)
    told = [
        tokenizer.kind,
        f"{tokenizer.n_vocab:,} ids",
        f"{n_special:,} special token{'s' * (n_special != 1)}" if n_special else "no special tokens",
    ]
    kind = file_format_if_known(opened.origin.data[:BEGINNING]) if isinstance(opened.origin, FromFile) else None
    normalized = f" Texts are normalized first: {normalizer}." if normalizer else ""
    recognised = f" Its file was recognised as {kind.name}." if kind else ""
    return f"Now using {tokenizer.name}: {', '.join(told)}.{normalized}{recognised}"


def _show_last_opened_if_kept(name: str) -> None:
    """Say what the tokenizer opened last is, and what it cannot do here."""
    opened = kept_tokenizers().get(name)
    if opened is None:
        return
    st.divider()
    st.text(f"Opened last: {name}")
    if not isinstance(opened.tokenizer, Tokenizer):
        st.text(f"It has tokens and ids, but no merges to show: {opened.tokenizer.reason}.")


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
    st.session_state.kept = {names.get(each, each): renamed if each == name else it for each, it in here.items()}
    for key in NAMING:
        value = option_value(key)
        if (other := with_other_names(value, names)) != value:
            set_option(key, other)
    for key in NAMING_STATE:
        if st.session_state.get(key) == name:
            st.session_state[key] = renamed.name
