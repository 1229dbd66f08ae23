"""The messages of the playground's chat: a role and a text each, added and removed one by one."""

import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field

import streamlit as st

from pages.ui.holding import Holding, keys_set_by_link
from pages.ui.options import option_value, set_option
from pages.ui.pages import PLAYGROUND, TURNS, Page
from pages.ui.shared.live import document, live_session
from pages.ui.shared.messages import keep_errors
from pages.ui.shared.text import shared_text
from tokviz.chats.prompt import CHANNELS, ROLES, Message
from tokviz.chats.written_chat import JSON, chat_format_name_in, messages_in
from tokviz.core.pretokens import well_formed_text
from tokviz.live.document import Document

ROWS_MAX = 50
RECIPIENT_MAX = 100  # characters
KEY = re.compile("[0-9a-f]{12}")


@dataclass
class ChatRow:
    """One message that can be edited; `key` names the document that has its text."""

    role: str
    # Never used twice: the browser keeps the text of a message under it.
    key: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    channel: str = "final"
    recipient: str = ""

    @property
    def document(self) -> Document:
        """The document with the text of this message."""
        return document(self.name)

    @property
    def message(self) -> Message:
        """The message as it is now."""
        return Message(self.role, self.document.text, self.channel, self.recipient)

    @property
    def name(self) -> str:
        """The name of that document."""
        return f"message {self.key}"


def _new_row(role: str, text: str) -> ChatRow:
    """Return a new message with this text."""
    row = ChatRow(role)
    document(row.name, text)
    return row


def chat_rows() -> list[ChatRow]:
    """Return the messages of this session; change the list in place."""
    if "rows" not in st.session_state:
        st.session_state.rows = [
            _new_row("system", "Answer in one sentence."),
            _new_row("user", "How many r's are in strawberry?"),
        ]
    return st.session_state.rows


def add_row_if_room() -> None:
    """Add an empty message: the assistant's after one of the user's, else the user's."""
    rows = chat_rows()
    if len(rows) < ROWS_MAX:
        rows.append(_new_row("assistant" if rows and rows[-1].role == "user" else "user", ""))


def remove_row(key: str) -> None:
    """Remove a message."""
    live_session().drop_document(f"message {key}")
    st.session_state.rows = [row for row in chat_rows() if row.key != key]


def open_shared_text_as_chat() -> None:
    """Show the shared text, a chat that is written out, as messages, in its format."""
    text = shared_text()
    with keep_errors():
        found = messages_in(text)
        if len(found) > ROWS_MAX:
            st.session_state.problem = f"The chat has {len(found):,} messages; these are the first {ROWS_MAX}."
        set_messages(found)
        name = chat_format_name_in(text)
        set_option("chat_format", "" if name == JSON else name)
        set_option("input", "Chat")


class ChatMessages(Holding):
    """The messages as links and the tab hold them."""

    key = "rows"

    def link_value_or_none(self, page: Page) -> list[list[str]] | None:
        """Return role, text, channel and recipient of each if the page shows the chat."""
        if not (page is TURNS or (page is PLAYGROUND and option_value("input") == "Chat")):
            return None
        return [[row.role, row.document.text, row.channel, row.recipient] for row in chat_rows()]

    def tab_value_or_none(self) -> list[list[str]] | None:
        """Return key, role, channel and recipient of each, once there are any; the tab keeps their texts by key."""
        if "rows" not in st.session_state:
            return None
        return [[row.key, row.role, row.channel, row.recipient] for row in chat_rows()]

    def restore_if_valid(self, value: object) -> None:
        """Take rows from a browser, [key, role, …], or from a link, [role, text, …]; leave out anything else.

        Channel and recipient may follow.

        A row from a browser keeps the key under which its text is stored; one from a link gets a new key.
        """
        rows: dict[str, ChatRow] = {}
        for entry in value[:ROWS_MAX] if isinstance(value, list) else ():
            if not (isinstance(entry, list) and len(entry) in (2, 4) and all(isinstance(part, str) for part in entry)):
                continue
            row = _new_row(entry[0], entry[1]) if entry[0] in ROLES else ChatRow(entry[1], key=entry[0])
            if len(entry) == 4 and entry[2] in CHANNELS:
                row.channel, row.recipient = entry[2], well_formed_text(entry[3])[:RECIPIENT_MAX]
            if row.role in ROLES and KEY.fullmatch(row.key):
                rows[row.key] = row
        for row in st.session_state.get("rows", ()):
            if row.key not in rows:
                live_session().drop_document(row.name)
        st.session_state.rows = list(rows.values())


def set_rows(rows: list[list[str]]) -> None:
    """Show these messages, [role, text, …]; those that the tab has kept are then out of date."""
    keys_set_by_link().add(ChatMessages.key)
    ChatMessages().restore_if_valid(rows)


def set_messages(messages: Iterable[Message]) -> None:
    """Show these messages."""
    set_rows([[each.role, each.content, each.channel, each.recipient] for each in messages])
