"""Free the memory of a session soon after its end.

Streamlit keeps a session for `server.disconnectedSessionTTL` seconds after its socket has closed, in case the tab comes
back. But it drops expired sessions only when another one closes, and reference cycles are only freed when Python
collects garbage. On an idle server neither happens.
"""

import asyncio
import gc
import math
from collections.abc import Callable
from typing import Any

import regex
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tokviz.system.recent import forget_unused

STREAM = "/_stcore/stream"  # the socket of a session
# What our own socket asks (where to upload no files), and how many seconds it stays open for the answer. As Streamlit's
# loop sends that, it lets go of the session that it sent something to before.
QUESTION = b"\x82\x01\x00"
OPEN = 0.5
STEPS = 10  # sessions are kept for a time; those that end within a tenth of it are dropped together


class SessionCleanup:
    """Middleware that, when a session's time is over, opens and closes a socket itself and collects garbage.

    option: gives the values of Streamlit's settings.
    """

    def __init__(self, app: ASGIApp, option: Callable[[str], Any]) -> None:
        self.app = app
        self.seconds = option("server.disconnectedSessionTTL")
        self._due: dict[int, asyncio.Task] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on; note when a session's socket closes."""
        if scope["type"] != "websocket" or not scope["path"].endswith(STREAM):
            await self.app(scope, receive, send)
            return
        headers = [(name, value) for name, value in scope["headers"] if name == b"host"]
        another = {**scope, "headers": headers, "subprotocols": []}
        try:
            await self.app(scope, receive, send)
        finally:
            self._schedule_cleanup(another)

    def _schedule_cleanup(self, another: Scope) -> None:
        step = max(self.seconds / STEPS, 1)
        now = asyncio.get_running_loop().time()
        due = math.floor((now + self.seconds) / step) + 1
        if due not in self._due:
            self._due[due] = asyncio.create_task(self._clean_up_after(due, due * step - now, another))

    async def _clean_up_after(self, due: int, seconds: float, another: Scope) -> None:
        await asyncio.sleep(seconds)
        del self._due[due]
        try:
            await self.app(another, _receive_of_one_question(), discard)
        finally:
            await asyncio.to_thread(free_memory_unused_for, self.seconds)


def _receive_of_one_question() -> Receive:
    """Return the messages of a socket that opens, asks one thing, and closes."""
    asked: list[Message] = [
        {"type": "websocket.connect"},
        {"type": "websocket.receive", "bytes": QUESTION},
        {"type": "websocket.disconnect", "code": 1000},
    ]
    messages = iter(asked)

    async def receive() -> Message:
        message = next(messages)
        if message["type"] == "websocket.disconnect":
            await asyncio.sleep(OPEN)
        return message

    return receive


async def discard(_message: Message) -> None:
    """Send nothing."""


def free_memory_unused_for(seconds: float) -> None:
    """Drop whatever nobody has used for this many seconds, and collect garbage."""
    forget_unused(seconds)
    regex.purge()
    gc.collect()
