"""Limit how many sockets are open, and close those that send nothing, or what no page would send.

A server reads a message whole before the app hears of it. So this limits the memory of messages that have only begun,
each of which takes at most `server.maxMessageSize`.
"""

import asyncio
import logging
from collections import Counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tokviz.server.endings import STREAM

PER_CLIENT = 250  # of one address, which a whole class may have; a page has two
IN_ALL = 500
SILENT_SECONDS = 20.0  # until the first message of a page, which sends it as soon as its socket is open
POLICY_VIOLATION, NO_TEXT = 1008, 1003
LOG = logging.getLogger(__name__)


class SocketLimits:
    """Middleware that counts the open sockets of each client, and of all."""

    def __init__(
        self, app: ASGIApp, per_client: int = PER_CLIENT, in_all: int = IN_ALL, silent_seconds: float = SILENT_SECONDS
    ) -> None:
        self.app = app
        self.per_client, self.in_all, self.silent_seconds = per_client, in_all, silent_seconds
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, but refuse sockets above the limits."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        client = (scope.get("client") or [""])[0]
        if self._open[client] >= self.per_client or self._open.total() >= self.in_all:
            LOG.warning("%s has %d of %d open sockets: no more", client, self._open[client], self._open.total())
            await receive()
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return
        self._open[client] += 1
        try:
            await self.app(scope, self._guarded_receive(scope, receive, send), send)
        finally:
            self._open[client] -= 1
            self._open += Counter()  # without clients that have none

    def _guarded_receive(self, scope: Scope, receive: Receive, send: Send) -> Receive:
        """Return what the app hears of a socket: its messages, or its end in place of one that may not be."""
        is_silent = True
        takes_text = not scope["path"].endswith(STREAM)  # Streamlit raises an error for each text

        async def receive_or_disconnect() -> Message:
            nonlocal is_silent
            try:
                async with asyncio.timeout(self.silent_seconds if is_silent else None):
                    message = await receive()
            except TimeoutError:
                return {"type": "websocket.disconnect", "code": POLICY_VIOLATION}
            if message["type"] == "websocket.receive":
                is_silent = False
                if message.get("bytes") is None and not takes_text:
                    await send({"type": "websocket.close", "code": NO_TEXT})
                    return {"type": "websocket.disconnect", "code": NO_TEXT}
            return message

        return receive_or_disconnect
