"""The live side of a tab: what is typed there over the live socket, and how long its replies take."""

import asyncio
import json
import time
from typing import Any

import websockets
from bench.stream_client import Tab

EVERY = 0.2  # seconds between the keys of a typist


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
        """Return the live socket, to be opened."""
        return websockets.connect(self.address, subprotocols=["tokviz", self.token], max_size=None, compression=None)

    async def reply(self) -> dict[str, Any]:
        """Return the first reply that shows something."""
        async with self.connect() as socket:
            await socket.send(json.dumps(["show", self.view]))
            async for raw in socket:
                kind, _, reply = json.loads(raw)
                if kind == "cuts" and not reply["notice"]:
                    return reply
        raise ConnectionError("no reply")

    async def type(self, every: float = EVERY) -> None:
        """Type on and on."""
        async with self.connect() as socket:
            await socket.send(json.dumps(["follow", self.document, None, None]))
            _, _, version, begun, text = json.loads(await socket.recv())
            await socket.send(json.dumps(["show", self.view]))
            struck: dict[int, float] = {}
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._listen(socket, struck))
                for number in range(1, 1_000_000):
                    await asyncio.sleep(every)
                    struck[begun + number] = time.perf_counter()
                    length = len(text) + number
                    await socket.send(json.dumps(["edit", self.document, version, begun + number, 0, 0, "a", length]))

    async def paste(self, text: str) -> None:
        """Replace the whole text again and again, as fast as the server takes it."""
        async with self.connect() as socket:
            await socket.send(json.dumps(["follow", self.document, None, None]))
            _, _, version, sequence, begin = json.loads(await socket.recv())
            await socket.send(json.dumps(["show", self.view]))
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._listen(socket, {}))
                length, pasted_length = units(begin), units(text)
                while True:
                    sequence += 1
                    turned = sequence * 1_009 % len(text)
                    pasted = text[turned:] + text[:turned]
                    edit = ["edit", self.document, version, sequence, 0, length, pasted, pasted_length]
                    await socket.send(json.dumps(edit, ensure_ascii=False, separators=(",", ":")))
                    length = pasted_length

    async def _listen(self, socket: websockets.ClientConnection, struck: dict[int, float]) -> None:
        async for raw in socket:
            _, name, *rest = json.loads(raw)
            if name == self.view:
                for sequence in [each for each in struck if each <= rest[0]["state"][1]]:
                    self.seconds.append(time.perf_counter() - struck.pop(sequence))
                self.notices += filter(None, [rest[0]["notice"]])


def units(text: str) -> int:
    """Return the length of a text in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


async def seconds_to_cut(address: str, query: str) -> float:
    """Return the seconds from opening a page of a link, with a pattern of one's own, to its pretokens."""
    begun = time.perf_counter()
    async with Tab(address, "bytes", query) as tab:
        assert (await Page(tab).reply())["counts"]["used"] == 1
    return time.perf_counter() - begun
