"""Mark the sessions of browsers on this very machine: only they may name files by their paths.

This looks at the browser's connection, not at what Streamlit says of it: there a Unix socket looks like loopback, and
the guard has removed the Origin.
"""

import re
import secrets
from collections.abc import Callable, Collection, Mapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send

from tokviz.server.guard import LOOPBACK, host_name

HEADER = "tokviz-same-machine"
# The headers that a proxy or a tunnel adds to a request that it passes on; each maker has names of its own.
FORWARDED = re.compile(r"via|x-real-ip|.*(forwarded|client-ip|connecting-ip).*")
_MARK = secrets.token_hex()  # nobody else can send it


class SameMachine:
    """Middleware that marks the sockets of browsers on this machine; it comes before the guard.

    option: gives the values of Streamlit's settings.
    """

    def __init__(self, app: ASGIApp, option: Callable[[str], Any]) -> None:
        self.app = app
        self.option = option

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, a socket with the header `HEADER` if `is_of_same_machine`, and without it if not."""
        if scope["type"] == "websocket":
            is_here = is_of_same_machine(scope, self.option)
            headers = MutableHeaders(scope=scope)
            del headers[HEADER]
            if is_here:
                headers[HEADER] = _MARK
        await self.app(scope, receive, send)


def has_same_machine_mark(headers: Mapping[str, str]) -> bool:
    """Return whether these are the headers of a socket that `SameMachine` has marked.

    >>> [has_same_machine_mark(headers) for headers in ({}, {HEADER: "yes"}, {HEADER: _MARK})]
    [False, False, True]
    """
    return headers.get(HEADER) == _MARK


def is_of_same_machine(scope: Scope, option: Callable[[str], Any]) -> bool:
    """Return whether a socket comes from a page on this machine, on a server that no other machine is to reach.

    The server listens on loopback only, and is given no names or origins of others; both ends of the connection are
    loopback; the page and the server go by a name of loopback; and no proxy says that it passed the request on.
    Two things look just like that from another machine: a tunnel, such as `ssh -L`, whose owner is logged in here, and
    a proxy on this machine that names itself in no header. Behind a proxy, serve with names (`server.allowedHosts`).
    """
    headers = Headers(scope=scope)
    return (
        option("server.address") in LOOPBACK
        and not option("server.allowedHosts")
        and not option("server.corsAllowedOrigins")
        and _is_loopback(scope.get("client"))
        and _is_loopback(scope.get("server"))
        and host_name(f"//{headers.get('host', '')}") in LOOPBACK
        and host_name(headers.get("origin", "")) in LOOPBACK
        and not any(map(FORWARDED.fullmatch, headers))
    )


def _is_loopback(end: Collection[Any] | None) -> bool:
    """Return whether an end of a connection, (address, port), is loopback; a Unix socket has no address."""
    return end is not None and next(iter(end), None) in LOOPBACK
