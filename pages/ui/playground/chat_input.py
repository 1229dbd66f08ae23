"""The playground's chat: messages to type in, their format, and the tokens of the whole."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui.options import option_default, option_value, set_option
from pages.ui.pages import TURNS
from pages.ui.playground.chat_formats import (
    show_chat_format_picker,
    show_optional_chat_comparison,
    tokenizer_with_markers,
)
from pages.ui.playground.chat_rows import chat_rows
from pages.ui.playground.message_editors import message_places, show_message_editors
from pages.ui.playground.result import PlaygroundResult
from pages.ui.shared.buttons import show_button
from pages.ui.shared.messages import show_errors
from pages.ui.shared.token_view import show_prompt_view
from tokviz import AnyTokenizer, Tokenizer
from tokviz.chats.chatml import END, START
from tokviz.chats.formats import ChatFormat
from tokviz.core.pretokens import well_formed_text
from tokviz.formats.python_code import Example
from tokviz.live.views.prompt_view import PromptView

_MARKERS_FROM = {
    "cl100k_base": "as in OpenAI's example; the encoding itself does not define them",
    "o200k_base": "as in tiktokenizer; OpenAI has published none for this encoding",
}
_ABOUT = {
    "harmony": "Harmony is the format of gpt-oss. It turns a system message into a developer message, and adds a "
    "system message of its own. If the chat ends with an answer, the reasoning before the first answer is left out.",
    "template": "Templates are rendered as in transformers, so a special token typed into a message is encoded as one. "
    "Where a template writes a call's arguments one by one, numbers, true, false and null count as scaffolding.",
}


def show_chat_input(tokenizer: AnyTokenizer) -> Callable[[], PlaygroundResult] | None:
    """Show messages to type in, and the tokens of the whole chat; None if there can be no chat."""
    edited, shown_beside = message_places()
    with edited:
        chosen = show_chat_format_picker(tokenizer)
        show_message_editors(chosen)
    rows = chat_rows()
    with shown_beside, show_errors():
        derived = tokenizer_with_markers(chosen, tokenizer)
        shown = tuple((row.role, row.document, row.channel, row.recipient) for row in rows)
        view = show_prompt_view(derived, shown, chosen, key="chat", answers=option_value("chat_reply"), height=420)
        st.caption(_format_description(chosen, tokenizer, derived))
        show_optional_chat_comparison([row.message for row in rows])
        if show_button("See it turn by turn", icon=TURNS.icon):
            set_option("turns_section", option_default("turns_section"))
            set_option("turns_source", option_default("turns_source"))
            st.switch_page(TURNS.script)
        return partial(_chat_result, tokenizer, chosen, view)
    return None


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
    _, spans = view.prompt_and_spans()
    example = Example(view.tokenizer, "ids", spans.ids.tolist())
    if chosen.name == "ChatML" and view.answers:
        messages = [(message.role, well_formed_text(message.content)) for message in view.messages]
        example = Example(base, "messages", messages)
    return PlaygroundResult(view.tokenizer, spans, example)
