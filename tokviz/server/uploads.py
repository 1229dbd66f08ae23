"""Limit how much of a session's uploads is kept: Streamlit keeps all of it until the session ends."""

from collections import OrderedDict
from dataclasses import dataclass, field

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tokviz.server.endings import discard

UPLOADS = "/_stcore/upload_file/"
# Twice the largest limit of a page, so that nothing that a page still shows is dropped.
BYTES_MAX = 200_000_000
SESSIONS_MAX = 10_000  # whose uploads are counted; each takes a few hundred bytes


@dataclass
class SessionUploads:
    """The uploads of a session by their addresses, oldest first, with their bytes; and the bytes under way."""

    kept: OrderedDict[str, int] = field(default_factory=OrderedDict)
    under_way: int = 0


class UploadLimits:
    """Middleware that drops a session's oldest uploads when a new one exceeds the limit."""

    def __init__(self, app: ASGIApp, bytes_max: int = BYTES_MAX) -> None:
        self.app = app
        self.bytes_max = bytes_max
        self._sessions: OrderedDict[str, SessionUploads] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on; count uploads as they come."""
        address = scope["path"].partition(UPLOADS)[2] if scope["type"] == "http" else ""
        if address and scope["method"] in ("PUT", "DELETE"):
            session = self._known_or_new_session_uploads(address.partition("/")[0])
            await self._pass_on_and_count(session, scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _pass_on_and_count(self, session: SessionUploads, scope: Scope, receive: Receive, send: Send) -> None:
        again = {**scope, "method": "DELETE"}  # with the headers that permit it
        n_bytes, status = 0, 500

        async def receive_and_count() -> Message:
            nonlocal n_bytes
            message = await receive()
            n_bytes += (size := len(message.get("body", b"")))
            session.under_way += size
            if session.under_way > self.bytes_max:
                raise HTTPException(413, "too much at a time")
            return message

        async def send_and_keep_status(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self.app(scope, receive_and_count, send_and_keep_status)
        finally:
            session.under_way -= n_bytes
        if status < 300:
            session.kept.pop(scope["path"], None)
            if scope["method"] == "PUT":
                session.kept[scope["path"]] = n_bytes
                await self._delete_oldest_beyond_limit(session, again)

    def _known_or_new_session_uploads(self, name: str) -> SessionUploads:
        session = self._sessions.setdefault(name, SessionUploads())
        self._sessions.move_to_end(name)
        while len(self._sessions) > SESSIONS_MAX:
            self._sessions.popitem(last=False)
        return session

    async def _delete_oldest_beyond_limit(self, session: SessionUploads, again: Scope) -> None:
        while sum(session.kept.values()) > self.bytes_max:
            path, _ = session.kept.popitem(last=False)
            await self.app({**again, "path": path, "raw_path": path.encode()}, _empty_request, discard)


async def _empty_request() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}
