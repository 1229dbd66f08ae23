"""The live socket: takes edits, and sends what the views of a page make of them; docs/design.md has the messages.

One task listens, and one answers. It always sends the latest state, so nothing piles up for a browser that reads
slowly: what it missed becomes one change. A browser that writes too fast is read more slowly. What takes long is done
in a thread, in turns with the long work of other sessions.
"""

import asyncio
import json
import math
import re
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from tokviz.live.document import text_of
from tokviz.live.page import LONG_TEXT, Page
from tokviz.live.session import SESSIONS, LiveSession
from tokviz.live.view import View
from tokviz.server.failures import log_failure_unless_recent
from tokviz.system import sandbox
from tokviz.system.child_turns import Task
from tokviz.system.credit import Credit
from tokviz.system.thread_turns import LONG_WORK, holding

R = TypeVar("R")

SUBPROTOCOL = "tokviz"
REFUSED, UNKNOWN, REPLACED, FAILED = 4400, 4404, 4409, 1011
MESSAGE_MAX = 8_000_000  # characters; an edit of a million units, every one escaped, has 6 million
PER_SECOND = 60  # messages read; a key held down gives 30
BURST = 60
UNITS_A_MESSAGE = 50_000  # a longer message counts as several
# Characters read while sessions wait for their turn. Reading faster holds up whoever types; more slowly, it would hold
# up the answers to pings, which are due after 45 s and come after all that waits in the buffers of the systems.
CHARACTERS_PER_SECOND = 500_000
LONG_MESSAGE = 100_000  # characters; a longer one is an edit, since a list of that many parts would take long to read
EDIT_HEAD = re.compile(r'\["edit", ?"(?:[^"\\]|\\.){1,200}"(?:, ?\d{1,15}){4}, ?(?=")')  # all before its text
EDIT_TAIL = re.compile(r", ?\d{1,15}\]")
CONNECTIONS_PER_SECOND, CONNECTIONS_AT_ONCE = 1, 20  # of a session
CONNECTIONS: WeakKeyDictionary[LiveSession, Credit] = WeakKeyDictionary()
# There may be many, since most wait: for their turn, or for the child process of an untrusted pattern or library.
THREADS = ThreadPoolExecutor(200, "live")
MAX_WAIT = 0.3  # seconds to wait for a child process; the view then says that it waits
UNTOLD_MAX = 100  # when this many single messages wait to be sent, no more are read


async def serve_live_socket(websocket: WebSocket) -> None:
    """Serve one page, which names its session by a token among the subprotocols."""
    offered = websocket.scope["subprotocols"]
    session = SESSIONS.get(offered[1]) if len(offered) == 2 and offered[0] == SUBPROTOCOL else None
    await websocket.accept(SUBPROTOCOL if SUBPROTOCOL in offered else None)
    if session is None:
        await websocket.close(UNKNOWN)
        return
    if CONNECTIONS.setdefault(session, Credit(CONNECTIONS_PER_SECOND, CONNECTIONS_AT_ONCE)).spend(1):
        await websocket.close(REPLACED)
        return
    await Connection(websocket, session).serve()


