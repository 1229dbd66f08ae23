"""What the server knows of a text that is edited in a browser, and how the two sides stay in step.

In: a text, and the messages of a browser's editor. Out: the text as the user has it, and replies that
tell a browser what changed since the last one. Nothing here draws or knows Streamlit. Offsets are UTF-16
units, since that is how a browser counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pages.ui.token_columns import common_ends, text_of, utf16_units


@dataclass
class EditorState:
    """The server's side of one editor, kept for a session.

    `version` counts the changes of the text; `author` is the browser that made the last one, or None
    where it came from outside. Only a text from outside replaces what stands in the editor.
    """

    text: str = ""
    units: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint16))
    version: int = 0
    author: str | None = None
    client: str | None = None
    acknowledged: int = 0
    # What the browser holds: the reply, and the units of its text; None where that is not known.
    reply: int = 0
    sent_units: np.ndarray | None = None

    def set_text(self, text: str, author: str | None = None) -> None:
        """Take a text; from outside unless the browser that wrote it is named."""
        self._set_units(utf16_units(text), text, author)

    def _set_units(self, units: np.ndarray, text: str, author: str | None) -> None:
        self.units, self.text, self.author = units, text, author
        self.version += 1

    def receive(self, message: Mapping[str, Any]) -> bool:
        """Take a message of the browser; return whether it changed the text.

        A message that was handled before, or whose edit is of a text that has been replaced since,
        changes nothing.
        """
        client, n = message["client"], message["n"]
        if client == self.client and n <= self.acknowledged:
            return False
        if message["have"] != self.reply:
            self.sent_units = None  # the browser does not hold the last reply, so the next one is whole
        self.client, self.acknowledged = client, n
        self.take(message)
        if message["version"] != self.version:
            return False
        if restore := message.get("restore"):
            if restore["text"] != self.text:
                self.set_text(restore["text"], client)
                return True
        elif edit := message.get("edit"):
            return self._edit(edit, client)
        return False

    def take(self, message: Mapping[str, Any]) -> None:
        """Take what else a message says, whatever version of the text it is of."""

    def _edit(self, edit: Mapping[str, Any], client: str) -> bool:
        stop = edit["start"] + edit["removed"]
        inserted = utf16_units(edit["insert"])
        if edit["length"] - len(self.units) != len(inserted) - edit["removed"]:
            self.sent_units = None  # the two sides hold different texts: send all, the browser then repeats
            return False
        units = np.concatenate([self.units[: edit["start"]], inserted, self.units[stop:]])
        self._set_units(units, text_of(units), client)
        return True

    def next_text(self, *, whole: bool) -> tuple[dict[str, Any], bool]:
        """Return the text for the browser, and whether all of it: else what changed since the last reply."""
        whole = whole or self.sent_units is None
        old = self.units[:0] if whole else self.sent_units
        front, back = common_ends([old], [self.units])
        insert = text_of(self.units[front : len(self.units) - back])
        base = None if whole else self.reply
        self.reply += 1
        self.sent_units = self.units
        reply = {
            "reply": self.reply,
            "base": base,
            "version": self.version,
            "author": self.author,
            "client": self.client,
            "ack": self.acknowledged,
            "text": [front, len(old) - front - back, insert],
        }
        return reply, whole
