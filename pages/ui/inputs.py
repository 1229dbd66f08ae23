"""The playground's three inputs: a text, a chat, or token ids. Each returns what it shows."""

import streamlit as st

from pages.ui.chat_rows import ROWS_MAX, ChatRow, add_row, chat_rows, remove_row
from pages.ui.shown import Shown
from pages.ui.text import save_text, shared_text
from pages.ui.token_data import CHARACTERS_MAX
from pages.ui.token_view import token_view
from tokviz import AnyTokenizer, Tokenizer
from tokviz.chat import END, ROLES, START, chat_ids, chat_tokenizer
from tokviz.ids import parsed_ids
from tokviz.live.views.ids_view import IDS_MAX, left_out

EDITOR_HEIGHT = 84  # pixels, of a message
_MARKERS_FROM = {
    "cl100k_base": "as in OpenAI's example for this encoding, which itself has neither",
    "o200k_base": "as in tiktokenizer; OpenAI has published none for this encoding",
}


def text_input(tokenizer: AnyTokenizer, allow_special: bool) -> Shown | None:
    """Show the shared text to type in, and its tokens; return None where it has none."""
    view = token_view(
        tokenizer,
        key="playground",
        text=shared_text(),
        allowed_special="all" if allow_special else (),
        on_edit=save_text,
        storage="text",
    )
    if view.problem:
        return None
    text = view.text[:CHARACTERS_MAX]
    return Shown(tokenizer, view.spans, "Text", base=tokenizer, text=text, allow_special=allow_special)


def chat_input(tokenizer: AnyTokenizer, _: bool) -> Shown | None:
    """Show messages to type in, and the tokens of the whole chat."""
    if not isinstance(tokenizer, Tokenizer):
        st.info("A chat is shown under byte-level BPE, to which the markers of ChatML can be added. Choose another.")
        return None
    derived = _with_markers(tokenizer)
    rows = chat_rows()
    for number, row in enumerate(rows, 1):
        _message(tokenizer, row, number)
    st.button("Add a message", icon=":material/add:", on_click=_add, disabled=len(rows) >= ROWS_MAX)
    messages = tuple((row.role, row.text) for row in rows)
    if st.session_state.pop("rows_changed", False):
        st.rerun()  # the whole page, which tells the tab what it is to keep
    if sum(len(text) for _, text in messages) > CHARACTERS_MAX:
        st.info(f"The messages have more than {CHARACTERS_MAX:,} characters, too many to show their tokens.")
        return None
    view = token_view(
        derived,
        key="chat",
        ids=chat_ids(derived, messages),
        allowed_special=(START, END),
        height=360,
    )
    start, end = derived.special_tokens[START], derived.special_tokens[END]
    st.caption(
        f"ChatML: `{START}` is {start} and `{END}` is {end}, {_MARKERS_FROM.get(tokenizer.name, 'the next free ids')}. "
        "The last tokens begin the answer. An API may add tokens of its own, for tools and settings, and bill them."
    )
    return Shown(derived, view.spans, "Chat", base=tokenizer, messages=messages)


def _with_markers(tokenizer: Tokenizer) -> Tokenizer:
    """Return the tokenizer of chats, made once for each tokenizer: making one takes a fifth of a second."""
    known = st.session_state.get("chat_tokenizer")
    if known is None or known[0] is not tokenizer:
        st.session_state.chat_tokenizer = known = (tokenizer, chat_tokenizer(tokenizer))
    return known[1]


def _message(tokenizer: Tokenizer, row: ChatRow, number: int) -> None:
    """Show one message: role, text, and a button that removes it."""
    role, text, remove = st.columns([2, 9, 1], vertical_alignment="center")
    with role:
        chosen = st.selectbox(
            f"Role of message {number}",
            options=ROLES,
            index=ROLES.index(row.role),
            key=f"_role_{row.key}",
            label_visibility="collapsed",
        )
        if chosen != row.role:
            row.role = chosen
            st.session_state.rows_changed = True
    with text:
        view = token_view(
            tokenizer,
            key=f"message {row.key}",
            text=row.text,
            label=f"Message {number}",
            placeholder="What is said",
            height=EDITOR_HEIGHT,
            panes=(),
            on_edit=lambda typed: setattr(row, "text", typed),
            storage=f"message {row.key}",
        )
        row.text = view.text
    with remove:
        st.button("Remove", key=f"_remove_{row.key}", type="tertiary", on_click=_remove, args=(row.key,))


def _add() -> None:
    add_row()
    st.session_state.rows_changed = True


def _remove(key: str) -> None:
    remove_row(key)
    st.session_state.rows_changed = True


def ids_input(tokenizer: AnyTokenizer, _: bool) -> Shown:
    """Show ids to paste, and the tokens and the text they stand for."""
    typed = token_view(
        tokenizer,
        key="ids",
        text=st.session_state.get("ids_text", ""),
        label="Token ids",
        placeholder="Paste ids, with any separators, or as a JSON list: [15339, 1917]",
        height=120,
        panes=(),
        on_edit=lambda text: st.session_state.update(ids_text=text),
        storage="ids",
    )
    ids, junk = parsed_ids(typed.text)
    known = [token_id for token_id in ids if token_id in tokenizer]
    view = token_view(
        tokenizer,
        key="of ids",
        ids=known[:IDS_MAX],
        allowed_special="all",
        notice=left_out(tokenizer, ids, known, junk),
    )
    return Shown(tokenizer, view.spans, "Ids", base=tokenizer)


INPUTS = {"Text": text_input, "Chat": chat_input, "Ids": ids_input}