class Connection:
    """One connected page."""

    def __init__(self, websocket: WebSocket, session: LiveSession) -> None:
        self.websocket, self.session = websocket, session
        self.page = Page(session)
        self.news = asyncio.Event()
        self.wake: Callable[[], None] | None = None
        self.retry_at: float | None = None  # when to look for news that could not be made yet

    async def serve(self) -> None:
        """Listen and answer until either ends."""
        loop = asyncio.get_running_loop()

        def wake() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self.news.set)

        bell, self.wake = self.session.bell, wake
        before, bell.wake = bell.wake, wake
        if before:
            before()  # the old connection then finds that it was replaced
        code: int | None = None
        try:
            async with anyio.create_task_group() as tasks:

                async def run_to_end(work: Coroutine[None, None, int | None]) -> None:
                    nonlocal code
                    try:
                        code = await work
                    except WebSocketDisconnect:
                        pass
                    except Exception:
                        log_failure_unless_recent("the live socket")
                        code = FAILED
                    tasks.cancel_scope.cancel()

                tasks.start_soon(run_to_end, self._listen())
                tasks.start_soon(run_to_end, self._send_news_until_replaced())
        finally:
            if bell.wake is wake:
                bell.wake = None
                for name in self.page.shown:
                    self.session.set_shown(name, is_shown=False)
                sandbox.leave_queue(self.session.client)
        if code is not None:
            with suppress(WebSocketDisconnect):
                await self.websocket.close(code)

    # -- listening ------------------------------------------------------------------------------

    async def _listen(self) -> int | None:
        """Take messages; return the code to close with, None if the browser has left."""
        credit = Credit(PER_SECOND, BURST)
        while True:
            event = await self.websocket.receive()
            if event["type"] == "websocket.disconnect":
                return None
            text = event.get("text") or ""
            wait = credit.spend(1 + len(text) / UNITS_A_MESSAGE)
            if LONG_WORK.is_contended:
                wait = max(wait, len(text) / CHARACTERS_PER_SECOND)
            try:
                await self._take_message(text)
            except (ValueError, RecursionError):
                return REFUSED
            self.news.set()
            if wait:
                await asyncio.sleep(wait)
            while len(self.page.outgoing) > UNTOLD_MAX:
                await asyncio.sleep(0.05)

    async def _take_message(self, text: str) -> None:
        """Take a message; ValueError if it is not one."""
        if len(text) > MESSAGE_MAX:
            raise ValueError(f"a message has {len(text):,} characters; at most {MESSAGE_MAX:,} are allowed")
        message = _parsed_message(text)
        # waiting for a turn would hold up what comes after it: the answers to pings, too
        if self.page.takes_long(message):
            await self._run_in_thread(self.page.receive, message)
        else:
            self.page.receive(message)

    # -- answering ------------------------------------------------------------------------------

    async def _send_news_until_replaced(self) -> int:
        """Keep telling the browser what is new; return the code to close with."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(None if self.retry_at is None else self.retry_at - time.monotonic()):
                    await self.news.wait()
            self.news.clear()
            self.retry_at = None
            if self._is_replaced():
                return REPLACED
            await self._send_news()

    async def _send_news(self) -> None:
        """Tell what is new: texts from outside first, then tokens, then which edits have arrived, then answers."""
        page = self.page
        await self._send_pending_messages()
        for name in list(page.shown):
            await self._send_view_if_changed(name)
        for message in page.take_confirmations():
            await self._send(_json_text(message))
        for name, (number, question) in list(page.questions.items()):
            if page.questions.get(name) == (number, question):
                del page.questions[name]
            if view := page.find_or_report_gone(self.session.views, name):
                answer = await self._run_in_thread_locking_view(view, _answer_as_json, view, name, number, question)
                if answer is None:
                    page.questions.setdefault(name, (number, question))
                else:
                    await self._send(answer)
        await self._prepare_more_of_one_view()

    async def _prepare_more_of_one_view(self) -> None:
        """Have one view make a piece of what its last reply left out; what else is new comes before the next piece."""
        for view in self.page.shown.values():
            if view and view.has_more:
                await self._run_in_thread_locking_view(view, view.prepare_more)
                self.news.set()
                return

    async def _send_pending_messages(self) -> None:
        """Send messages about single documents and views, and texts that have replaced the browser's own."""
        self.page.queue_replaced_texts()
        while untold := self.page.outgoing:
            message = untold.pop(next(iter(untold)))
            is_long = isinstance(message[-1], bytes) and len(message[-1]) > 2 * LONG_TEXT
            await self._send(await self._run_in_thread(_json_text, message) if is_long else _json_text(message))

    async def _send_view_if_changed(self, name: str) -> None:
        page = self.page
        view = page.find_or_report_gone(self.session.views, name)
        if view is None:
            page.shown.pop(name, None)
            return
        whole = page.shown.get(name) is not view
        if not whole and not view.is_behind:
            return
        page.shown[name] = view
        made = await self._state_and_reply_message(view, name, whole=whole)
        if made is None:
            if name in page.shown:  # it may have been hidden in the meantime
                page.shown[name] = None
            return
        state, message = made
        await self._send_pending_messages()  # the text may have been replaced in the meantime
        if state:
            page.mark_state_known(view, state)
        await self._send(message)

    async def _state_and_reply_message(
        self, view: View, name: str, *, whole: bool
    ) -> tuple[tuple[int, int] | None, str] | None:
        """Return the state that a view's reply shows, and the reply; None as `_run_in_thread_locking_view`."""

        def state_and_message() -> tuple[tuple[int, int] | None, str]:
            message = _json_text([view.kind, name, view.reply(whole=whole)])
            return view.state, message

        if view.is_reply_quick(whole=whole) and view.lock.acquire(blocking=False):
            try:
                return state_and_message()
            finally:
                view.lock.release()
        return await self._run_in_thread_locking_view(view, state_and_message)

    async def _run_in_thread_locking_view(self, view: View, function: Callable[..., R], *arguments: object) -> R | None:
        """Run a slow function of a view in a thread; None, with news to come, if its text changed too soon."""
        documents = list(self.session.documents.values())
        changes = [document.state.changes for document in documents]
        task = Task(
            self.session.client,
            is_abandoned=self._is_replaced,
            is_stale=lambda: [document.state.changes for document in documents] != changes,
            max_wait=MAX_WAIT,
            retries=True,
        )

        def work() -> R:
            with holding(view.lock), sandbox.as_task(task):
                return function(*arguments)

        result = await self._run_in_thread(work)
        if task.was_cancelled:
            self.news.set()
            return None
        if task.retry_at is not None:
            self.retry_at = min(task.retry_at, self.retry_at or task.retry_at)
        return result

    def _is_replaced(self) -> bool:
        """Return whether nobody is told anything any more: the page has gone, or another took its place."""
        return self.session.bell.wake is not self.wake

    async def _send(self, text: str) -> None:
        await self.websocket.send({"type": "websocket.send", "text": text})

    async def _run_in_thread(self, function: Callable[..., R], *arguments: object) -> R:
        """Run a function that takes more than some 5 ms while others are served, and return what it returns."""
        is_wanted = True

        def call_in_turn() -> R:
            with LONG_WORK.turn(self.session.token):
                if not is_wanted:
                    raise asyncio.CancelledError
                return function(*arguments)

        try:
            return await asyncio.get_running_loop().run_in_executor(THREADS, call_in_turn)
        finally:
            is_wanted = False  # the page may have left while this waited


