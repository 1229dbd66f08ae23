"""How many sockets a client may open, and which of them stay open."""

import asyncio
import json
import socket
import struct
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from coroutines import run_coroutine
from server.asking import UPGRADE
from serving import ROOT
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.ui.frame.tab_memory import RECORDS_CHARACTERS_MAX
from pages.ui.languages.mix_texts import PASTED_MAX
from tokviz.live.page import INSERTED_MAX
from tokviz.server import live
from tokviz.server.sockets import SocketLimits

MESSAGE_MAX = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["server"]["maxMessageSize"] * 1_000_000


async def echo(websocket: WebSocket) -> None:
    await websocket.accept()
    while (message := await websocket.receive())["type"] == "websocket.receive":
        await websocket.send(message | {"type": "websocket.send"})


def app(**limits: float) -> Starlette:
    routes = [WebSocketRoute("/live", echo), WebSocketRoute("/base/_stcore/stream", echo)]
    return Starlette(routes=routes, middleware=[Middleware(SocketLimits, **limits)])


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(app(per_client=2, in_all=3)) as client:
        yield client


def test_a_client_may_open_a_number_of_sockets_and_more_once_one_is_closed(client):
    for _ in range(2):
        with ExitStack() as sockets:
            opened = [sockets.enter_context(client.websocket_connect("/live")) for _ in range(2)]
            with pytest.raises(WebSocketDisconnect), client.websocket_connect("/live"):
                pass
            for number, each in enumerate(opened):
                each.send_text(f"{number}")
                assert each.receive_text() == f"{number}"


def test_all_clients_together_may_open_a_number_of_sockets(client):
    with ExitStack() as sockets:
        for number in (1, 1, 2):
            of_another = TestClient(client.app, client=(f"192.168.1.{number}", 1))
            sockets.enter_context(of_another.websocket_connect("/live"))
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/live"):
            pass
    with client.websocket_connect("/live"):
        pass


def heard(path: str, *messages: dict, silent_seconds: float = 60.0) -> list[dict]:
    """Return what an app hears of a socket that says something and then nothing, and what is sent to it."""
    told: list[dict] = []
    left = iter([{"type": "websocket.connect"}, *messages])

    async def listen(_scope, receive, _send) -> None:
        while not told or told[-1]["type"] != "websocket.disconnect":
            told.append(await receive())

    async def receive() -> dict:
        if (message := next(left, None)) is None:
            await asyncio.sleep(0.2)
            return {"type": "websocket.disconnect", "code": 1000}
        return message

    async def send(message: dict) -> None:
        told.append(message)

    sockets = SocketLimits(listen, silent_seconds=silent_seconds)
    run_coroutine(sockets({"type": "websocket", "path": path, "client": ["1.2.3.4", 5]}, receive, send))
    return told[1:]


STREAM = "/base/_stcore/stream"
BINARY = {"type": "websocket.receive", "bytes": b"\n"}
TEXT = {"type": "websocket.receive", "text": "a"}


@pytest.mark.parametrize(("path", "first"), [("/live", TEXT), (STREAM, BINARY)])
def test_a_socket_that_says_nothing_is_closed_and_one_that_has_spoken_stays(path, first):
    assert [each["code"] for each in heard(path, silent_seconds=0.01)] == [1008]
    assert heard(path, first, silent_seconds=0.01) == [first, {"type": "websocket.disconnect", "code": 1000}]


def test_a_text_for_streamlit_which_takes_none_closes_its_socket():
    assert heard(STREAM, BINARY, TEXT, BINARY) == [
        BINARY, {"type": "websocket.close", "code": 1003}, {"type": "websocket.disconnect", "code": 1003},
    ]  # fmt: skip


def test_a_message_may_be_as_long_as_the_longest_of_a_page():
    edit = json.dumps(["edit", "text", 1, 1, 0, 0, "\x01" * INSERTED_MAX, INSERTED_MAX])
    assert len(edit) < live.MESSAGE_MAX < MESSAGE_MAX
    # All widgets of a page are in one: a pasted text, and in base64 the tokenizers that the tab gives back.
    assert 3 * PASTED_MAX + 2 * RECORDS_CHARACTERS_MAX < MESSAGE_MAX


def test_a_longer_message_is_refused_as_it_begins(address):
    host = urlsplit(address).netloc
    with socket.create_connection(host.split(":"), timeout=20) as connection:
        head = ["GET /_stcore/stream HTTP/1.1", f"Host: {host}", *map(": ".join, UPGRADE.items())]
        connection.sendall("\r\n".join([*head, "", ""]).encode())
        answer = connection.makefile("rb")
        while answer.readline().strip():
            pass
        # The head of a frame: the last of a binary message, masked, and its length in bytes.
        connection.sendall(struct.pack("!BBQ4s", 0x82, 0xFF, MESSAGE_MAX + 1, bytes(4)))
        kind, _, code = struct.unpack("!BBH", answer.read(4))
        assert (kind, code) == (0x88, 1009)  # closed: too big
