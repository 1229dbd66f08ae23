"""Answer only pages of this server, under a name that it is known by.

A page of another site can make a browser send requests to any address, but its Origin gives it away. If its name starts
to point to this address (DNS rebinding), the Host does. Streamlit checks both late, and asks other hosts for its own
address to do so.
"""

import ipaddress
import logging
import socket
from collections.abc import Callable, Collection
from typing import Any
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tokviz import api
from tokviz.api.refusal import problem_response

LOOPBACK = ("localhost", "127.0.0.1", "::1")
# It tells strangers how many people are here, and each request makes Streamlit measure its caches.
METRICS = "/_stcore/metrics"
# It says only "ok". Monitors ask under the server's address, which it may not be known by.
HEALTH = "/_stcore/health"
LOG = logging.getLogger(__name__)


class Guard:
    """Middleware that refuses requests and sockets from other sites' pages, those under unknown names, and `METRICS`.

    option: gives the values of Streamlit's settings `server.allowedHosts` and `server.corsAllowedOrigins`.
    """

    def __init__(self, app: ASGIApp, option: Callable[[str], Any]) -> None:
        self.app = app
        self.hosts = [host.lower() for host in option("server.allowedHosts")]
        self.origins = [origin.strip().rstrip("/").lower() for origin in option("server.corsAllowedOrigins")]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is allowed; answer anything else with 403 and the reason."""
        if scope["type"] in ("http", "websocket"):
            headers = Headers(scope=scope)
            host, origin = headers.get("host", ""), headers.get("origin")
            may_ask = api.allowed_origins() if api.is_api_path(scope["path"]) else []
            known_origin = None if "*" in may_ask or (origin or "").lower() in may_ask else origin
            asks_health = scope["path"].endswith(HEALTH)
            reason = self._refusal_reason(host, known_origin, asks_health=asks_health)
            if scope["path"].endswith(METRICS):
                reason = reason or "this server publishes no metrics"
            if reason:
                LOG.warning(reason)
                await _refuse(reason, scope, receive, send)
                return
            if origin is not None and scope["type"] == "websocket":
                # Streamlit would look up its own address before it reads the list of allowed origins.
                del MutableHeaders(scope=scope)["origin"]
        await self.app(scope, receive, send)

    def _refusal_reason(self, host: str, origin: str | None, *, asks_health: bool) -> str | None:
        if not asks_health and not is_known_host(host, self.hosts):
            return f"this server does not know the name {host!r}: add it to server.allowedHosts"
        if origin is not None and origin.lower() not in self.origins and not is_same_origin(origin, host):
            words = "add it to server.corsAllowedOrigins, or to --cors for the HTTP interface"
            return f"this server does not answer pages of {origin!r}: {words}"
        return None


def is_known_host(host: str, allowed: Collection[str] = ()) -> bool:
    """Return whether a Host header names this server.

    Without a list these do: localhost, the name of this machine, and all numeric addresses, since no page of another
    site can have one. In a list `*.example.org` stands for all names below it, and `*` for all names.

    >>> [is_known_host(host) for host in ("localhost:8501", "192.168.1.7:8501", "[::1]", "example.org", "")]
    [True, True, True, False, False]
    >>> [is_known_host(host, ["*.example.org"]) for host in ("a.example.org", "example.org", "localhost")]
    [True, False, False]
    """
    name = host_name(f"//{host}")
    if name is None:
        return False
    if allowed:
        return any(
            entry in ("*", name) or (entry.startswith("*.") and name.endswith(entry.removeprefix("*")))
            for entry in allowed
        )
    machine = socket.gethostname().lower()
    return name in (*LOOPBACK, machine, f"{machine}.local") or _is_ip_address(name)


def host_name(url: str) -> str | None:
    """Return the name of the host in a URL, None if there is none; a Host header is written with // before it.

    >>> host_name("http://[::1]:8501"), host_name("//LOCALHOST"), host_name("http://a@localhost"), host_name("null")
    ('::1', 'localhost', None, None)
    """
    return _url_parts_or_empty(url).hostname


def is_same_origin(origin: str, host: str) -> bool:
    """Return whether an Origin header belongs to the pages under a Host header; all names of loopback are the same.

    >>> [is_same_origin(origin, "127.0.0.1:8501") for origin in ("http://localhost:8501", "http://localhost", "null")]
    [True, False, False]
    """
    ours, theirs = _url_parts_or_empty(f"//{host}"), _url_parts_or_empty(origin)
    if theirs.scheme not in ("http", "https") or theirs.hostname is None:
        return False
    names = {"localhost" if name in LOOPBACK else name for name in (ours.hostname, theirs.hostname)}
    return len(names) == 1 and _port(ours, theirs.scheme) == _port(theirs, theirs.scheme)


def _url_parts_or_empty(url: str) -> SplitResult:
    """Return the parts of a URL, or of an empty one if it is invalid."""
    try:
        parts = urlsplit(url)
        _ = parts.port, parts.hostname
    except ValueError:
        return urlsplit("")
    return urlsplit("") if "@" in parts.netloc else parts


def _port(parts: SplitResult, scheme: str) -> int:
    return parts.port or (443 if scheme == "https" else 80)


def _is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


async def _refuse(reason: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    is_for_program, path = api.is_api_path(scope["path"]), scope["path"]
    response = problem_response(403, reason, path=path) if is_for_program else PlainTextResponse(f"{reason}\n", 403)
    await response(scope, receive, send)