def _answer_as_json(view: View, name: str, number: int, question: dict[str, Any]) -> str:
    """Return the answer to a question as a message; if it is not a question, or fails, the error in words."""
    try:
        return _json_text(["answer", name, number, view.answer(question)])
    except Exception as e:
        if not isinstance(e, KeyError | TypeError | ValueError):
            log_failure_unless_recent(f"an answer of {type(view).__name__}")
        return _json_text(["answer", name, number, {"error": f"{type(e).__name__}: {e}"}])


def _parsed_message(text: str) -> Any:
    """Return a message from JSON; ValueError if it is not JSON, or has a number that is not finite.

    A long one has to be an edit: a text of a million characters is read in milliseconds, a million lists are not.
    """
    if len(text) <= LONG_MESSAGE:
        return json.loads(text, parse_constant=_finite_number, parse_float=_finite_number)
    head, end = EDIT_HEAD.match(text), text.rfind('"') + 1
    if not head or end <= head.end() or not EDIT_TAIL.fullmatch(text, end):
        raise ValueError(f"a message of {len(text):,} characters that is not an edit")
    message = json.loads(f'{head[0]}""{text[end:]}')
    message[6] = json.loads(text[head.end() : end])
    return message


def _finite_number(digits: str) -> float:
    if not math.isfinite(number := float(digits)):
        raise ValueError(f"expected a finite number, not {digits[:20]}")
    return number


def _json_text(message: list[Any]) -> str:
    """Return a message as JSON; texts may be given as units. Lone surrogates are escaped, as UTF-8 cannot hold them."""
    message = [text_of(part) if isinstance(part, bytes) else part for part in message]
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(message, separators=(",", ":"))
    return text
