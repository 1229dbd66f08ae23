"""The messages of a chat to type in: role, text, and a button that removes each."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.options import option_value
from pages.ui.playground.chat_rows import RECIPIENT_MAX, ROWS_MAX, ChatRow, add_row_if_room, chat_rows, remove_row
from pages.ui.shared.text import QUICK_REST
from pages.ui.shared.token_view import show_text_editor
from tokviz.chats.formats import ChatFormat
from tokviz.chats.prompt import CHANNELS, ROLES

EDITOR_HEIGHT = 84  # pixels, of a message
ABOUT_CHANNELS = "final is the answer, analysis the reasoning, commentary the function calls."


def message_places() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return the place of messages to type in, and the one beside it for what they give; presented, below it."""
    if option_value("presenting"):
        return st.container(key="desk-messages"), st.container()
    with st.container(key="messages"):
        edited, shown = st.columns([5, 8], gap="medium")
    return edited, shown


def show_message_editors(chosen: ChatFormat) -> None:
    """Show the messages to type in, for a format, and a button that adds one."""
    rows = chat_rows()
    for number, row in enumerate(rows, 1):
        _show_message_editor(row, number, with_details=chosen.name != "ChatML")
    with st.container(horizontal=True):
        st.button("Add a message", icon=":material/add:", on_click=add_row_if_room, disabled=len(rows) >= ROWS_MAX)


def _show_message_editor(row: ChatRow, number: int, *, with_details: bool) -> None:
    """Show a message: role and a button that removes it above the text; with details, channel and function too."""
    with st.container(key=f"head-{row.key}", horizontal=True, vertical_alignment="center", gap="small"):
        _show_choice(row, number, "role", ROLES)
        if with_details:
            _show_channel_and_function_if_any(row, number)
        st.button(
            f"Remove {number}", key=f"_remove_{row.key}", icon=":material/close:", type="tertiary",
            on_click=remove_row, args=(row.key,),
        )  # fmt: skip
    show_text_editor(
        row.name,
        key=row.name,
        label=f"Message {number}",
        label_visible=False,
        placeholder="Type a message",
        height=EDITOR_HEIGHT,
        rest=QUICK_REST if option_value("chat_compared") else None,
    )


def _show_channel_and_function_if_any(row: ChatRow, number: int) -> None:
    """Show the channel of what the assistant says, and the function that it calls, or whose result a tool tells."""
    if row.role == "assistant":
        _show_choice(row, number, "channel", CHANNELS, help=ABOUT_CHANNELS)
    if row.role == "tool" or (row.role == "assistant" and row.channel == "commentary"):
        st.text_input(
            f"Function of message {number}",
            value=row.recipient,
            key=f"_recipient_{row.key}",
            label_visibility="collapsed",
            placeholder="functions.get_weather",
            max_chars=RECIPIENT_MAX,
            on_change=_set_choice_and_clear_misfits,
            args=(row, "recipient"),
        )


def _show_choice(row: ChatRow, number: int, name: str, options: Sequence[str], *, help: str | None = None) -> None:
    """Show the choice of a message's role or channel."""
    st.selectbox(
        f"{name.capitalize()} of message {number}",
        options=options,
        index=options.index(getattr(row, name)),
        key=f"_{name}_{row.key}",
        label_visibility="collapsed",
        on_change=_set_choice_and_clear_misfits,
        args=(row, name),
        help=help,
    )


def _set_choice_and_clear_misfits(row: ChatRow, name: str) -> None:
    """Take a role or a channel that was chosen for a message, and drop what no longer goes with it."""
    value = st.session_state[f"_{name}_{row.key}"]
    setattr(row, name, value)
    if row.role != "assistant":
        row.channel = "final"
    if row.role not in ("assistant", "tool") or (row.role == "assistant" and row.channel != "commentary"):
        row.recipient = ""
