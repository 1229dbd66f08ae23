"""View: what a page shows of documents, and what it sent the browser of them last.

A reply holds what differs between the two, however that came about.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from tokviz.live.document import Document, State
from tokviz.system.thread_turns import LONG_WORK, holding


class View(ABC):
    """Follows documents, and sends a browser what it shows of them. Hold `lock` around `reply` and `answer`.

    kind: the kind of its messages. document: the one whose state its replies name, None for a view of several.
    revision: the number of the last reply. state: the version and sequence of `document` that it names. waits: whether
    something could not be made yet, and is to be tried again.
    """

    kind: ClassVar[str]
    waits = False

    def __init__(self, *documents: Document) -> None:
        self.lock = threading.Lock()
        self.documents = documents
        self.document: Document | None = documents[0] if documents else None
        self.revision = 0
        self._changes_read: tuple[int, ...] | None = None  # how often each document had changed when it was read last,
        self._changes_sent: tuple[int, ...] = ()  # and at the last reply
        self.state: tuple[int, int] | None = None

    @property
    def is_behind(self) -> bool:
        """Whether there may be news for the browser."""
        return self.waits or self._changes_sent != tuple(document.state.changes for document in self.documents)

    @abstractmethod
    def is_reply_quick(self, *, whole: bool) -> bool:
        """Return whether a reply takes at most about 5 ms."""

    def read_documents(self) -> tuple[State, ...]:
        """Take the documents as they are now, and return the state of each."""
        states = tuple(document.state for document in self.documents)
        if self.waits or self._changes_read != tuple(state.changes for state in states):
            self.read_changed(states)
        return states

    def read_changed(self, states: tuple[State, ...]) -> None:  # noqa: B027  # some views follow, or read when asked
        """Read documents that have changed since the last call, or could not be read then."""

    @abstractmethod
    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return all that is shown of the documents as they were followed last, or what differs from the last reply."""

    def reply(self, *, whole: bool) -> dict[str, Any]:
        """Return all that is shown of the documents as they are now, or what changed since the last reply."""
        states = self.catch_up()
        self.revision += 1
        self._changes_sent = self._changes_read or ()
        if self.document is not None:
            self.state = states[0].version, states[0].sequence
        reply = {"revision": self.revision, **self.reply_data(whole=whole)}
        return reply | {"state": list(self.state)} if self.state else reply

    @property
    def has_more(self) -> bool:
        """Whether the last reply left something out that takes long, which `prepare_more` makes for a later one."""
        return False

    def prepare_more(self) -> None:
        """Make a piece of what the last reply left out, in at most about 50 ms."""
        raise TypeError(f"a view of {self.kind} leaves nothing out")

    def complete_reply(self) -> dict[str, Any]:
        """Return all that is shown of the documents as they are now, and leave nothing out."""
        reply = self.reply(whole=True)
        while self.has_more:
            self.prepare_more()
            if not self.has_more:
                reply = self.reply(whole=True)
        return reply

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a question; KeyError, TypeError or ValueError if it is not one."""
        raise ValueError(f"a view of {self.kind} answers no questions")

    def n_edited_and_all_units(self, *, whole: bool) -> tuple[int, int]:
        """Return the length of what a reply about the one document is made of, and of all its text, in UTF-16 units."""
        (document,) = self.documents
        state, change = document.state_and_change_since(*self._changes_sent or (-1,))
        return state.length if whole or change is None else change.new_stop - change.start, state.length

    @contextmanager
    def locked_up_to_date(self) -> Iterator[None]:
        """Hold the view as its documents are now, for scripts; the browser still gets any changes."""
        with LONG_WORK.turn(id(self)), holding(self.lock):
            self.catch_up()
            yield

    def catch_up(self) -> tuple[State, ...]:
        """Read the documents as they are now, note that, and return the state of each."""
        states = self.read_documents()
        self._changes_read = tuple(state.changes for state in states)
        return states

    def is_current_revision(self, revision: int) -> bool:
        """Return whether the browser that names this revision knows all that has been followed."""
        return revision == self.revision and self._changes_sent == self._changes_read
