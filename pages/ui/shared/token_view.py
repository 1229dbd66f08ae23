"""The token view: an editor whose text is shown as coloured tokens while you type, drawn by `assets/token_view`.

Keys and tokens go over the live socket and no script runs for a key; a script reads `document(name).text`.
"""

from collections.abc import Callable, Collection
from typing import Any, TypedDict, Unpack

from pages.ui.holding import keys_set_by_link
from pages.ui.options import session_id
from pages.ui.shared.components import Component
from pages.ui.shared.live import document, page_look, view_component_data
from pages.ui.shared.text import document_text_if_example, shows_page_example
from tokviz import AnyTokenizer
from tokviz.chats.formats import ChatFormat
from tokviz.display.components import LOOK_OF_TOKENS, TOKENS
from tokviz.live.look import Look
from tokviz.live.views.ids_view import IdsView
from tokviz.live.views.prompt_view import PromptView, Row
from tokviz.live.views.seams.ways_view import CHARACTERS_MAX
from tokviz.live.views.token_view import TokenView

TOKEN_VIEW = Component(TOKENS.name, TOKENS.styles)


class Appearance(TypedDict, total=False):
    """How tokens or an editor are drawn.

    height: in pixels, or a length of CSS. rows: of an editor, instead of a height; one of a single row takes no line
    ends. units_max: how many UTF-16 units can be typed. big: whether the counts are in large type. fills:
    whether the boxes have that height even for a short text. example: a text that is marked as one.
    """

    editable: bool
    label: str
    label_visible: bool
    placeholder: str
    height: int | str
    rows: int | None
    units_max: int | None
    panes: Collection[str]
    big: bool
    fills: bool
    example: str


IDS_PLACEHOLDER = "Paste ids, such as 15339 1917 or [15339, 1917]"
USUAL = {**LOOK_OF_TOKENS, "editable": True, "label_visible": True, "height": 288}


def show_token_view(
    tokenizer: AnyTokenizer,
    *,
    key: str,
    document: str = "text",
    look: Look | None = None,
    counted: tuple[tuple[str, AnyTokenizer], ...] = (),
    beside: str = "",
    rest: float | None = None,
    on_chat: Callable[[], None] | None = None,
    on_seams: Callable[[str, str], None] | None = None,
    on_beside: Callable[[str], None] | None = None,
    **appearance: Unpack[Appearance],
) -> TokenView:
    """Show the text of a document with its tokens, which follow every key; return the server's view.

    The tab keeps what is typed under the name of the document, so that a new session of the server gets it back,
    unless something else has replaced it. The view reports a split pattern that does not end.

    look: by default without special tokens. counted: other tokenizers, with the names under which their numbers of
    tokens are shown. beside: the one of them whose tokens are shown as well, below; any other name is none.
    rest: if given, the fragment or page that calls this runs again once nobody has typed for this many seconds.
    on_chat: if given, a text that is a chat is offered to be seen as one, and this is called when that is taken.
    on_seams: if given, the inspector leads to the page of seams, and this is called with a section of it and the place
    of the token in the text, as "start-stop" in UTF-16 units.
    on_beside: if given, a press on a number calls this with the name to show below, or "".
    """
    takes: dict[str, Callable[[Any], object]] = {"rest": lambda _: None}
    if on_chat:
        takes["chat"] = lambda _: on_chat()
    if on_seams:
        takes["seams"] = lambda asked: on_seams(asked["section"], asked["piece"])
    if on_beside:
        takes["beside"] = on_beside
    names = {each: name for name, each in counted}
    others = {name: each for each, name in names.items() if each is not tokenizer}
    second = (names.get(tokenizer, tokenizer.name), beside, others[beside]) if beside in others else None
    seams = CHARACTERS_MAX if on_seams else None  # of the text, whose tokens All the ways can show
    data = _component_data(document, rest=rest, seams=seams, **appearance)
    return TOKEN_VIEW.show_view(
        key, TokenView, document, tokenizer, look=look or page_look(), counted=counted, beside=second,
        finds_chat=on_chat is not None, data={**data, "besides": [*others] if on_beside else []}, takes=takes,
    )  # fmt: skip


def height_of_lines(n: int) -> str:
    """Return the height of an editor with room for n lines, for a style sheet."""
    return f"calc({n} * 1.85 * var(--text-size, var(--t3)) + var(--s2) + 2px)"


def show_text_editor(
    name: str, *, key: str, rest: float | None = None, width: int | str = "stretch", **appearance: Unpack[Appearance]
) -> None:
    """Show the text of a document to edit, without its tokens; the rest is as in `show_token_view`.

    width: in pixels, or as Streamlit has it.
    """
    document(name)
    # As high as an editor gets that is on its own, before it scrolls
    appearance = {"height": height_of_lines(8), "panes": (), **appearance}
    data = view_component_data(None, name, **_component_data(name, rest=rest, **appearance))
    TOKEN_VIEW.show(key=key, data=data, width=width, rest=lambda _: None)


def show_ids_view(tokenizer: AnyTokenizer, name: str, *, key: str, height: int | str = 288) -> IdsView:
    """Show the tokens of the ids in the document of a name; return the server's view."""
    data = _component_data(None, editable=False, placeholder="", height=height) | {"source": name}
    return TOKEN_VIEW.show_view(key, IdsView, None, document(name), tokenizer, look=page_look(), data=data)


def show_prompt_view(
    tokenizer: AnyTokenizer,
    rows: tuple[Row, ...],
    chat_format: ChatFormat,
    *,
    key: str,
    answers: bool,
    height: int | str,
) -> PromptView:
    """Show the tokens of a chat in a format, under a tokenizer with its markers; return the server's view."""
    data = _component_data(None, editable=False, placeholder="", height=height)
    return TOKEN_VIEW.show_view(
        key, PromptView, None, rows, tokenizer, chat_format, answers=answers, look=page_look(), data=data
    )


def _component_data(
    edited: str | None, *, rest: float | None = None, seams: int | None = None, **appearance: Unpack[Appearance]
) -> dict[str, Any]:
    """Return what the component is told besides its view: which document is edited in it, and how it is drawn."""
    return {**USUAL, **editing_data(edited, rest=rest), **appearance, "seams": seams}


def editing_data(edited: str | None, *, rest: float | None) -> dict[str, Any]:
    """Return what a component is told about the document that is edited in it, if one is."""
    state = None if edited is None else document(edited).state  # which this run sees
    return {
        "session": session_id(),
        "source": edited,
        "restore": edited not in keys_set_by_link(),
        "example": edited and document_text_if_example(edited),
        "shows_own": edited == "text" and shows_page_example(),
        "rest": None if rest is None else 1000 * rest,
        "seen": state and [state.version, state.sequence],
    }
