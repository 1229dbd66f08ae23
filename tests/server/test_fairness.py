"""Twelve tabs whose split pattern never ends, each typing, and others who work beside them."""

import asyncio
import json
import statistics
import time
from typing import Any

import pytest
import websockets
from bench.stream_client import Tab, cookie_of
from coroutines import run_coroutine
from hostile_inputs import cutting, link
from serving import serving

N_TYPISTS, N_HOSTILE, NEWCOMERS = 4, 12, 8
HOSTILE = link(text="a" * 5_000 + "c", options=cutting("(?:a|aa|aaa)+$"))
EVERY = 0.2  # seconds between the keys of a typist
SECONDS_MAX, KEY_SECONDS_MAX = 3.0, 0.1


class Page:
    """The live side of a tab. seconds: from each key to the reply that holds it; notices: what replies say."""

    def __init__(self, tab: Tab) -> None:
        shown = [json.loads(each.bytes) for each in tab.elements.values() if getattr(each, "bytes", b"")[:1] == b"{"]
        found = next((each for each in shown if each and each.get("view") and "document" in each), None)
        assert found, tab.codes
        self.token, self.view, self.document = found["token"], found["view"], found["document"]
        self.address = tab.address.replace("http", "ws") + "/live"
        self.seconds: list[float] = []
        self.notices: list[str] = []

    def connect(self) -> websockets.connect:
        return websockets.connect(self.address, subprotocols=["tokviz", self.token], max_size=None)

    async def reply(self) -> dict[str, Any]:
        """Return the first reply that shows something."""
        async with self.connect() as socket:
            await socket.send(json.dumps(["show", self.view]))
            async for raw in socket:
                kind, _, reply = json.loads(raw)
                if kind == "cuts" and not reply["notice"]:
                    return reply
        raise ConnectionError("no reply")

    async def type(self) -> None:
        """Type on and on."""
        async with self.connect() as socket:
            await socket.send(json.dumps(["follow", self.document, None, None]))
            _, _, version, begun, text = json.loads(await socket.recv())
            await socket.send(json.dumps(["show", self.view]))
            struck: dict[int, float] = {}
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._listen(socket, struck))
                for number in range(1, 1_000_000):
                    await asyncio.sleep(EVERY)
                    struck[begun + number] = time.perf_counter()
                    length = len(text) + number
                    await socket.send(json.dumps(["edit", self.document, version, begun + number, 0, 0, "a", length]))

    async def _listen(self, socket: websockets.ClientConnection, struck: dict[int, float]) -> None:
        async for raw in socket:
            _, name, *rest = json.loads(raw)
            if name == self.view:
                for sequence in [each for each in struck if each <= rest[0]["state"][1]]:
                    self.seconds.append(time.perf_counter() - struck.pop(sequence))
                self.notices += filter(None, [rest[0]["notice"]])


async def seconds_to_cut(address: str, number: int) -> float:
    """Return the seconds from opening a page with a pattern of one's own to its pretokens."""
    begun = time.perf_counter()
    async with Tab(address, "bytes", link(text="one two " * 200, options=cutting(f"[a-z]+ ?|{number}"))) as tab:
        assert (await Page(tab).reply())["counts"]["used"] == 1
    return time.perf_counter() - begun


async def seconds_to_open(address: str, cookie: str, number: int) -> float:
    """Return the seconds from giving the file of a tokenizer to its being open."""
    async with Tab(address) as tab:
        begun = time.perf_counter()
        await tab.upload("_tokenizer_file 0", {"own.model": f"minbpe v1\n[a-z]+|{number}\n0\n97 98\n".encode()}, cookie)
        before = len(tab.codes)
        await tab.until(lambda: tab.codes[before:] or "_tokenizer_file 1" in tab.elements)
        assert "_tokenizer_file 1" in tab.elements, tab.codes
    return time.perf_counter() - begun


async def beside_hostile_tabs(address: str) -> tuple[list[float], list[float], list[float], list[Page]]:
    """Return the seconds that newcomers wait for a pattern and a file, those of typists' keys, and the hostile."""
    cookie = await asyncio.to_thread(cookie_of, address)
    tabs = [Tab(address) for _ in range(N_TYPISTS)] + [Tab(address, "bytes", HOSTILE) for _ in range(N_HOSTILE)]
    for tab in tabs:
        await tab.__aenter__()
    pages = list(map(Page, tabs))
    typists, hostile = pages[:N_TYPISTS], pages[N_TYPISTS:]
    typing = []
    for each in pages:
        typing.append(asyncio.create_task(each.type()))
        await asyncio.sleep(0.5)
    patterns, files = [], []
    for number in range(NEWCOMERS):
        patterns.append(await seconds_to_cut(address, number))
        files.append(await seconds_to_open(address, cookie, number))
        await asyncio.sleep(2)
    assert not any(task.done() for task in typing)
    for task in typing:
        task.cancel()
    await asyncio.gather(*typing, return_exceptions=True)
    for tab in tabs:
        await tab.__aexit__()
    return patterns, files, [second for each in typists for second in each.seconds], hostile


@pytest.mark.slow
@pytest.mark.alone
def test_twelve_tabs_whose_pattern_never_ends_leave_room_for_others():
    with serving("app.py") as address:
        patterns, files, keys, hostile = run_coroutine(beside_hostile_tabs(address))
    assert max(patterns) < SECONDS_MAX and max(files) < SECONDS_MAX
    assert statistics.quantiles(keys, n=100)[98] < KEY_SECONDS_MAX
    assert all(each.notices for each in hostile)
