"""Trim a vocabulary to the shared text: what is left of it, as a tokenizer of the list, and the map of the ids."""

from collections.abc import Collection

import streamlit as st

from pages.ui.session_tokenizers.tokenizer_list import add_and_choose_tokenizer, tokenizer_names
from pages.ui.shared.buttons import show_dialog_button, show_file_button
from pages.ui.shared.live import chosen_look
from pages.ui.shared.messages import keep_errors, show_errors
from pages.ui.shared.text import shared_text
from tokviz import AnyTokenizer, Tokenizer, Trimmed, trim
from tokviz.formats.files import tokenizer_file_text
from tokviz.formats.tiktoken import ranks_text
from tokviz.records.origin import NAME_MAX
from tokviz.records.session_tokenizer import kept_from_file
from tokviz.system.recent import recent
from tokviz.training.trim import id_map_csv

CHARACTERS_MAX = 5_000_000  # counting the pretokens of this many takes some seconds
TITLE = "Trim to your text"
KEEPS = (
    "This keeps single bytes, the characters in use, the special tokens, and every token that a merge makes in your "
    "text. Your text has the same tokens as before, under new ids; another text may have more."
)
ENDING = " trimmed"  # of the name


def show_trim_button_if_trimmable(tokenizer: AnyTokenizer) -> None:
    """Show the button that opens the dialog; only BPE whose merges are known can be trimmed."""
    if isinstance(tokenizer, Tokenizer):
        show_dialog_button(
            TITLE,
            lambda: _show_trim_result(tokenizer),
            title=TITLE,
            icon=":material/content_cut:",
            type="tertiary",
            help="Keep only the tokens that your text needs.",
        )


def _show_trim_result(tokenizer: Tokenizer) -> None:
    """Show what trimming leaves, and where to go with it."""
    with show_errors():
        text = shared_text()
        if not text:
            raise ValueError("There is no text to trim to: switch on “Count in a text”, and paste one.")
        if len(text) > CHARACTERS_MAX:
            raise ValueError(
                f"The text has {len(text):,} characters; this page trims to at most {CHARACTERS_MAX:,}. The command "
                "line takes any number: tokviz trim."
            )
        with st.spinner("Trimming…", show_time=True):
            trimmed = _trimmed_to_text(tokenizer, text, chosen_look().allowed_special)
        before, after = st.columns(2)
        before.metric("Tokens before", f"{len(tokenizer.ordinary_tokens) + len(tokenizer.special_tokens):,}")
        after.metric("Tokens after", f"{len(trimmed.ids):,}")
        st.caption(KEEPS)
        with st.container(horizontal=True, gap="small"):
            if st.button(
                "Add it to the list", type="primary", on_click=_add_if_new_and_choose, args=(trimmed.tokenizer,)
            ):
                st.rerun()
            ids = trimmed.ids
            show_file_button("New ids as CSV", lambda: id_map_csv(tokenizer, ids).encode("utf-8-sig"), "ids.csv")


@recent(maxsize=4)
def _trimmed_to_text(tokenizer: Tokenizer, text: str, allowed_special: str | Collection[str]) -> Trimmed:
    """Return a vocabulary trimmed to a text."""
    name = tokenizer.name[: NAME_MAX - len(ENDING)] + ENDING
    return trim(tokenizer, text, allowed_special=allowed_special, name=name)


def _add_if_new_and_choose(trimmed: Tokenizer) -> None:
    """Add the trimmed tokenizer to the list and choose it; if it is there already, only choose it."""
    with keep_errors():
        if trimmed.always_special:  # which ranks alone cannot say
            data = tokenizer_file_text(trimmed, ".json").encode()
            opened = kept_from_file(data, f"{trimmed.name}.json", taken=tokenizer_names())
        else:
            opened = kept_from_file(
                ranks_text(trimmed.mergeable_ranks).encode(), f"{trimmed.name}.tiktoken", taken=tokenizer_names(),
                split_pattern=trimmed.split_pattern, special_tokens=trimmed.special_tokens,
            )  # fmt: skip
        add_and_choose_tokenizer(opened)
