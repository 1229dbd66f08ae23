"""The formats of the chat: those of a tokenizer, what each needs besides the messages, and what it costs."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pages.ui.options import option_value, show_choice, show_option_widget
from pages.ui.session_tokenizers.tokenizer_list import (
    chosen_tokenizer_name,
    opened_file_of,
    tokenizer_named,
    tokenizer_names,
)
from pages.ui.shared.live import document
from pages.ui.shared.text import QUICK_REST
from pages.ui.shared.token_view import show_text_editor
from tokviz import AnyTokenizer
from tokviz.chats.formats import (
    ChatFormat,
    ChatML,
    Harmony,
    Template,
    checked_prompt,
    marker_format_names,
    native_template_names,
)
from tokviz.chats.harmony import EFFORTS
from tokviz.chats.harmony_tools import parsed_tools
from tokviz.chats.prompt import Message, prompt_spans, shares
from tokviz.chats.teaching import TEMPLATES
from tokviz.conversations.trials import TOOLS as EXAMPLE_TOOLS
from tokviz.core.chat_settings import ChatSettings
from tokviz.formats.pretrained import full_name, short_name
from tokviz.text.words import joined_with_and, quantity

USUAL = "Default format"  # the first that a tokenizer has
MINE = "My own template"
OWN_TEMPLATE, TOOLS = "template", "functions"  # the documents that hold them
NO_SETTINGS = ChatSettings({})


def chat_settings_of(name: str) -> ChatSettings:
    """Return what the file of an opened tokenizer says about chats."""
    opened = opened_file_of(name)
    return (opened and opened.chat_settings) or NO_SETTINGS


def chat_format_names(tokenizer: AnyTokenizer) -> list[str]:
    """Return the formats for a tokenizer by their names, its own first: of its file, then of its model."""
    own = [template_label(name) for name in chat_settings_of(tokenizer.name).templates]
    others = [*native_template_names(tokenizer), *marker_format_names(tokenizer), *TEMPLATES]
    return [*own, *dict.fromkeys(others), MINE]


def template_label(template: str) -> str:
    """Return what the pages call a template that comes with a tokenizer."""
    return "Its own template" if template == "default" else f"Its own template, {template}"


def chat_format(name: str, tokenizer: AnyTokenizer) -> ChatFormat:
    """Return a format by its name, with the functions and the settings of this session."""
    tools, settings = document(TOOLS).text, chat_settings_of(tokenizer.name)
    if name == "ChatML":
        return ChatML()
    if name == "harmony":
        return Harmony(tools, option_value("chat_effort"), date.today())
    template = partial(Template, name, tokens=tuple(settings.tokens.items()), tools=tools)
    own: Mapping[str, str] = {template_label(each): source for each, source in settings.templates.items()}
    return template({**TEMPLATES, MINE: document(OWN_TEMPLATE).text, **own}[name])


def chosen_chat_format_name(tokenizer: AnyTokenizer) -> str:
    """Return the chosen format of a tokenizer; its first format if it does not have the chosen one."""
    names = chat_format_names(tokenizer)
    return option_value("chat_format") if option_value("chat_format") in names else names[0]


def show_chat_format_picker(tokenizer: AnyTokenizer, *, asks_for_reply: bool = True) -> ChatFormat:
    """Show what the format is and what it needs; return it, the same one as long as nothing about it changes."""
    names = chat_format_names(tokenizer)
    document(OWN_TEMPLATE, TEMPLATES["Headings"])
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        show_option_widget(
            "chat_format", st.selectbox, "Format", options=["", *names], format_func=lambda name: name or USUAL,
            label_visibility="collapsed", width=230,
        )  # fmt: skip
        name = chosen_chat_format_name(tokenizer)
        if name != option_value("chat_format"):
            st.caption(name, width="content")
        if asks_for_reply:
            show_option_widget("chat_reply", st.toggle, "Begin the answer")
        if name == "harmony":
            show_choice("chat_effort", "Reasoning effort", EFFORTS, format_func="{} effort".format)
        if name != "ChatML":
            with st.popover("Functions", type="tertiary"):
                show_text_editor(TOOLS, key=TOOLS, label="Functions that can be called, as JSON", height=160, width=420,
                            placeholder=EXAMPLE_TOOLS, rest=QUICK_REST)  # fmt: skip
                _show_tool_count_or_error()
    found = chat_format(name, tokenizer)
    if isinstance(found, Template):
        if lacked := lacked_special_tokens_sentence(found, tokenizer, short_name(tokenizer.name)):
            st.text(lacked)  # in plain text, since the template may be the user's
        if name == MINE:
            show_text_editor(OWN_TEMPLATE, key=OWN_TEMPLATE, label="Template, in Jinja", height=160, rest=QUICK_REST)
        else:
            with st.expander("The template"):
                st.code(found.source, language="jinja2", wrap_lines=True)
    known = st.session_state.get("chat_format_made")
    if known != found:
        st.session_state.chat_format_made = known = found
    return known


def lacked_special_tokens_sentence(chat_format: ChatFormat, tokenizer: AnyTokenizer, name: str) -> str:
    """Return in words which special tokens of a template a tokenizer of this name lacks, and what it makes of them.

    "" if it lacks none. The other formats bring theirs along.

    >>> import tokviz
    >>> lacked_special_tokens_sentence(Template("T", "<|im_end|>"), tokviz.load("cl100k_base"), "GPT-4")
    'GPT-4 has no special token <|im_end|>: it cuts it into 6 ordinary tokens.'
    """
    written = chat_format.special_tokens() if isinstance(chat_format, Template) else []
    lacked = [token for token in written if token not in tokenizer.special_tokens]
    if not lacked:
        return ""
    sizes = sorted({len(tokenizer.encode(token)) for token in lacked})
    into = f"{'–'.join(map(str, dict.fromkeys((sizes[0], sizes[-1]))))} ordinary token{'s' * (sizes != [1])}"
    has = "has no special token" if len(lacked) == 1 else "lacks the special tokens"
    return f"{name} {has} {joined_with_and(lacked)}: it cuts {'it' if len(lacked) == 1 else 'each'} into {into}."


def tokenizer_with_markers(chosen: ChatFormat, tokenizer: AnyTokenizer) -> AnyTokenizer:
    """Return the tokenizer with the markers of a format, made once: making it takes a fifth of a second."""
    known = st.session_state.get("chat_tokenizer")
    if known is None or known[0] is not tokenizer or known[1] != chosen.name:
        st.session_state.chat_tokenizer = known = (tokenizer, chosen.name, chosen.tokenizer(tokenizer))
    return known[2]


def _show_tool_count_or_error() -> None:
    """Say how many functions there are, or what is wrong with them."""
    try:
        n = len(parsed_tools(document(TOOLS).text))
        st.caption(f"{quantity(n, 'function') if n else 'None yet'}.")
    except ValueError as e:
        st.text(str(e))


def show_optional_chat_comparison(messages: Sequence[Message]) -> None:
    """Show a switch, and if it is on the same conversation under several tokenizers, each in its own format."""
    if not show_option_widget("chat_compared", st.toggle, "Compare with other models"):
        return
    st.dataframe(pd.DataFrame(_comparison_rows(messages)), hide_index=True, placeholder="–")
    st.caption(
        "Each column counts the tokens of a message; in brackets, those that are scaffolding. Each tokenizer uses the "
        "format of its own model if that is known, or else ChatML; the chosen one uses the format above. Choose the "
        "others on Compare."
    )


def _comparison_rows(messages: Sequence[Message]) -> Iterator[dict[str, Any]]:
    """Yield a row for each tokenizer: tokens, scaffolding and what a message adds, or what is in the way."""
    chosen = chosen_tokenizer_name()
    known = tokenizer_names()
    for name in dict.fromkeys([chosen, *(each for each in option_value("compared") if each in known)]):
        base = tokenizer_named(name)
        kind = chosen_chat_format_name(base) if name == chosen else chat_format_names(base)[0]
        row: dict[str, Any] = {"tokenizer": full_name(name), "format": kind}
        try:
            made = chat_format(kind, base)
            tokenizer = made.tokenizer(base)
            prompt = checked_prompt(made, messages, reply=option_value("chat_reply"))
            spans = prompt_spans(tokenizer, prompt)
        except ValueError as e:
            yield row | {"problem": str(e)}
            continue
        before, each, reply = shares(prompt, spans)
        told = [before, *(share for share in each if share), reply]
        n_scaffolding = sum(share.n_scaffolding for share in told)
        row |= {"tokens": len(spans), "scaffolding": n_scaffolding, "before all": before.n_tokens}
        row |= {
            f"{number} {message.role}": f"{share.n_tokens:,} ({share.n_scaffolding:,})" if share else "left out"
            for number, (message, share) in enumerate(zip(messages, each, strict=True), 1)
        }
        yield row
