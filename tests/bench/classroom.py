"""A classroom at one server: how long a key takes to its reply while thirty type and two of them train.

    python tests/bench/classroom.py [--typists 30] [--characters 2000] [--trainers 2] [--cores 0,1]

Starts a server of its own, and speaks to it as so many tabs do, in one process. Each opens the playground (see
`stream_client`) and types a text over the live socket, a key every 300 ms. A key's time is that from the key to the
tokens of a text that holds it. Two of them have the train page open in a second tab, upload 12 MB of Python there, and
train a vocabulary of 32,768 again and again. Printed are times, the memory of the server and its training processes
(proportional share of each), and that no key was lost: the server's text is the text typed.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import statistics
import time
from pathlib import Path
from typing import Any

import psutil
import websockets
from harness import serving
from stream_client import Tab, cookie_of

from tokviz.core.samples import sample

EVERY = 0.3  # seconds
TRAINED_BYTES = 12_000_000
VOCAB_SIZE = 32_768


class Typist:
    """A person at the editor of a page, and the seconds from each key to the tokens of its text."""

    def __init__(self, tab: Tab, text: str) -> None:
        shown = json.loads(tab.elements["playground"].bytes)
        self.token, self.document, self.view = shown["token"], shown["document"], shown["view"]
        self.address, self.text = tab.address.replace("http", "ws") + "/live", text
        self.seconds: list[float] = []
        self.typed = self.served = ""  # the text as it was typed, and as the server has it
        self.n_bytes = 0
        self._struck: dict[int, float] = {}  # when each edit was made that has no tokens yet

    async def type(self) -> None:
        """Type all of the text, then ask the server for what it has."""
        async with websockets.connect(self.address, subprotocols=["tokviz", self.token], max_size=None) as self.socket:
            await self._say("follow", self.document, None, None)
            _, _, self.version, sequence, begin = await self._heard("text")
            await self._say("show", self.view)
            await self._heard("tokens")
            await self._say("painted", self.view)
            listening = asyncio.create_task(self._listen())
            await asyncio.sleep(random.uniform(0, EVERY))
            start, at = time.perf_counter(), units(begin)
            for i, key in enumerate(self.text, 1):
                await asyncio.sleep(max(0, start + i * EVERY - time.perf_counter()))
                self._struck[sequence + i] = time.perf_counter()
                await self._say("edit", self.document, self.version, sequence + i, at, 0, key, at + units(key))
                at += units(key)
            self.typed = begin + self.text
            await asyncio.wait_for(listening, 60)
            await self._say("follow", self.document, None, None)
            *_, self.served = await self._heard("text")

    async def _say(self, *message: object) -> None:
        await self.socket.send(json.dumps(message))

    async def _next(self) -> list[Any]:
        raw = await self.socket.recv()
        self.n_bytes += len(raw)
        return json.loads(raw)

    async def _heard(self, kind: str) -> list[Any]:
        while (message := await self._next())[0] != kind:
            pass
        return message

    async def _listen(self) -> None:
        """Note when the tokens of each edit come, until all have come."""
        while len(self.seconds) < len(self.text):
            reply = (await self._heard("tokens"))[2]
            now, (version, sequence) = time.perf_counter(), reply["state"]
            assert version == self.version
            for edit in [edit for edit in self._struck if edit <= sequence]:
                self.seconds.append(now - self._struck.pop(edit))


def units(text: str) -> int:
    """Return the length of a text in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


async def train_again_and_again(tab: Tab, cookie: str, corpus: bytes, seconds: list[float]) -> None:
    """Upload a corpus and train on it until cancelled; note how long each training took."""
    await tab.set("train_on", string_array_value={"data": ["Files"]})
    await tab.until(lambda: "_training_files 0" in tab.elements)
    await tab.upload("_training_files 0", {"corpus.txt": corpus}, cookie)
    await tab.until(lambda: "_training_files 1" in tab.elements)  # an uploader that is empty again
    while True:
        # Of another size each time, since the tab keeps what it has trained.
        await tab.set("vocab_size", double_value=VOCAB_SIZE - len(seconds))
        start = time.perf_counter()
        await tab.press("Train")
        await tab.until(lambda: tab.repeating)
        await tab.until(lambda: not tab.repeating, 600)
        shown = tab.n_finished + 1
        await tab.until(lambda shown=shown: tab.n_finished >= shown)  # the run of the page that shows the result
        seconds.append(time.perf_counter() - start)


