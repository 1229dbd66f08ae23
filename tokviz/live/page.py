"""Page: what one browser page follows and shows of a session, and what it has yet to be sent.

It takes the messages of docs/design.md, and knows no socket.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from tokviz.live.document import Document, FullError, units_of
from tokviz.live.edit import Edit
from tokviz.live.session import SESSIONS, LiveSession
from tokviz.live.view import View

INSERTED_MAX = 1_000_000  # units
NAME_MAX = 200  # characters
LONG_TEXT = 1_000_000  # units; editing a longer text takes more than a millisecond


class Page:
    """One connected page.

    followed: for each document the version and sequence the browser knows, None if it holds another text. shown: the
    views whose replies the browser has, by name. questions: the newest question to each view, with its number.
    outgoing: messages about single documents and views, by kind and name; a text in them is given by its units.
    """

    def __init__(self, session: LiveSession) -> None:
        self.session = session
        self.followed: dict[str, tuple[int, int] | None] = {}
        self.shown: dict[str, View | None] = {}
        self.questions: dict[str, tuple[int, dict[str, Any]]] = {}
        self.outgoing: dict[tuple[str, str], list[Any]] = {}
        self._lost: set[str] = set()  # documents for which the browser knows that an edit was refused

    def takes_long(self, message: Any) -> bool:
        """Return whether taking a message needs more than about 5 ms."""
        match message:
            case ["edit", str(name), *_] if document := self.session.documents.get(name):
                return document.state.length > LONG_TEXT
            case ["resume", *_]:
                return True
        return False

    def receive(self, message: Any) -> None:
        """Take a message; ValueError for one that is not in the table."""
        match message:
            case ["edit", str(name), int(version), int(sequence), int(start), int(removed), str(inserted), int(length)]:
                if document := self.find_or_report_gone(self.session.documents, name):
                    self._receive_edit(name, document, version, sequence, Edit(start, removed, inserted), length)
            case ["follow", str(name), int() | None as version, int() | None as sequence]:
                if document := self.find_or_report_gone(self.session.documents, name):
                    self._lost.discard(name)
                    self.followed[name] = None
                    state = document.state
                    if version == state.version and (sequence or 0) <= state.sequence:
                        self._queue_text(name, document, whole=False)
            case ["resume", str(name), str(token)]:
                if document := self.find_or_report_gone(self.session.documents, name):
                    earlier = SESSIONS.get(token)
                    if earlier and name in earlier.documents:
                        # A reload loses nothing: the earlier session is about to end, unless its page is still there.
                        with suppress(FullError):
                            document.set_text(earlier.documents[name].text, must=earlier.bell.wake is None)
            case ["show", str(name)]:
                if self.find_or_report_gone(self.session.views, name):
                    self.shown[name] = None
            case ["painted", str(name)]:
                if name in self.shown:
                    self.session.set_shown(name)
            case ["hide", str(name)]:
                self.shown.pop(name, None)
                self.session.set_shown(name, is_shown=False)
                self.questions.pop(name, None)
            case ["ask", str(name), int(number), dict(question)]:
                if self.find_or_report_gone(self.session.views, name):
                    self.questions[name] = number, question
            case _:
                raise ValueError("a message that is not in the table")

    def find_or_report_gone(self, table: dict[str, Any], name: str) -> Any:
        """Return what has this name, or let the browser know that there is nothing."""
        found = table.get(name)
        if found is None:
            if len(name) > NAME_MAX:
                raise ValueError(f"a name of {len(name):,} characters")
            self.outgoing["gone", name] = ["gone", name]
        return found

    def _receive_edit(
        self, name: str, document: Document, version: int, sequence: int, edit: Edit, length: int
    ) -> None:
        """Take an edit, once, and only if the text has not been replaced; otherwise tell the browser."""
        units = units_of(edit.inserted)
        added = len(units) // 2
        if added > INSERTED_MAX:
            raise ValueError(f"an edit that inserts {added:,} units")
        with document.lock:
            state = document.state
            if version != state.version or sequence <= state.sequence:
                return
            is_next = sequence == state.sequence + 1
            if not is_next and name in self._lost:
                return  # it was on its way before the browser knew
            fits = 0 <= edit.start <= edit.start + edit.removed <= state.length
            if not is_next or not fits or length != state.length + added - edit.removed:
                self._lost.add(name)
                self.outgoing["again", name] = ["again", name, version, state.sequence, state.length]
            else:
                self._lost.discard(name)
                try:
                    document.edit(edit, units=units)
                except FullError as e:
                    self._lost.add(name)
                    self.outgoing["full", name] = ["full", name, version, state.sequence, e.units, e.is_shared]

    def followed_documents_reporting_gone(self) -> Iterator[tuple[str, Document, tuple[int, int] | None]]:
        """Yield the documents that are followed, and which state of each the browser knows."""
        for name, known in list(self.followed.items()):
            if document := self.find_or_report_gone(self.session.documents, name):
                yield name, document, known
            else:
                self.followed.pop(name, None)

    def queue_replaced_texts(self) -> None:
        """Tell the browser about texts that have replaced its own."""
        for name, document, known in self.followed_documents_reporting_gone():
            if known is None or known[0] != document.state.version:
                self._queue_text(name, document, whole=True)

    def _queue_text(self, name: str, document: Document, *, whole: bool) -> None:
        """Tell the browser a text, or that its own is right."""
        state = document.state
        self.followed[name] = state.version, state.sequence
        self.outgoing["text", name] = ["text", name, state.version, state.sequence, state.units if whole else None]

    def take_confirmations(self) -> Iterator[list[Any]]:
        """Yield a message for each document with edits that have arrived without the browser knowing it."""
        for name, document, known in self.followed_documents_reporting_gone():
            state = document.state
            if known is not None and known[0] == state.version and known[1] < state.sequence:
                self.followed[name] = state.version, state.sequence
                yield ["seen", name, state.version, state.sequence]

    def mark_state_known(self, view: View, state: tuple[int, int]) -> None:
        """Note that a reply of a view names a state, as version and sequence, of its document."""
        for name, document, known in self.followed_documents_reporting_gone():
            if document is view.document and known is not None and known < state:
                self.followed[name] = state
