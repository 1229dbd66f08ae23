"""The compare view: one editor, and under it the same text cut by two to six tokenizers.

In: tokenizers and a text. Out: the text as the user has it now, and its token spans under each. The
drawing is done by the component in `assets/compare_view`; what the two sides say to each other is in
`compare_data`. Call it in an `st.fragment`, so that typing reruns nothing else. When the typing rests,
the component says so to all other components of the page (see `rest_signal`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st

from pages.ui.compare_data import COMPARED_CHARACTERS_MAX, CompareState
from pages.ui.components import Component, message_of
from pages.ui.kept import session_id, superseded
from tokviz import AnyTokenizer, TokenSpans

COMPARE_VIEW = Component("compare_view", ("token_view", "compare_view"))
REST_SIGNAL = Component("rest_signal")


@dataclass(frozen=True)
class Comparison:
    """A text and its token spans under each tokenizer; without those whose split pattern does not end.

    The spans cover the text up to `compare_data.COMPARED_CHARACTERS_MAX` characters. reference: the name of
    the tokenizer that the others are compared with.
    """

    text: str
    spans: dict[str, TokenSpans]
    reference: str


def compare_view(
    tokenizers: Mapping[str, AnyTokenizer],
    *,
    key: str,
    text: str,
    reference: str,
    storage: str | None = None,
    on_edit: Callable[[str], None] | None = None,
    on_reference: Callable[[str], None] | None = None,
) -> Comparison:
    """Show an editor and the tokens of its text under each tokenizer, and return them as they are now.

    `reference` is the name of the tokenizer that the others are compared with; where it is not among them, it is
    the first. One that the user chooses goes to `on_reference`. `text`, `storage` and `on_edit` are as in
    `token_view`.
    """
    state: CompareState = st.session_state.setdefault(f"{key}:state", CompareState())
    if state.version == 0 or text != state.text:
        state.set_text(text)
    if reference not in tokenizers:
        reference = next(iter(tokenizers))
    state.follow(tokenizers)
    data = state.next_reply(whole=True)
    data |= {
        "session": session_id(),
        "reference": list(tokenizers).index(reference),
        "characters": len(state.text),
        "notice": _notice(state),
        "editable": True,
        "storage": storage,
        "restore": storage not in superseded(),
    }
    COMPARE_VIEW.show(key=key, data=data, on_message_change=partial(_receive, key, state, on_edit, on_reference))
    spans = {name: column.spans for name, column in state.columns.items() if not column.problem}
    return Comparison(state.text[:COMPARED_CHARACTERS_MAX], spans, reference)


def rest_signal(key: str) -> None:
    """Rerun the fragment this is called in when the typing in a compare view rests."""
    REST_SIGNAL.show(key=key, on_rest_change=lambda: None)


def _receive(
    key: str,
    state: CompareState,
    on_edit: Callable[[str], None] | None,
    on_reference: Callable[[str], None] | None,
) -> None:
    """Take the browser's message, before the page runs."""
    message = message_of(key)
    if not message:
        return
    state.chosen = None
    if state.receive(message) and on_edit is not None:
        on_edit(state.text)
    if state.chosen is not None and on_reference is not None:
        on_reference(state.chosen)


def _notice(state: CompareState) -> str | None:
    """Return what is to be said of a very long text."""
    if len(state.text) <= COMPARED_CHARACTERS_MAX:
        return None
    return f"The text has {len(state.text):,} characters; the first {COMPARED_CHARACTERS_MAX:,} are compared."
