"""A server and a page that reads slowly, writes fast, or goes away in the middle."""

import asyncio
import json
import socket
import sys
import time

import psutil
import pytest
import uvicorn
from coroutines import run_coroutine
from serving import free_port
from starlette.applications import Starlette
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

import tokviz
from tokviz.core.samples import sample
from tokviz.live.page import INSERTED_MAX
from tokviz.live.session import LiveSession
from tokviz.live.views.token_view import TokenView
from tokviz.server import live as server
from tokviz.server.routes import routes
from tokviz.server.start import SWITCH

TEXT = sample("english") * 40
SHOW = '["show", "view"]'


def session_of(text: str = "") -> LiveSession:
    session = LiveSession()
    session.get_or_add_view("view", TokenView, session.get_or_add_document("text", text), tokviz.load("cl100k_base"))
    return session


@pytest.fixture
def session() -> LiveSession:
    return session_of(TEXT)


@pytest.fixture
def port() -> int:
    return free_port()


def run(port: int, visit) -> None:
    """Run a server, and a visit to it, in one event loop."""

    async def both() -> None:
        config = uvicorn.Config(
            Starlette(routes=routes("")), port=port, log_level="error", ws="websockets-sansio", lifespan="off"
        )
        running = uvicorn.Server(config)
        task = asyncio.create_task(running.serve())
        while not running.started:
            await asyncio.sleep(0.02)
        try:
            await asyncio.wait_for(visit(f"ws://127.0.0.1:{port}/live"), 60)
        finally:
            running.should_exit = True
            await task

    run_coroutine(both())


def edit(sequence: int, start: int, inserted: str, length: int) -> str:
    return json.dumps(["edit", "text", 1, sequence, start, 0, inserted, length])


async def seconds_of_keys(url: str, session: LiveSession, n: int, pause: float = 0.03) -> list[float]:
    """Return how long each of n keys waits for its answer, the shortest first."""
    waits = []
    document = session.get_or_add_document("text")
    begin, length = document.state.sequence, len(document.text)
    async with connect(url, subprotocols=["tokviz", session.token]) as page:
        await page.send(SHOW)
        await page.recv()
        for i in range(n):
            start = time.perf_counter()
            await page.send(edit(begin + i + 1, length + i, "x "[i % 2], length + i + 1))
            await page.recv()
            waits.append(time.perf_counter() - start)
            await asyncio.sleep(pause)
    return sorted(waits)


@pytest.mark.slow
def test_a_page_that_reads_nothing_gets_one_reply_to_all_it_has_typed_in_the_end(port, session):
    """A few replies fit into the buffers of the two kernels; all others become one."""

    async def visit(url: str) -> None:
        small = socket.socket()
        small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        small.connect(("127.0.0.1", port))
        async with connect(url, sock=small, subprotocols=["tokviz", session.token], max_queue=1, max_size=None) as page:
            await page.send(json.dumps(["follow", "text", None, None]))
            await page.send(SHOW)
            document = session.get_or_add_document("text")
            document.set_text(long := TEXT * 10)
            for n in range(200):
                # The tokenizer changes with every key, so that a reply is all tokens.
                session.get_or_add_view("view", TokenView, document, tokviz.load("gpt2" if n % 2 else "cl100k_base"))
                await page.send(edit(n + 1, 0, "x", len(long) + n + 1).replace('"text", 1', '"text", 2'))
                await asyncio.sleep(0.01)
            while document.state.sequence < 200:
                await asyncio.sleep(0.05)
            assert document.text == "x" * 200 + long
            replies = 0
            async for message in page:
                kind, _, *rest = json.loads(message)
                replies += kind == "tokens"
                if kind == "tokens" and rest[0]["state"] == [2, 200]:
                    break
            assert replies < 20

    run(port, visit)


@pytest.mark.slow
def test_a_page_that_writes_too_fast_is_read_more_slowly_and_all_of_it_arrives(port, session):
    async def visit(url: str) -> None:
        n = server.BURST + server.PER_SECOND
        async with connect(url, subprotocols=["tokviz", session.token]) as page:
            start = time.perf_counter()
            for i in range(n):
                await page.send(edit(i + 1, 0, "x", len(TEXT) + i + 1))
            while session.get_or_add_document("text").state.sequence < n:
                await asyncio.sleep(0.01)
            assert time.perf_counter() - start > 0.8
            assert session.get_or_add_document("text").text == "x" * n + TEXT

    run(port, visit)


