"""Answer from memory with what never changes, compressed once: Streamlit's code and ours.

Streamlit reads each of its files anew for every browser, about sixty for a page, and sends their two megabytes
uncompressed.
"""

import asyncio
import gzip
from dataclasses import dataclass, field

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
            await self._answer_and_cache_if_allowed(scope, receive, send)

    async def _answer_and_cache_if_allowed(self, scope: Scope, receive: Receive, send: Send) -> None:
        file = CachedFile()

        async def send_and_add(message: Message) -> None:
            file.collect_if_immutable(message)
            await send(message)

        headers = [(name, value) for name, value in scope["headers"] if name not in NEVER_ASKED]
        await self.app({**scope, "headers": headers}, receive, send_and_add)
        if file.is_whole and scope["path"] not in self._files:  # another may have asked for it at the same time
            await asyncio.to_thread(file.compress_if_smaller)
            if file.n_bytes + sum(each.n_bytes for each in self._files.values()) <= BYTES_MAX:
                self._files[scope["path"]] = file


@dataclass
class CachedFile:
    """A file as the app has answered with it."""

    headers: dict[str, str] = field(default_factory=dict)
    is_immutable: bool = False
    is_whole: bool = False
    body: bytes = b""
    compressed: bytes = b""

    @property
    def n_bytes(self) -> int:
        """About how many bytes of memory it takes."""
        return len(self.body) + len(self.compressed)

    def collect_if_immutable(self, message: Message) -> None:
        """Take a part of the app's answer."""
        if message["type"] == "http.response.start":
            given = Headers(raw=message["headers"])
            self.headers = {name: given[name] for name in ("content-type", "cache-control") if name in given}
            self.is_immutable = message["status"] == 200 and "immutable" in given.get("cache-control", "")
        elif self.is_immutable:
            self.body += message.get("body", b"")
            self.is_whole = not message.get("more_body", False)

    def compress_if_smaller(self) -> None:
        """Compress it if that makes it smaller."""
        compressed = gzip.compress(self.body, mtime=0)
        self.compressed = compressed if len(compressed) < len(self.body) else b""

    def response(self, asked: Headers) -> Response:
        """Return the answer to a request with these headers."""
        headers = {**self.headers, "vary": "Accept-Encoding"}
        if self.compressed and "gzip" in asked.get("accept-encoding", ""):
            return Response(self.compressed, headers={**headers, "content-encoding": "gzip"})
        return Response(self.body, headers=headers)
