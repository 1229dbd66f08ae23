"""All that a session holds for links and for the tab's memory."""

from typing import Any

from pages.ui.holding import Holding
from pages.ui.lessons.texts import exercise_texts
from pages.ui.options import OPTIONS
from pages.ui.pages import Page
from pages.ui.playground.chat_formats import MINE, OWN_TEMPLATE, TOOLS
from pages.ui.playground.chat_rows import ChatMessages
from pages.ui.shared.text import LiveText

TEXTS = (
    LiveText("text", input="Text"),
    LiveText("second"),
    LiveText("ids", input="Ids"),
    LiveText("checked_ids"),
    LiveText("rollouts"),
    LiveText(TOOLS, input="Chat"),
    LiveText(OWN_TEMPLATE, input="Chat", chat_format=MINE),
)
CHAT = ChatMessages()


def session_contents() -> dict[str, Holding]:
    """Return everything that links and the tab's memory hold besides tokenizers, by its key."""
    return OPTIONS | {held.key: held for held in (*TEXTS, CHAT, *exercise_texts())}


def linked_values(page: Page) -> dict[str, Any]:
    """Return what a link to this page holds, by its keys."""
    found = ((key, held.link_value_or_none(page)) for key, held in session_contents().items())
    return {key: value for key, value in found if value is not None}


def remembered_values() -> dict[str, Any]:
    """Return what the tab keeps, by its keys."""
    found = ((key, held.tab_value_or_none()) for key, held in session_contents().items())
    return {key: value for key, value in found if value is not None}
