"""Pages on the live socket of an app without Streamlit."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from live.browser import Browser
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from tokviz.live.session import LiveSession


def connect(client: TestClient, session: LiveSession) -> WebSocketTestSession:
    """Return the socket of a page of a session."""
    return client.websocket_connect("/base/live", subprotocols=["tokviz", session.token])


@contextmanager
def page(
    client: TestClient, session: LiveSession, browser: Browser | None = None, *, follows: str = "", shows: str = ""
) -> Iterator[Browser]:
    """A page that has taken the text of the document it follows, and shows a view; an old one keeps what it holds."""
    with connect(client, session) as socket:
        if browser:
            browser._send, browser._receive = socket.send_text, socket.receive_text
        else:
            browser = Browser(socket.send_text, socket.receive_text)
        if follows:
            browser.follow(follows)
            browser.take()
        if shows:
            browser.send("show", shows)
        yield browser


def closing_code(socket: WebSocketTestSession) -> int:
    """Return the code that a socket is closed with, which is all that it says."""
    with pytest.raises(WebSocketDisconnect) as closed:
        socket.receive_text()
    return closed.value.code