def server_of(address: str) -> psutil.Process:
    """Return the process of a server that this one has started."""
    for process in psutil.Process().children():
        with contextlib.suppress(psutil.ZombieProcess):
            if f"--server.port {address.rsplit(':', 1)[1]}" in " ".join(process.cmdline()):
                return process
    raise ProcessLookupError(f"no child of this process serves {address}")


def memory_of(server: psutil.Process) -> tuple[float, float]:
    """Return megabytes of the server with its children, and of the server alone."""
    total = alone = 0.0
    for process in (server, *server.children(recursive=True)):
        try:
            size = process.memory_full_info().pss / 1e6
        except psutil.NoSuchProcess:
            continue
        total += size
        alone = alone or size
    return total, alone


async def watch(server: psutil.Process, found: list[tuple[float, float]]) -> None:
    """Note the memory every second."""
    while True:
        found.append(memory_of(server))
        await asyncio.sleep(1)


async def lesson(address: str, options: argparse.Namespace) -> None:
    """Let all type, and print what was measured."""
    server = server_of(address)
    text = (sample("mixed") * (options.characters // len(sample("mixed")) + 1))[: options.characters]
    corpus = "".join(path.read_text("utf-8") for path in sorted(Path(os.__file__).parent.glob("*.py"))).encode()
    corpus = (corpus * (TRAINED_BYTES // len(corpus) + 1))[:TRAINED_BYTES]
    memory: list[tuple[float, float]] = [memory_of(server)]
    tabs = [Tab(address) for _ in range(options.typists)]
    training = [Tab(address, "train") for _ in range(options.trainers)]
    for tab in [*tabs, *training]:
        await tab.__aenter__()
    opened = memory_of(server)
    typists = [Typist(tab, text) for tab in tabs]
    cookie = await asyncio.to_thread(cookie_of, address)
    trained: list[list[float]] = [[] for _ in training]
    beside = [asyncio.create_task(watch(server, memory))]
    beside += [
        asyncio.create_task(train_again_and_again(tab, cookie, corpus, seconds))
        for tab, seconds in zip(training, trained, strict=True)
    ]
    load, before = os.getloadavg()[0], server.cpu_times()
    await asyncio.gather(*(typist.type() for typist in typists))
    after = server.cpu_times()
    for task in beside:
        task.cancel()
    results = await asyncio.gather(*beside, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            print(f"A trainer or the watch failed: {result!r}, for {result.__cause__!r}")
    seconds = [second for typist in typists for second in typist.seconds]
    print(
        f"typists {len(tabs)}, {options.characters:,} characters each, trainers {options.trainers}; "
        f"load before {load:.1f}"
    )
    lost = sum(typist.served != typist.typed or len(typist.seconds) != len(text) for typist in typists)
    shown = statistics.quantiles(seconds, n=100)
    print(
        f"key to reply: p50 {1000 * shown[49]:.0f} ms, p95 {1000 * shown[94]:.0f} ms, p99 {1000 * shown[98]:.0f} ms, "
        f"longest {1000 * max(seconds):.0f} ms; {len(seconds):,} keys, texts that are not what was typed: {lost}"
    )
    peak, alone = max(total for total, _ in memory), max(alone for _, alone in memory)
    print(
        f"memory: {memory[0][0]:.0f} MB before, {opened[1]:.0f} MB with {len(tabs)} pages open, at most "
        f"{alone:.0f} MB server alone, {peak:.0f} MB with trainings"
    )
    busy = after.user + after.system - before.user - before.system
    print(f"the server's own work: {1000 * busy / len(seconds):.1f} ms a key")
    took = [second for of_one in trained for second in of_one]
    print(
        f"sent: {sum(typist.n_bytes for typist in typists) / len(seconds) / 1000:.1f} kB a key; trainings: {len(took)}"
        + (f", of {min(took):.1f} to {max(took):.1f} s" if took else "")
    )
    for tab in [*tabs, *training]:
        await tab.__aexit__()


def main() -> None:
    """Start a server and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--typists", type=int, default=30)
    parser.add_argument("--characters", type=int, default=2_000)
    parser.add_argument("--trainers", type=int, default=2)
    parser.add_argument("--cores", default="0,1")
    options = parser.parse_args()
    os.sched_setaffinity(0, map(int, options.cores.split(",")))
    with serving("app.py") as address:
        asyncio.run(lesson(address, options))


if __name__ == "__main__":
    main()
