"""Scripts and styles that never change are answered from memory, compressed for who takes that, and nothing else is."""

import asyncio
import gzip
import importlib.util
import time
from pathlib import Path

import pytest
from coroutines import run_coroutine
from server.asking import answer
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from tokviz.server import file_cache
from tokviz.server.file_cache import FileCache

IMMUTABLE = {"cache-control": "public, immutable, max-age=31536000"}
CODE_OF_STREAMLIT = Path(importlib.util.find_spec("streamlit").origin).parent / "static/static/js"
CODE = b"export const x = 1;\n" * 100


@pytest.fixture
def asked() -> list[str]:
    """The addresses that the app was asked for."""
    return []


@pytest.fixture
def client(asked: list[str]) -> TestClient:
    async def answer(request: Request) -> Response:
        asked.append(request.url.path)
        name = request.path_params["name"]
        if name == "streamed.js":
            return StreamingResponse(iter([CODE[:7], CODE[7:]]), headers=IMMUTABLE, media_type="text/javascript")
        if name == "short.js":
            return Response(b"x", headers=IMMUTABLE)
        headers = {} if name.startswith("changing") else IMMUTABLE
        return Response(CODE, 404 if name == "gone.js" else 200, headers=headers, media_type="text/css")

    routes = [Route("/{name:path}", answer, methods=["GET", "POST"])]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(FileCache)]))


@pytest.mark.parametrize("name", ["a.css", "below/b.js", "streamed.js"])
def test_a_file_is_asked_for_once_and_is_the_same_for_all(client: TestClient, asked: list[str], name: str):
    first, second, plain = (
        client.get(f"/{name}", headers={"accept-encoding": each}) for each in ("gzip, br", "gzip, br", "identity")
    )
    assert asked == [f"/{name}"]
    assert first.content == second.content == plain.content == CODE
    assert {each.headers["content-type"] for each in (first, second, plain)} == {first.headers["content-type"]}
    assert {each.headers["cache-control"] for each in (first, second, plain)} == {IMMUTABLE["cache-control"]}
    assert second.headers["content-encoding"] == "gzip"
    assert int(second.headers["content-length"]) == len(gzip.compress(CODE, mtime=0))
    assert "content-encoding" not in plain.headers
    assert second.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("name", ["changing.js", "gone.js", "picture.png", "page"])
def test_what_may_change_is_asked_for_every_time(client: TestClient, asked: list[str], name: str):
    for _ in range(2):
        assert client.get(f"/{name}").content == CODE
    assert len(asked) == 2


def test_another_method_is_passed_on(client: TestClient, asked: list[str]):
    client.get("/a.css")
    client.post("/a.css")
    client.head("/a.css")
    assert len(asked) == 3


def test_what_compression_makes_longer_is_sent_as_it_is(client: TestClient):
    for _ in range(2):
        found = client.get("/short.js", headers={"accept-encoding": "gzip"})
        assert (found.content, "content-encoding" in found.headers) == (b"x", False)


def test_no_more_is_kept_than_fits(client: TestClient, asked: list[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(file_cache, "BYTES_MAX", len(CODE) * 3 // 2)
    for name in ("a.js", "b.js", "a.js", "b.js"):
        assert client.get(f"/{name}").content == CODE
    assert asked == ["/a.js", "/b.js", "/b.js"]


def test_what_several_ask_for_at_once_takes_its_room_once(monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []

    async def app(scope, receive, send):
        asked.append(scope["path"])
        await asyncio.sleep(0.01)  # so that all have asked before the first is answered
        await Response(CODE, headers=IMMUTABLE)(scope, receive, send)

    async def unheard(_message):
        pass

    async def visits() -> None:
        kept = FileCache(app)
        for paths in (["/a.js"] * 30, ["/b.js"], ["/b.js"]):
            scopes = [{"type": "http", "method": "GET", "path": path, "headers": []} for path in paths]
            await asyncio.gather(*(kept(scope, None, unheard) for scope in scopes))

    monkeypatch.setattr(file_cache, "BYTES_MAX", 3 * len(CODE))
    run_coroutine(visits())
    assert asked.count("/b.js") == 1


@pytest.mark.parametrize("more", [[], [{"type": "http.response.body", "body": CODE[:7], "more_body": True}]])
def test_what_is_broken_off_is_asked_for_again(more: list[dict[str, object]]):
    asked: list[str] = []

    async def app(scope, receive, send):
        asked.append(scope["path"])
        headers = [(name.encode(), value.encode()) for name, value in IMMUTABLE.items()]
        for message in [{"type": "http.response.start", "status": 200, "headers": headers}, *more]:
            await send(message)

    async def unheard(_message):
        pass

    async def visits() -> None:
        kept = FileCache(app)
        for _ in range(2):
            await kept({"type": "http", "method": "GET", "path": "/a.js", "headers": []}, None, unheard)

    run_coroutine(visits())
    assert asked == ["/a.js", "/a.js"]


def test_streamlits_code_arrives_as_it_is_on_the_disk(address: str):
    for file in CODE_OF_STREAMLIT.glob("index.*.js"):
        encodings: set[str | None] = set()
        until = time.monotonic() + 20
        while encodings < {None, "gzip"} and time.monotonic() < until:
            for headers in ({"Range": "bytes=0-3"}, {"Accept-Encoding": "gzip"}):
                found = answer(address, f"/static/js/{file.name}", **headers)
                body, encoding = found.read(), found.headers["content-encoding"]
                assert (gzip.decompress(body) if encoding else body) == file.read_bytes()
                encodings.add(encoding)
        assert encodings == {None, "gzip"}
