"""The playground's three inputs: a text, a chat, or token ids.

Each shows itself and returns a function that gives the input and its tokens at the time of the call, from any thread.
"""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.ui.playground.chat_rows import ROWS_MAX, ChatRow, add_row, chat_rows, remove_row
from pages.ui.playground.greeting import greets
from pages.ui.playground.playground_result import PlaygroundResult
from pages.ui.session_tokenizers.tokenizer_list import KNOWN_AS
from pages.ui.shared.token_view import chat_view, ids_view, text_editor, token_view
from tokviz import AnyTokenizer, Tokenizer, load, token_spans
from tokviz.chats.chatml import END, ROLES, START, chat_ids, chat_tokenizer
from tokviz.formats.pretrained import PRETRAINED
from tokviz.live.document import Document
from tokviz.live.views.token_view import TokenView

# The text and its tokens fill the window; on the page that greets, they leave room for what is around them.
HEIGHT = "max(18rem, calc(100dvh - 12.5rem))"
HEIGHT_ON_LANDING = "max(14rem, calc(100dvh - 26rem))"
EDITOR_HEIGHT = 84  # pixels, of a message
_MARKERS_FROM = {
    "cl100k_base": "as in OpenAI's example for this encoding, which itself has neither",
    "o200k_base": "as in tiktokenizer; OpenAI has published none for this encoding",
}


def text_input(tokenizer: AnyTokenizer, allow_special: bool) -> Callable[[], PlaygroundResult]:
    """Show the shared text to type in, and its tokens."""
    is_greeting = greets()
    view = token_view(
        tokenizer,
        key="playground",
        allowed_special="all" if allow_special else (),
        height=HEIGHT_ON_LANDING if is_greeting else HEIGHT,
        counted=tuple((KNOWN_AS[name], load(name)) for name in PRETRAINED),
        big=is_greeting,
    )
    return partial(_text_result, tokenizer, view, allow_special)


def _text_result(tokenizer: AnyTokenizer, view: TokenView, allow_special: bool) -> PlaygroundResult:
    spans = view.spans()
    if view.problem:
        raise ValueError(view.problem)
    return PlaygroundResult(tokenizer, spans, "Text", base=tokenizer, text=spans.text, allow_special=allow_special)


def chat_input(tokenizer: AnyTokenizer, _: bool) -> Callable[[], PlaygroundResult] | None:
    """Show messages to type in, and the tokens of the whole chat; None if there can be no chat."""
    if not isinstance(tokenizer, Tokenizer):
        st.info("A chat needs byte-level BPE, to which the markers of ChatML can be added. Choose another tokenizer.")
        return None
    derived = _with_markers(tokenizer)
    rows = chat_rows()
    for number, row in enumerate(rows, 1):
        _message(row, number)
    st.button("Add a message", icon=":material/add:", on_click=add_row, disabled=len(rows) >= ROWS_MAX)
    messages = tuple((row.role, row.document) for row in rows)
    chat_view(derived, messages, key="chat", height=360)
    start, end = derived.special_tokens[START], derived.special_tokens[END]
    st.caption(
        f"ChatML: `{START}` is {start} and `{END}` is {end}, {_MARKERS_FROM.get(tokenizer.name, 'the next free ids')}. "
        "The last tokens begin the answer. An API may add tokens, for tools and settings, and charge for them."
    )
    return partial(_chat_result, tokenizer, derived, messages)


def _chat_result(base: Tokenizer, derived: Tokenizer, documents: tuple[tuple[str, Document], ...]) -> PlaygroundResult:
    messages = tuple((role, document.text) for role, document in documents)
    spans = token_spans(derived, chat_ids(derived, messages))
    return PlaygroundResult(derived, spans, "Chat", base=base, messages=messages)


def _with_markers(tokenizer: Tokenizer) -> Tokenizer:
    """Return the tokenizer with chat markers, made once for each tokenizer: making it takes a fifth of a second."""
    known = st.session_state.get("chat_tokenizer")
    if known is None or known[0] is not tokenizer:
        st.session_state.chat_tokenizer = known = (tokenizer, chat_tokenizer(tokenizer))
    return known[1]


def _message(row: ChatRow, number: int) -> None:
    """Show one message: role, text, and a button that removes it."""
    role, text, remove = st.columns([2, 9, 1], vertical_alignment="center")
    with role:
        st.selectbox(
            f"Role of message {number}",
            options=ROLES,
            index=ROLES.index(row.role),
            key=f"_role_{row.key}",
            label_visibility="collapsed",
            on_change=_take_role,
            args=(row,),
        )
    with text:
        text_editor(
            row.name,
            key=row.name,
            label=f"Message {number}",
            placeholder="What they say",
            height=EDITOR_HEIGHT,
        )
    with remove:
        st.button("Remove", key=f"_remove_{row.key}", type="tertiary", on_click=remove_row, args=(row.key,))


def _take_role(row: ChatRow) -> None:
    row.role = st.session_state[f"_role_{row.key}"]


def ids_input(tokenizer: AnyTokenizer, _: bool) -> Callable[[], PlaygroundResult]:
    """Show ids to paste, and the tokens and the text they stand for."""
    text_editor(
        "ids",
        key="ids",
        label="Token ids",
        placeholder="Paste ids, with any separators, or as a JSON list: [15339, 1917]",
        height=120,
    )
    view = ids_view(tokenizer, "ids", key="of ids", height="max(18rem, calc(100dvh - 25rem))")
    return lambda: PlaygroundResult(tokenizer, view.spans(), "Ids", base=tokenizer)


INPUTS = {"Text": text_input, "Chat": chat_input, "Ids": ids_input}
