"""The live socket: edits come in, and what the views of a page make of them goes out; docs/design.md has the messages.

One task listens, and one answers. The latter always tells the latest state, so a browser that reads slowly piles up
nothing here: what it missed becomes one change. A browser that writes too fast is read more slowly.
"""

import asyncio
import json
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from typing import Any

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from tokviz.live.document import UNITS_MAX, Document, units_of
from tokviz.live.edit import Edit
from tokviz.live.session import SESSIONS, LiveSession, View

SUBPROTOCOL = "tokviz"
REFUSED, UNKNOWN, REPLACED = 4400, 4404, 4409
MESSAGE_MAX = 8_000_000  # characters; an edit of a million units, every one escaped, has 6 million
INSERTED_MAX = 1_000_000  # units
PER_SECOND = 60  # messages that are read; a key held down gives 30
BURST = 60
UNITS_A_MESSAGE = 50_000  # a longer message counts as several
LONG_TEXT = 1_000_000  # units; to edit a longer one takes more than a millisecond
UNTOLD_MAX = 100  # single messages that wait to be told before no more are read


async def live(websocket: WebSocket) -> None:
    """Serve one page, which names its session by a token among the subprotocols."""
    offered = websocket.scope["subprotocols"]
    session = SESSIONS.get(offered[1]) if len(offered) == 2 and offered[0] == SUBPROTOCOL else None
    await websocket.accept(SUBPROTOCOL if SUBPROTOCOL in offered else None)
    if session is None:
        await websocket.close(UNKNOWN)
        return
    await Connection(websocket, session).serve()


