"""Answer from memory with what never changes, compressed once: Streamlit's code and ours.

Streamlit reads each of its files anew for every browser, about sixty for a page, and sends their two megabytes
uncompressed.
"""

import asyncio
import gzip
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TYPES = (".js", ".css")
BYTES_MAX = 64 << 20  # of all that is kept; several times what all pages need
NEVER_ASKED = (b"accept-encoding", b"range")  # left out, so that the app gives the whole file as it is


class FileCache:
    """Middleware that keeps scripts and styles the app calls immutable, and answers with them from then on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._files: dict[str, CachedFile] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from memory, or else as before."""
        if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].endswith(TYPES):
            await self.app(scope, receive, send)
        elif file := self._files.get(scope["path"]):
            await file.response(Headers(scope=scope))(scope, receive, send)
        else:
            answer: list[Message] = []

            async def send_and_add(message: Message) -> None:
                answer.append(message)
                await send(message)

            headers = [(name, value) for name, value in scope["headers"] if name not in NEVER_ASKED]
            await self.app({**scope, "headers": headers}, receive, send_and_add)
            await self._cache_if_immutable(scope["path"], answer)

    async def _cache_if_immutable(self, path: str, answer: Sequence[Message]) -> None:
        """Keep a whole answer of the app, if it never changes and there is room."""
        if not answer or answer[-1].get("more_body", answer[-1] is answer[0]):
            return  # it was broken off
        given = Headers(raw=answer[0]["headers"])
        if answer[0]["status"] == 200 and "immutable" in given.get("cache-control", ""):
            headers = {name: given[name] for name in ("content-type", "cache-control") if name in given}
            body = b"".join(message.get("body", b"") for message in answer)
            file = CachedFile(headers, body, await asyncio.to_thread(gzip.compress, body, mtime=0))
            n_bytes = file.n_bytes + sum(each.n_bytes for each in self._files.values())
            if path not in self._files and n_bytes <= BYTES_MAX:  # another may have asked for it at the same time
                self._files[path] = file


@dataclass(frozen=True)
class CachedFile:
    """A file as the app has answered with it, and compressed."""

    headers: dict[str, str]
    body: bytes
    compressed: bytes

    @property
    def n_bytes(self) -> int:
        """About how many bytes of memory it takes."""
        return len(self.body) + len(self.compressed)

    def response(self, asked: Headers) -> Response:
        """Return the answer to a request with these headers."""
        headers = {**self.headers, "vary": "Accept-Encoding"}
        if "gzip" in asked.get("accept-encoding", "") and len(self.compressed) < len(self.body):
            return Response(self.compressed, headers={**headers, "content-encoding": "gzip"})
        return Response(self.body, headers=headers)
