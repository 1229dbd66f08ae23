"""The token view: an editor whose text is shown as coloured tokens while you type, drawn by `assets/token_view`.

Keys and tokens go over the live socket and no script runs for a key; a script reads `document(name).text`.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import streamlit as st

from pages.ui.holding import overridden_by_link
from pages.ui.options import option_value, session_id
from pages.ui.shared.components import Component
from pages.ui.shared.live import data_of_view, live_session, seen
from pages.ui.shared.text import example_in
from tokviz import AnyTokenizer
from tokviz.chats.formats import ChatFormat
from tokviz.live.views.ids_view import IdsView
from tokviz.live.views.prompt_view import PromptView, Row
from tokviz.live.views.seams.ways_view import CHARACTERS_MAX
from tokviz.live.views.token_view import TokenView

TOKEN_VIEW = Component("token_view", ("token_view", "picture"))
PANES = ("counts", "tokens", "list", "inspector")


def token_view(
    tokenizer: AnyTokenizer,
    *,
    key: str,
    document: str = "text",
    editable: bool = True,
    allowed_special: str | Collection[str] = (),
    label: str = "Text",
    placeholder: str = "Type or paste text",
    height: int | str = 288,
    panes: Collection[str] = PANES,
    counted: tuple[tuple[str, AnyTokenizer], ...] = (),
    big: bool = False,
    rest: float | None = None,
    on_chat: Callable[[], None] | None = None,
    on_seams: Callable[[str, str], None] | None = None,
) -> TokenView:
    """Show the text of a document with its tokens, which follow every key; return the server's view.

    The tab keeps what is typed under the name of the document, so that a new session of the server gets it back,
    unless something else has replaced it. The view reports a split pattern that does not end.

    height: in pixels, or a length of CSS. counted: other tokenizers, with the names under which their numbers of tokens
    are shown. big: whether the counts are in large type.
    rest: if given, the fragment or page that calls this runs again once nobody has typed for this many seconds.
    on_chat: if given, a text that is a chat is offered to be seen as one, and this is called when that is taken.
    on_seams: if given, the inspector leads to the page of seams, and this is called with a section of it and where in
    the text the token stands, as "start-stop" in UTF-16 units.
    """
    allowed = allowed_special if isinstance(allowed_special, str) else tuple(sorted(allowed_special))
    session = live_session()
    view = session.view(key, TokenView, session.document(document), tokenizer, allowed_special=allowed, counted=counted,
                        finds_chat=on_chat is not None, finds_hidden=option_value("finds_hidden"))  # fmt: skip
    _show(
        key,
        document=document,
        editable=editable,
        label=label,
        placeholder=placeholder,
        height=height,
        panes=panes,
        big=big,
        rest=rest,
        on_chat=on_chat,
        on_seams=on_seams,
    )
    return view


def text_editor(
    document: str,
    *,
    key: str,
    label: str = "Text",
    placeholder: str = "Type or paste text",
    label_visible: bool = True,
    height: int = 160,
    rows: int | None = None,
    units_max: int | None = None,
    width: int | str = "stretch",
    rest: float | None = None,
) -> None:
    """Show the text of a document to edit, without its tokens; the rest is as in `token_view`.

    rows: instead of a height. An editor of one row takes no line ends. units_max: how many UTF-16 units one can type.
    width: in pixels, or as Streamlit has it.
    """
    live_session().document(document)
    _show(
        key,
        document=document,
        view=False,
        label=label,
        placeholder=placeholder,
        label_visible=label_visible,
        height=height,
        rows=rows,
        units_max=units_max,
        panes=(),
        width=width,
        rest=rest,
    )


def ids_view(tokenizer: AnyTokenizer, document: str, *, key: str, height: int | str = 288) -> IdsView:
    """Show the tokens of the ids in the document of a name; return the server's view."""
    session = live_session()
    view = session.view(key, IdsView, session.document(document), tokenizer, finds_hidden=option_value("finds_hidden"))
    _show(key, source=document, editable=False, height=height)
    return view


def prompt_view(
    tokenizer: AnyTokenizer,
    rows: tuple[Row, ...],
    chat_format: ChatFormat,
    *,
    key: str,
    answers: bool,
    height: int | str,
) -> PromptView:
    """Show the tokens of a chat in a format, under a tokenizer with its markers; return the server's view."""
    view = live_session().view(key, PromptView, rows, tokenizer, chat_format, answers=answers,
                               finds_hidden=option_value("finds_hidden"))  # fmt: skip
    _show(key, editable=False, height=height)
    return view


def _show(
    key: str,
    *,
    document: str | None = None,
    source: str | None = None,
    view: bool = True,
    width: int | str = "stretch",
    rest: float | None = None,
    on_chat: Callable[[], None] | None = None,
    on_seams: Callable[[str, str], None] | None = None,
    **look: Any,
) -> None:
    """Show a view of this session under its key, and the document edited in it, or the `source` that it shows."""
    shown: Mapping[str, Any] = {
        **data_of_view(key if view else None, document),
        "session": session_id(),
        "source": source or document,
        "restore": document not in overridden_by_link(),
        "example": document and example_in(document),
        "rest": None if rest is None else 1000 * rest,
        "seen": None if document is None else seen(document),
        "editable": True,
        "label": "Text",
        "label_visible": True,
        "placeholder": "",
        "rows": None,
        "units_max": None,
        "height": 288,
        "panes": PANES,
        "big": False,
        "seams": on_seams and CHARACTERS_MAX,  # of the text, whose tokens All the ways can show
        **look,
    }

    def take_seams() -> None:
        if on_seams and (asked := (st.session_state.get(key) or {}).get("seams")):
            on_seams(asked["section"], asked["piece"])

    heard = {"on_chat_change": on_chat} if on_chat else {}
    if on_seams:
        heard["on_seams_change"] = take_seams
    TOKEN_VIEW.show(key=key, data=shown, width=width, on_rest_change=lambda: None, **heard)
