"""The sections of the page of chat turns, each a live view of the messages, or of conversations in a text."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from pages.ui.options import option_value, option_value_among, show_option_widget
from pages.ui.pages import TURNS
from pages.ui.playground.chat_formats import (
    chat_format,
    chat_format_names,
    chosen_chat_format_name,
    show_chat_format_picker,
    tokenizer_with_markers,
)
from pages.ui.playground.chat_rows import chat_rows, set_messages
from pages.ui.playground.message_editors import message_places, show_message_editors
from pages.ui.seams.sections import BLOCKS, SEAMS_VIEW, show_block_choice
from pages.ui.session_tokenizers.tokenizer_list import chosen_tokenizer
from pages.ui.shared.buttons import show_save_button
from pages.ui.shared.live import await_view, chosen_look, document
from pages.ui.shared.text import QUICK_REST, set_document_text
from pages.ui.shared.token_view import show_text_editor
from pages.ui.shared.uploads import show_text_uploader
from tokviz import AnyTokenizer, Message
from tokviz.chats.formats import ChatFormat, ChatML
from tokviz.chats.messages import messages_of
from tokviz.conversations.trials import CONVERSATIONS, trials, trials_in_words
from tokviz.display.saved_page import report_page
from tokviz.live.views.seams.turns_view import ConversationView, MaskView, TurnsView, TwoFormatsView

V = TypeVar("V", bound=ConversationView)
KEY = "turns"
ROLLOUTS = "rollouts"  # the document that holds conversations as JSON
ROLLOUTS_BYTES_MAX = 2_000_000
SOURCES = ("Messages", "JSON or JSONL")
EXAMPLE_ROLLOUT = (
    '{"messages": [{"role": "user", "content": "Is 17 prime?"}, {"role": "assistant", "content": "Yes."}]}'
)
LINE_BREAK_FIRST = [
    Message("user", "Is 17 a prime number? Answer yes or no."),
    Message("assistant", "\nYes."),
    Message("user", "And 18?"),
]
ABOUT_ROLLOUTS = (
    "Paste a list of messages, or one conversation per line. If you have the ids that a model produced, add them: "
    "“token_ids” of an assistant’s message, or “completion_ids”, a list for each answer."
)


def show_example_if_untouched() -> None:
    """Show a conversation of which a cache computes tokens again to somebody who has not written any.

    ChatML's line break merges with one that begins an answer; most other formats leave reasoning out later on.
    """
    if "rows" not in st.session_state and not option_value("chat_format"):
        usual = chosen_chat_format_name(chosen_tokenizer())
        set_messages(LINE_BREAK_FIRST if usual == ChatML.name else messages_of(CONVERSATIONS["Reasoning"]))


def show_conversation_and_section(tokenizer: AnyTokenizer) -> None:
    """Show the messages to edit, or conversations to paste, and beside them the chosen section."""
    section = SECTIONS[option_value_among("turns_section", SECTIONS)]
    if section is show_trials:
        section(tokenizer, show_chat_format_picker(tokenizer, asks_for_reply=False))
        return
    edited, shown = message_places()
    with edited:
        chosen = show_chat_format_picker(tokenizer, asks_for_reply=False)
        if option_value_among("turns_source", SOURCES) == SOURCES[0]:
            show_message_editors(chosen)
        else:
            document(ROLLOUTS)
            show_text_editor(ROLLOUTS, key=ROLLOUTS, label="Conversations", height=360, placeholder=EXAMPLE_ROLLOUT,
                             rest=QUICK_REST)  # fmt: skip
            st.caption(ABOUT_ROLLOUTS)
            with st.popover("Open conversations", icon=":material/folder_open:"):
                show_text_uploader(
                    name=ROLLOUTS, max_bytes=ROLLOUTS_BYTES_MAX, accept=partial(set_document_text, ROLLOUTS)
                )
    with shown:
        section(tokenizer, chosen)


def show_turns(tokenizer: AnyTokenizer, chosen: ChatFormat) -> None:
    """Show what each prompt keeps of the turn before."""
    block = option_value_among("turns_block", BLOCKS)
    view = show_conversation_view(TurnsView, tokenizer, chosen, block=block)
    with st.container(key="desk-block", horizontal=True, vertical_alignment="bottom"):
        show_block_choice("turns_block")
        show_save_button(lambda: report_page(view.report()), "turns.html")


def show_two_formats(tokenizer: AnyTokenizer, chosen: ChatFormat) -> None:
    """Show where another format writes the conversation otherwise."""
    names = [name for name in chat_format_names(tokenizer) if name != chosen_chat_format_name(tokenizer)]
    name = show_option_widget("turns_against", st.selectbox, "Compare with", options=["", *names], width=300,
                              format_func=lambda name: name or names[0])  # fmt: skip
    against = chat_format(name or names[0], tokenizer)
    if st.session_state.get("turns_against_made") != against:
        st.session_state.turns_against_made = against  # the same one as long as nothing about it changes
    show_conversation_view(TwoFormatsView, tokenizer, chosen, against=st.session_state.turns_against_made)


def show_conversation_view(kind: type[V], tokenizer: AnyTokenizer, chosen: ChatFormat, **options: Any) -> V:
    """Show a view of the conversations, and return it."""
    rows = tuple((row.role, row.document, row.channel, row.recipient) for row in chat_rows())
    is_written = option_value_among("turns_source", SOURCES) == SOURCES[0]
    view = SEAMS_VIEW.show_view(
        KEY, kind, None, rows if is_written else document(ROLLOUTS), tokenizer_with_markers(chosen, tokenizer), chosen,
        name=f"turns {kind.section}", look=chosen_look(), data={"at": None, "version": ""}, **options,
    )  # fmt: skip
    await_view(f"turns {kind.section}")
    return view


def show_trials(tokenizer: AnyTokenizer, chosen: ChatFormat) -> None:
    """Show what the format makes of conversations that find trouble."""
    with st.spinner("Trying the conversations…"):
        tried = list(trials(tokenizer_with_markers(chosen, tokenizer), chosen))
    st.markdown(trials_in_words(tried))
    rows = [{"conversation": each.name, "outcome": each.outcome, "what happens": each.words} for each in tried]
    st.table(pd.DataFrame(rows).set_index("conversation"))


def show_example_conversations() -> None:
    """Show buttons that open the conversations that find trouble, but for those that rows cannot hold."""
    for name, given in CONVERSATIONS.items():
        messages = messages_of(given, images=True)
        if not any(message.images for message in messages):
            st.button(name, key=f"_turns_example_{name}", on_click=set_messages, args=(messages,))


SECTIONS: dict[str, Callable[[AnyTokenizer, ChatFormat], object]] = {
    "Turns": show_turns,
    "What is trained on": partial(show_conversation_view, MaskView),
    "Two formats": show_two_formats,
    "Trials": show_trials,
}
INTROS = {
    "Turns": TURNS.intro,
    "What is trained on": "If you train a model: it learns what the assistant says. See which tokens those are.",
    "Two formats": "If you switch models: see where another format writes the same chat differently.",
    "Trials": "Before you choose a format: see what it makes of chats that often go wrong.",
}
