"""The token view: an editor whose text is shown as coloured tokens while one types.

In: a tokenizer and a text. Out: the text as the user has it now, its token spans, and the token that
is selected. The drawing is done by the component in `assets/token_view`; what the two sides say to
each other is in `token_data`. Call it in an `st.fragment`, so that typing reruns nothing else.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from pages.ui.components import PANEL, Component, may_be_mounted_anew, message_of
from pages.ui.kept import session_id, superseded
from pages.ui.token_data import CHARACTERS_MAX, ViewState, counts, names
from tokviz import AnyTokenizer, TokenSpans, token_spans
from tokviz.live.views.ids_view import raw_bytes
from tokviz.live.views.token_facts import token_facts

TOKEN_VIEW = Component(
    "token_view",
    (
        *PANEL,
        "token_view/walking",
        "token_view/chip",
        "token_view/inspector",
        "token_view/editor",
        "token_view/component",
    ),
    ("token_view",),
)
STORED_UNITS_MAX = 1_000_000  # UTF-16 units of a text that a tab keeps, as in storage.js
PANES = ("counts", "tokens", "list", "inspector")


@dataclass(frozen=True)
class TokenView:
    """What a token view holds: the text, its token spans, and the index of the selected token.

    `spans` covers the text up to `token_data.CHARACTERS_MAX` characters; nothing of it without panes, and
    where there is a `problem`: a split pattern that does not end.
    """

    text: str
    spans: TokenSpans
    selected: int | None
    problem: str | None


def token_view(
    tokenizer: AnyTokenizer,
    *,
    key: str,
    text: str = "",
    editable: bool = True,
    allowed_special: str | Collection[str] = (),
    ids: Sequence[int] | None = None,
    spans: TokenSpans | None = None,
    label: str = "Text",
    placeholder: str = "Type or paste text",
    height: int = 288,
    list_height: int = 208,
    panes: Collection[str] = PANES,
    notice: str | None = None,
    storage: str | None = None,
    on_edit: Callable[[str], None] | None = None,
) -> TokenView:
    """Show a text and its tokens, and return them as they are now.

    `text` replaces the editor's content where it differs. What the user types goes to `on_edit` before the
    page runs, so a page that gives back what it got changes nothing. `ids`, or `spans` made elsewhere, are
    shown in place of the text's own tokens; neither can be edited. Of the `panes` none are needed beside
    an editor; it then has no tokens. `notice` is a sentence to show above the tokens. `storage` names an
    entry of the browser tab's sessionStorage that keeps the text over a reload: a new session of the server
    then gets it back as if it were typed, unless something else has taken its place. `height` and `list_height` are in
    pixels. A split pattern that does not end is reported in the view.
    """
    state: ViewState = st.session_state.setdefault(f"{key}:state", ViewState())
    editable = editable and ids is None and spans is None
    if spans is None and ids is not None:
        spans = state.spans_of_ids(tokenizer, tuple(ids))
    given_tokens = spans is not None
    shown = spans.text if spans is not None else text
    if state.version == 0 or shown != state.text:
        state.set_text(shown)
    problem = None
    if spans is None:
        allowed = allowed_special if isinstance(allowed_special, str) else tuple(sorted(allowed_special))
        try:
            # Without panes nothing of the tokens is on view.
            spans = state.live.of(tokenizer, state.text[:CHARACTERS_MAX] if panes else "", allowed)
        except ValueError as e:
            spans, problem = token_spans(tokenizer, []), str(e)
    data = state.next_reply(
        spans,
        whole=may_be_mounted_anew(),
        raw=raw_bytes(tokenizer, spans) if given_tokens and "\ufffd" in spans.text else None,
    )
    data |= {
        "session": session_id(),
        "tokenizer": tokenizer.name,
        "special": sorted(tokenizer.special_tokens.values()),
        "counts": counts(spans),
        "notice": problem or notice or (_notice(state, editable) if panes else None),
        "facts": _facts(tokenizer, state, spans, allowed_special),
        **names(tokenizer, spans),
        "editable": editable,
        "label": label,
        "placeholder": placeholder,
        "height": height,
        "list_height": list_height,
        "panes": list(panes),
        "storage": storage,
        "restore": storage not in superseded(),
    }
    TOKEN_VIEW.show(
        key=key,
        data=data,
        on_message_change=partial(_receive, key, state, on_edit),
    )
    return TokenView(state.text, spans, state.selected, problem)


def _receive(key: str, state: ViewState, on_edit: Callable[[str], None] | None) -> None:
    """Take the browser's message, before the page runs."""
    message = message_of(key)
    if not message:
        return
    changed = state.receive(message)
    if changed and on_edit is not None:
        on_edit(state.text)


def _notice(state: ViewState, editable: bool) -> str | None:
    """Return what is to be said of a very long text."""
    words = []
    if len(state.text) > CHARACTERS_MAX:
        words.append(
            f"The text has {len(state.text):,} characters; the tokens and numbers are of the first {CHARACTERS_MAX:,}."
        )
    if editable and len(state.units) > STORED_UNITS_MAX:
        words.append("The editor holds all of it, but a text this long is not kept over a reload.")
    return " ".join(words) or None


def _facts(
    tokenizer: AnyTokenizer,
    state: ViewState,
    spans: TokenSpans,
    allowed_special: str | Collection[str],
) -> dict[str, Any] | None:
    """Return what the inspector shows of the selected token, where the browser has asked for it."""
    index = state.selected
    if index is None or index >= len(spans.ids):
        return None
    if state.facts_source != (spans, index):
        if not state.wants_facts:
            return None  # while someone types, an answer to every key would slow the typing
        try:
            facts = token_facts(tokenizer, spans, index, allowed_special=allowed_special)
        except ValueError as e:
            facts = {"error": str(e)}
        state.facts = {"index": index, "id": int(spans.ids[index]), **facts}
        state.facts_source = (spans, index)
    state.wants_facts = False
    return state.facts
