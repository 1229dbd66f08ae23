"""A page that speaks to the live socket: it keeps edits that no message has named, and applies what it is told."""

import json
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from live.receiver import ReceivedTokens

from tokviz.live.document import text_of, units_of


class Editor:
    """A document as a browser has it: the text typed, and the edits that are not known to have arrived."""

    def __init__(self) -> None:
        self.text, self.known, self.version, self.sequence = "", "", None, 0
        self.unseen: list[tuple[int, int, int, str]] = []  # sequence, start, removed, inserted

    def seen(self, version: int, sequence: int) -> None:
        if version != self.version:
            return
        while self.unseen and self.unseen[0][0] <= sequence:
            _, *edit = self.unseen.pop(0)
            self.known = edited(self.known, *edit)


def edited(text: str, start: int, removed: int, inserted: str) -> str:
    units = units_of(text)
    return text_of(units[: 2 * start] + units_of(inserted) + units[2 * (start + removed) :])


class Browser:
    """`send` and `receive` are those of a socket."""

    def __init__(self, send: Callable[[str], None], receive: Callable[[], str]) -> None:
        self._send, self._receive = send, receive
        self.editors: defaultdict[str, Editor] = defaultdict(Editor)
        self.tokens: defaultdict[str, ReceivedTokens] = defaultdict(ReceivedTokens)
        self.told: list[list[Any]] = []

    def send(self, *message: Any) -> None:
        self._send(json.dumps(message))

    def follow(self, name: str) -> None:
        editor = self.editors[name]
        known = editor.sequence - len(editor.unseen)
        self.send("follow", name, editor.version, None if editor.version is None else known)

    def type(self, name: str, start: int, removed: int, inserted: str, *, send: bool = True) -> None:
        editor = self.editors[name]
        editor.text = edited(editor.text, start, removed, inserted)
        editor.sequence += 1
        editor.unseen.append((editor.sequence, start, removed, inserted))
        if send:
            length = len(units_of(editor.text)) // 2
            self.send("edit", name, editor.version, editor.sequence, start, removed, inserted, length)

    def resend(self, name: str) -> None:
        editor = self.editors[name]
        text = editor.known
        for sequence, *edit in editor.unseen:
            text = edited(text, *edit)
            self.send("edit", name, editor.version, sequence, *edit, len(units_of(text)) // 2)

    def replace(self, name: str, sequence: int, length: int) -> None:
        """Say the whole text once more."""
        editor = self.editors[name]
        editor.sequence, editor.unseen, editor.known = sequence, [], "?" * length
        text, editor.text = editor.text, editor.known
        self.type(name, 0, length, text)

    def take(self) -> list[Any]:
        """Receive a message, apply it, and return it."""
        message = json.loads(self._receive())
        self.told.append(message)
        match message:
            case ["text", name, version, sequence, text]:
                editor = self.editors[name]
                if text is None:
                    editor.seen(version, sequence)
                    self.resend(name)
                else:
                    editor.text = editor.known = text
                    editor.version, editor.sequence, editor.unseen = version, sequence, []
            case ["seen", name, version, sequence]:
                self.editors[name].seen(version, sequence)
            case ["again", name, _, sequence, length]:
                self.replace(name, sequence, length)
            case ["tokens", view, reply]:
                self.tokens[view].take(reply)
        return message

    def until(self, wanted: Callable[[list[Any]], bool]) -> list[Any]:
        """Take messages until one is wanted, and return that."""
        while not wanted(message := self.take()):
            pass
        return message

    def until_tokens(self, view: str, version: int, sequence: int) -> dict[str, Any]:
        """Take messages until the tokens of a state are there."""
        return self.until(lambda m: m[:2] == ["tokens", view] and m[2]["state"] >= [version, sequence])[2]