@pytest.mark.slow
def test_a_paste_in_pieces_arrives_and_does_not_hold_up_others(port, session):
    other = session_of("short")

    async def visit(url: str) -> None:
        piece = "ab " * (INSERTED_MAX // 3)
        async with connect(url, subprotocols=["tokviz", session.token], max_size=None) as page:
            await page.send(SHOW)
            beside = asyncio.create_task(seconds_of_keys(url, other, 20, pause=0.05))
            for i in range(3):
                await page.send(edit(i + 1, 0, piece, len(TEXT) + (i + 1) * len(piece)))
            async for message in page:
                kind, _, reply = json.loads(message)
                if kind == "tokens" and reply["state"] == [1, 3]:
                    assert "the first 1,000,000" in reply["notice"]
                    break
            waits = await beside
        assert len(session.get_or_add_document("text").text) == 3 * len(piece) + len(TEXT)
        assert waits[10] < 0.25

    run(port, visit)


PASTERS = """
import asyncio, json, os, sys
from websockets.asyncio.client import connect

os.nice(10)  # they would be on machines of their own
url, *tokens = sys.argv[1:]
edits = []
for kind in ("words and numbers 123, ", "abcdefghij" * 99 + " "):
    text = (kind * (1_000_000 // len(kind) + 1))[:1_000_000]
    edits += [json.dumps(text[n:] + text[:n]) for n in (0, 7)]

async def paste(token):
    async with connect(url, subprotocols=["tokviz", token], max_size=None, compression=None) as page:
        await page.send('["show", "view"]')
        reading = asyncio.create_task(read(page))
        for n in range(1, 1_000_000):
            await page.send(f'["edit", "text", 1, {n}, 0, {1_000_000 * (n > 1)}, {edits[n % 4]}, 1000000]')

async def read(page):
    async for _ in page:
        pass

async def main():
    await asyncio.gather(*map(paste, tokens))

asyncio.run(main())
"""


@pytest.mark.slow
def test_six_pages_that_paste_a_million_characters_again_and_again_hold_up_nobody(port):
    """The typist's times beside them are compared with those alone, which only the machine makes long."""
    typist, *pasting = (session_of() for _ in range(7))

    async def visit(url: str) -> None:
        alone = await seconds_of_keys(url, typist, 200)
        before = memory()
        pasters = await asyncio.create_subprocess_exec(
            sys.executable, "-c", PASTERS, url, *(each.token for each in pasting)
        )
        try:
            while not all(each.get_or_add_document("text").state.sequence > 1 for each in pasting):
                await asyncio.sleep(0.1)
            beside = await seconds_of_keys(url, typist, 400)
        finally:
            pasters.kill()
            await pasters.wait()
        assert beside[200] < 0.015 + alone[100]
        assert beside[396] < 0.1 + alone[198]
        assert memory() - before < 600_000_000

    interval = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    try:
        run(port, visit)
    finally:
        sys.setswitchinterval(interval)


def memory() -> int:
    return psutil.Process().memory_info().rss


def test_a_page_that_vanishes_leaves_no_tasks(port, session):
    async def visit(url: str) -> None:
        before = len(asyncio.all_tasks())
        for _ in range(5):
            async with connect(url, subprotocols=["tokviz", session.token]) as page:
                await page.send(SHOW)
                page.transport.abort()
        for _ in range(100):
            if session.bell.wake is None and len(asyncio.all_tasks()) <= before:
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"still there: {asyncio.all_tasks()}")

    run(port, visit)


def test_a_message_too_large_ends_the_connection(port, session):
    async def visit(url: str) -> None:
        async with connect(url, subprotocols=["tokviz", session.token]) as page:
            await page.send(edit(1, 0, "x" * (INSERTED_MAX + 1), len(TEXT) + INSERTED_MAX + 1))
            with pytest.raises(ConnectionClosed) as closed:
                await page.recv()
        assert closed.value.rcvd.code == server.REFUSED

    run(port, visit)
