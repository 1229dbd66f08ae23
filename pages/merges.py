"""The time machine: a text at any step of a tokenizer's merges."""

import streamlit as st

from pages.ui.frame.frame import frame
from pages.ui.merges.replays import CLASSICAL, explain_the_tie, replay_picker
from pages.ui.merges.step_link import share_step
from pages.ui.merges.time_machine import time_machine
from pages.ui.session_tokenizers.tokenizer_list import special_tokens_toggle, tokenizer_picker, trained_tokenizers
from pages.ui.shared.text import QUICK_REST, file_opener, sample_picker, shared_text
from pages.ui.shared.token_view import text_editor
from tokviz import Tokenizer

frame(
    "Merges",
    "A tokenizer begins with single bytes; each merge joins one pair of neighbours everywhere. "
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
def text_box() -> None:
    """Show the text to edit and, for the classical example, how its tie is resolved."""
    is_classical = tokenizer.name == f"from {CLASSICAL}"
    editor, share = st.columns([5, 1])
    with share:
        share_step()
    with editor, st.expander("Change the text", icon=":material/edit:"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            sample_picker()
            file_opener()
        text_editor("text", key="merges text", height=160, rest=QUICK_REST if is_classical else None)
    if is_classical and shared_text() == CLASSICAL:
        explain_the_tie()


with st.container():  # always there, so that the machine below keeps its place
    text_box()
if not isinstance(tokenizer, Tokenizer):
    st.info("The merges of this tokenizer are not known: the time machine needs byte-level BPE.")
    st.text(f"{tokenizer.name}: {tokenizer.reason}.")
elif not tokenizer.merge_tokens:
    st.info("This tokenizer has no merges: every token is one byte.")
else:
    time_machine(tokenizer, trained=trained_tokenizers().get(tokenizer.name), allow_special=allow_special)
