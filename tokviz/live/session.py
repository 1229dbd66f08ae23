"""LiveSession: the documents and views of one session of the app, found by the socket under a token.

A script keeps it in its session state, and nothing else keeps it alive. The script sets up what its page shows, and
reads `document.text`, which has every edit that has arrived, answered or not.
"""

import secrets
from collections.abc import Callable
from threading import Condition, Lock
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from tokviz.live.document import Document, text_of
from tokviz.live.view import View
from tokviz.system.child_turns import Client

V = TypeVar("V", bound=View)


class Bell:
    """Wakes the socket, if there is one; any thread may ring it."""

    def __init__(self) -> None:
        self.wake: Callable[[], None] | None = None

    def ring(self) -> None:
        """Have the socket look for news."""
        if wake := self.wake:
            wake()


class LiveSession:
    """Documents and views by name.

    >>> session = LiveSession()
    >>> session.get_or_add_document("text", "one two").text, session.get_or_add_document("text").text
    ('one two', 'one two')
    """

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(24)
        self.bell = Bell()
        self.client = Client(wake=self.bell.ring)  # for whom children work
        self.documents: dict[str, Document] = {}
        self.views: dict[str, View] = {}
        self._sources: dict[str, tuple[tuple[object, ...], Any]] = {}  # views, and what each is made from
        self._lock = Lock()
        self._shown: set[str] = set()  # names of views that a browser has painted
        self._shown_more = Condition()
        SESSIONS[self.token] = self

    def get_or_add_document(self, name: str, text: str = "") -> Document:
        """Return the document of this name; a new one has this text."""
        document = self.documents.get(name)
        return document or self.documents.setdefault(name, Document(text, changed=self.bell.ring))

    def get_or_add_view(self, name: str, kind: Callable[..., V], *arguments: object, **options: object) -> V:
        """Return the view of this name; a new one unless kind, arguments and options are the same."""
        source = (kind, *arguments, *sorted(options.items()))
        known = self._sources.get(name)
        if known and _are_same(known[0], source):
            return known[1]
        view = kind(*arguments, **options)
        with self._lock:  # a run that has been overtaken leaves what the newer one put here
            if self._sources.get(name) is known:
                self._sources[name] = source, view
                self.views[name] = view
        self.bell.ring()
        return view

    def first_messages_if_quick(self, name: str, document: str | None = None) -> list[list[Any]]:
        """Return what the socket would tell a new page first: a document, and all that the view of this name shows.

        They reach the page with its view, while it has yet to open a socket. There are none once it has, nor where they
        take long to make.
        """
        view = self.views[name]
        if self.bell.wake or not view.is_reply_quick(whole=True):
            return []
        with view.lock:
            messages: list[list[Any]] = [[view.kind, name, view.reply(whole=True)]]
        if document is None:
            return messages
        state = self.documents[document].state
        return [["text", document, state.version, state.sequence, text_of(state.units)], *messages]

    def set_shown(self, name: str, *, is_shown: bool = True) -> None:
        """Note that a browser has painted the view of this name, or has left it."""
        with self._shown_more:
            (self._shown.add if is_shown else self._shown.discard)(name)
            self._shown_more.notify_all()

    def is_shown(self, name: str, *, wait: float = 0.0) -> bool:
        """Return whether a browser has painted the view of this name, after at most this many seconds.

        >>> LiveSession().is_shown("text", wait=0.01)
        False
        """
        with self._shown_more:
            return self._shown_more.wait_for(lambda: name in self._shown, wait)

    def drop_document(self, name: str) -> None:
        """Forget a document."""
        self.documents.pop(name, None)
        self.bell.ring()


SESSIONS: WeakValueDictionary[str, LiveSession] = WeakValueDictionary()


def _are_same(one: object, other: object) -> bool:
    """Whether two values are the same: plain ones if they are equal, others if they are one object."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_are_same, one, other))
    is_plain = isinstance(one, str | int | float | frozenset | None)
    return one is other or (is_plain and type(one) is type(other) and one == other)