class Connection:
    """One page that is connected.

    followed: for each document the version and sequence the browser knows, None where it holds another text. shown: for
    each view the one whose tokens it holds. questions: the newest to each view. untold: messages about single
    documents and views, by kind and name.
    """

    def __init__(self, websocket: WebSocket, session: LiveSession) -> None:
        self.websocket, self.session = websocket, session
        self.news = asyncio.Event()
        self.followed: dict[str, tuple[int, int] | None] = {}
        self.shown: dict[str, View | None] = {}
        self.questions: dict[str, tuple[int, dict[str, Any]]] = {}
        self.untold: dict[tuple[str, str], list[Any]] = {}
        self.lost: set[str] = set()  # documents whose browser was told that an edit was not taken

    async def serve(self) -> None:
        """Listen and answer until either ends."""
        loop = asyncio.get_running_loop()

        def wake() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self.news.set)

        bell = self.session.bell
        before, bell.wake = bell.wake, wake
        if before:
            before()  # which finds that it has been replaced
        code = None
        try:
            async with anyio.create_task_group() as tasks:

                async def until_end(work: Coroutine[None, None, int | None]) -> None:
                    nonlocal code
                    with suppress(WebSocketDisconnect):
                        code = await work
                    tasks.cancel_scope.cancel()

                tasks.start_soon(until_end, self._listen())
                tasks.start_soon(until_end, self._answer(wake))
        finally:
            if bell.wake is wake:
                bell.wake = None
        if code is not None:
            with suppress(WebSocketDisconnect):
                await self.websocket.close(code)

    # -- listening ------------------------------------------------------------------------------

    async def _listen(self) -> int | None:
        """Take messages; return the code to close with, None where the browser has left."""
        loop = asyncio.get_running_loop()
        credit, then = float(BURST), loop.time()
        while True:
            event = await self.websocket.receive()
            if event["type"] == "websocket.disconnect":
                return None
            text = event.get("text") or ""
            now = loop.time()
            credit, then = min(credit + (now - then) * PER_SECOND, BURST), now
            credit -= 1 + len(text) / UNITS_A_MESSAGE
            try:
                await self._take(text)
            except (ValueError, RecursionError):
                return REFUSED
            self.news.set()
            if credit < 0:
                await asyncio.sleep(-credit / PER_SECOND)
            while len(self.untold) > UNTOLD_MAX:
                await asyncio.sleep(0.05)

    async def _take(self, text: str) -> None:
        """Take a message; ValueError for one that is none of the table."""
        if len(text) > MESSAGE_MAX:
            raise ValueError(f"a message of {len(text):,} characters")
        match json.loads(text):
            case ["edit", str(name), int(version), int(sequence), int(start), int(removed), str(inserted), int(length)]:
                if document := self._found(self.session.documents, name):
                    take = self._take_edit, name, document, version, sequence, Edit(start, removed, inserted), length
                    is_long = document.state.length > LONG_TEXT
                    await (asyncio.to_thread(*take) if is_long else _at_once(*take))
            case ["follow", str(name), int() | None as version, int() | None as sequence]:
                if document := self._found(self.session.documents, name):
                    state = document.state
                    holds = version == state.version and (sequence or 0) <= state.sequence
                    self.followed[name] = None
                    self.lost.discard(name)
                    if holds:
                        self._tell_text(name, document, whole=False)
            case ["show", str(name)]:
                if self._found(self.session.views, name):
                    self.shown[name] = None
            case ["hide", str(name)]:
                self.shown.pop(name, None)
                self.questions.pop(name, None)
            case ["ask", str(name), int(number), dict(question)]:
                if self._found(self.session.views, name):
                    self.questions[name] = number, question
            case _:
                raise ValueError("a message that is not in the table")

    def _found(self, table: dict[str, Any], name: str) -> Any:
        """Return what has this name; tell the browser where nothing has."""
        found = table.get(name)
        if found is None:
            self.untold["gone", name] = ["gone", name]
        return found

    def _take_edit(self, name: str, document: Document, version: int, sequence: int, edit: Edit, length: int) -> None:
        """Take an edit; not one of a text that was replaced, which the browser is told, and not one a second time."""
        added = len(units_of(edit.inserted)) // 2
        if added > INSERTED_MAX:
            raise ValueError(f"an edit that inserts {added:,} units")
        with document.lock:
            state = document.state
            if version != state.version or sequence <= state.sequence:
                return
            if sequence == state.sequence + 1:
                fits = 0 <= edit.start <= edit.start + edit.removed <= state.length
                if fits and length == state.length + added - edit.removed:
                    if length <= UNITS_MAX:
                        document.edit(edit)
                        self.lost.discard(name)
                        return
                    self.untold["full", name] = ["full", name, version, state.sequence, UNITS_MAX]
                    self.lost.add(name)
                    return
            elif name in self.lost:
                return  # it was under way before the browser knew
            self.untold["again", name] = ["again", name, version, state.sequence, state.length]
            self.lost.add(name)

    # -- answering ------------------------------------------------------------------------------

    async def _answer(self, wake: object) -> int:
        """Tell the browser what is new, again and again; return the code to close with."""
        while True:
            await self.news.wait()
            self.news.clear()
            if self.session.bell.wake is not wake:
                return REPLACED
            await self._tell()

    async def _tell(self) -> None:
        """Tell what is new: texts from outside first, then tokens, then which edits have arrived, then answers."""
        await self._send_untold()
        for name in list(self.shown):
            await self._tell_view(name)
        for name, document, told in self._documents():
            state = document.state
            if told is not None and told[0] == state.version and told[1] < state.sequence:
                self.followed[name] = state.version, state.sequence
                await self._send(json.dumps(["seen", name, state.version, state.sequence]))
        for name, (number, question) in list(self.questions.items()):
            if self.questions.get(name) == (number, question):
                del self.questions[name]
            if view := self._found(self.session.views, name):
                await self._send(await asyncio.to_thread(_answer_of, view, name, number, question))

    async def _send_untold(self) -> None:
        """Send what concerns single documents and views, and texts that stand in place of those the browser has."""
        for name, document, told in self._documents():
            if told is None or told[0] != document.state.version:
                self._tell_text(name, document, whole=True)
        while self.untold:
            await self._send(_json(self.untold.pop(next(iter(self.untold)))))

    def _documents(self) -> Iterator[tuple[str, Document, tuple[int, int] | None]]:
        """Yield the documents that are followed, and what the browser knows of each."""
        for name, told in list(self.followed.items()):
            if document := self._found(self.session.documents, name):
                yield name, document, told
            else:
                self.followed.pop(name, None)

    def _tell_text(self, name: str, document: Document, *, whole: bool) -> None:
        """Have a text told, or that the one the browser holds is right."""
        with document.lock:
            state = document.state
            text = document.text if whole else None
        self.followed[name] = state.version, state.sequence
        self.untold["text", name] = ["text", name, state.version, state.sequence, text]

    async def _tell_view(self, name: str) -> None:
        view = self._found(self.session.views, name)
        if view is None:
            self.shown.pop(name, None)
            return
        whole = self.shown.get(name) is not view
        if not whole and not view.is_behind:
            return
        self.shown[name] = view
        of, message = await _reply_of(view, name, whole=whole)
        await self._send_untold()  # the text may have been replaced meanwhile
        for followed, document, told in self._documents():
            if of and document is view.document and told is not None and told < of:
                self.followed[followed] = of
        await self._send(message)

    async def _send(self, text: str) -> None:
        await self.websocket.send({"type": "websocket.send", "text": text})


async def _at_once(function: Any, *arguments: Any) -> None:
    function(*arguments)


async def _reply_of(view: View, name: str, *, whole: bool) -> tuple[tuple[int, ...], str]:
    """Return which state of a document a view's reply is of, and the reply as a message; made in a thread if slow."""

    def made() -> tuple[tuple[int, ...], str]:
        reply = view.reply(whole=whole)
        return tuple(reply.get("of", ())), _json([view.kind, name, reply])

    def made_locked() -> tuple[tuple[int, ...], str]:
        with view.lock:
            return made()

    if view.is_quick(whole=whole) and view.lock.acquire(blocking=False):
        try:
            return made()
        finally:
            view.lock.release()
    return await asyncio.to_thread(made_locked)


def _answer_of(view: View, name: str, number: int, question: dict[str, Any]) -> str:
    """Return the answer to a question as a message; to one that is none, the error in words."""
    with view.lock:
        try:
            answer = view.answer(question)
        except (KeyError, TypeError, ValueError) as e:
            answer = {"error": f"{type(e).__name__}: {e}"}
    return _json(["answer", name, number, answer])


def _json(message: list[Any]) -> str:
    """Return a message as JSON, with lone surrogates escaped, which are not UTF-8."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(message, separators=(",", ":"))
    return text
