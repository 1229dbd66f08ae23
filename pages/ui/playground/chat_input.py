"""The playground's chat: messages to type in, their format, and the tokens of the whole."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from pages.ui.options import option_value
from pages.ui.playground.chat_formats import (
    show_chat_format_picker,
    show_optional_chat_comparison,
    tokenizer_with_markers,
)
from pages.ui.playground.chat_rows import RECIPIENT_MAX, ROWS_MAX, ChatRow, add_row_if_room, chat_rows, remove_row
from pages.ui.playground.result import PlaygroundResult
from pages.ui.shared.messages import show_errors
from pages.ui.shared.text import QUICK_REST
from pages.ui.shared.token_view import show_prompt_view, show_text_editor
from tokviz import AnyTokenizer, Tokenizer
from tokviz.chats.chatml import END, START
from tokviz.chats.formats import ChatFormat
from tokviz.chats.prompt import CHANNELS, ROLES
from tokviz.live.views.prompt_view import PromptView

EDITOR_HEIGHT = 84  # pixels, of a message
ABOUT_CHANNELS = "final is the answer, analysis the reasoning, commentary the function calls."
_MARKERS_FROM = {
    "cl100k_base": "as in OpenAI's example for this encoding, which does not define them itself",
    "o200k_base": "as in tiktokenizer; OpenAI has not published any for this encoding",
}
_ABOUT = {
    "harmony": "Harmony is the format of gpt-oss. A system message here becomes a developer message there, and the "
    "format adds its own system message. If the assistant's last message is an answer, its reasoning before "
    "the first answer is left out.",
    "template": "Templates are rendered as in transformers, so a special token typed into a message is encoded as one. "
    "Where a template writes a call's arguments one by one, numbers, true, false and null count as scaffolding.",
}


def show_chat_input(tokenizer: AnyTokenizer) -> Callable[[], PlaygroundResult] | None:
    """Show messages to type in, and the tokens of the whole chat; None if there can be no chat."""
    chosen = show_chat_format_picker(tokenizer)
    show_message_editors(chosen)
    rows = chat_rows()
    with show_errors():
        derived = tokenizer_with_markers(chosen, tokenizer)
        shown = tuple((row.role, row.document, row.channel, row.recipient) for row in rows)
        view = show_prompt_view(derived, shown, chosen, key="chat", answers=option_value("chat_reply"), height=420)
        st.caption(_format_description(chosen, tokenizer, derived))
        show_optional_chat_comparison([row.message for row in rows])
        return partial(_chat_result, tokenizer, chosen, view)
    return None


def show_message_editors(chosen: ChatFormat, *, stacked: bool = False) -> None:
    """Show the messages to type in, for a format, and a button that adds one.

    stacked: whether roles are above the texts, as a narrow column needs it.
    """
    rows = chat_rows()
    for number, row in enumerate(rows, 1):
        _show_message_editor(row, number, with_details=chosen.name != "ChatML", stacked=stacked)
    with st.container(horizontal=True):
        st.button("Add a message", icon=":material/add:", on_click=add_row_if_room, disabled=len(rows) >= ROWS_MAX)


def _format_description(chosen: ChatFormat, base: AnyTokenizer, derived: AnyTokenizer) -> str:
    """Return what there is to say about a format."""
    if chosen.name != "ChatML" or not isinstance(derived, Tokenizer):
        return _ABOUT["harmony" if chosen.name == "harmony" else "template"]
    start, end = derived.special_tokens[START], derived.special_tokens[END]
    return (
        f"ChatML: `{START}` is {start} and `{END}` is {end}, {_MARKERS_FROM.get(base.name, 'the next free ids')}. "
        "An API may add tokens, for tools and settings, and charge for them."
    )


def _chat_result(base: AnyTokenizer, chosen: ChatFormat, view: PromptView) -> PlaygroundResult:
    """Return what is shown of a chat."""
    prompt, spans = view.prompt_and_spans()
    messages = tuple((message.role, message.content) for message in view.messages)
    is_plain = chosen.name == "ChatML" and view.answers
    return PlaygroundResult(
        view.tokenizer, spans, "Chat" if is_plain else "Prompt", base=base, messages=messages, text=prompt.text
    )


def _show_message_editor(row: ChatRow, number: int, *, with_details: bool, stacked: bool) -> None:
    """Show one message: role, text, and a button that removes it; with details, the channel and the function."""
    if stacked:
        role = remove = st.container(horizontal=True, vertical_alignment="center", gap="small")
        text = st.container()
    else:
        role, text, remove = st.columns([2, 9, 1], vertical_alignment="center")
    with role:
        _show_choice(row, number, "role", ROLES)
        if with_details:
            _show_channel_and_function_if_any(row, number)
    with text:
        show_text_editor(
            row.name,
            key=row.name,
            label=f"Message {number}",
            placeholder="What they say",
            height=EDITOR_HEIGHT,
            rest=QUICK_REST if option_value("chat_compared") else None,
        )
    with remove:
        st.button(f"Remove {number}", key=f"_remove_{row.key}", type="tertiary", on_click=remove_row, args=(row.key,))


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
