"""Requests with any headers, such as a browser sends for pages of another site."""

import http.client
from urllib.parse import urlsplit

UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
STREAM = "/_stcore/stream"


def answer(address: str, path: str = "/", **headers: str) -> http.client.HTTPResponse:
    """Return the answer to a request; a Host among the headers replaces that of the address."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
    connection.request("GET", path, headers=headers)
    return connection.getresponse()


def handshake(address: str, path: str = STREAM, **headers: str) -> int:
    """Return the status that the request for a socket is answered with; 101 is a socket."""
    found = answer(address, path, **UPGRADE, **headers)
    found.close()
    return found.status
