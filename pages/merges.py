"""The time machine: a text at any step of a tokenizer's merges."""

import streamlit as st

from pages.ui.frame import frame
from pages.ui.replays import CLASSICAL, explain_the_tie, replay_picker
from pages.ui.shelf import special_tokens_toggle, tokenizer_picker, trained_here
from pages.ui.step_link import share_step
from pages.ui.text import QUICK_REST, file_opener, sample_picker, shared_text
from pages.ui.time_machine import time_machine
from pages.ui.token_view import text_editor
from pages.ui.words import errors_in_words
from tokviz import Tokenizer

CHARACTERS_MAX = 100_000

frame(
    "Merges",
    "A tokenizer begins with single bytes and joins the same pair of neighbours everywhere, merge after merge. "
    "Press English, then Play; or drag through the merges of GPT-4. Which pair do you think comes next?",
)
picker, replays = st.columns([2, 7])
with picker:
    tokenizer = tokenizer_picker()
    allow_special = special_tokens_toggle()
with replays, st.container(gap="xxsmall"):
    st.caption("Or train one now, and watch it learn from")
    replay_picker()


@st.fragment
def live() -> None:
    """Show the text to edit, and below it the time machine, which follows the typing."""
    editor, share = st.columns([5, 1])
    with share:
        share_step()
    with editor, st.expander("Change the text", icon=":material/edit:"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            sample_picker()
            file_opener()
        text_editor("text", key="merges text", height=160, rest=QUICK_REST)
    with st.container():  # which stands there always, so that the machine below keeps its place
        if shared_text() == CLASSICAL and tokenizer.name == f"from {CLASSICAL}":
            explain_the_tie()
    machine()


@st.fragment
def machine() -> None:
    """Show the time machine; errors too, since a fragment runs alone."""
    text = shared_text()
    if not isinstance(tokenizer, Tokenizer):
        st.info("The merges of this tokenizer are not known here: the time machine needs byte-level BPE.")
        st.text(f"{tokenizer.name}: {tokenizer.reason}.")
        return
    if not tokenizer.merge_tokens:
        st.info("This tokenizer has no merges: every token is one byte.")
        return
    if not text:
        st.info("There is no text: open “Change the text” above and type one, or watch a tokenizer learn.")
        return
    if len(text) > CHARACTERS_MAX:
        st.info(f"The text has {len(text):,} characters; its first {CHARACTERS_MAX:,} are shown here.")
    with errors_in_words():
        trained = trained_here().get(tokenizer.name)
        time_machine(tokenizer, text[:CHARACTERS_MAX], key="machine", trained=trained, allow_special=allow_special)


live()
