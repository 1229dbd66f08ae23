"""Some tabs paste a million characters again and again while others type: how long those wait, and the memory.

    python tests/bench/pasting.py [--pasters 0,4,6] [--typists 10] [--seconds 20] [--text english|mixed] [--cores 0,1]

Starts a server of its own for each number of pasters. They are a process of their own, so that their work does not
count as waiting; each sends its next text as soon as the server takes it, and reads whatever comes. A key's time is
that from the key to the tokens of a text that holds it (see `classroom`).
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import statistics
import time

import classroom
import websockets
from harness import serving
from stream_client import Tab

from tokviz.core.samples import sample

PASTED = 1_000_000


async def paste(address: str, text: str, replies: list[int]) -> None:
    """Open a page, and replace its whole text until cancelled."""
    async with Tab(address) as tab:
        paster = classroom.Typist(tab, "")
        async with websockets.connect(
            paster.address, subprotocols=["tokviz", paster.token], max_size=None, compression=None
        ) as socket:
            await socket.send(json.dumps(["follow", paster.document, None, None]))
            _, _, version, sequence, begin = json.loads(await socket.recv())
            await socket.send(json.dumps(["show", paster.view]))

            async def read() -> None:
                async for message in socket:
                    replies[0] += message.startswith('["tokens"')

            reading = asyncio.create_task(read())
            length = classroom.units(begin)
            while not reading.done():
                sequence += 1
                turned = sequence * 1_009 % PASTED
                pasted = text[turned:] + text[:turned]
                edit = ["edit", paster.document, version, sequence, 0, length, pasted, classroom.units(pasted)]
                await socket.send(json.dumps(edit, ensure_ascii=False))
                length = classroom.units(pasted)


def paste_all(address: str, n: int, language: str, told: multiprocessing.Queue) -> None:
    """Run so many pasters until this process is ended; tell every second how many replies came."""
    os.nice(10)  # elsewhere they would not take the server's processors
    text = (sample(language) * (PASTED // len(sample(language)) + 1))[:PASTED]
    while classroom.units(text) > PASTED:
        text = text[: len(text) - (classroom.units(text) - PASTED + 1) // 2]
    replies = [0]

    async def all_of_them() -> None:
        pasting = [asyncio.create_task(paste(address, text, replies)) for _ in range(n)]
        while not any(task.done() for task in pasting):
            await asyncio.sleep(1)
            told.put(replies[0])
        await asyncio.gather(*pasting)

    asyncio.run(all_of_them())


async def measure(address: str, n_pasters: int, options: argparse.Namespace) -> None:
    """Let all work, and print what the typists waited."""
    server = classroom.server_of(address)
    tabs = [Tab(address) for _ in range(options.typists)]
    for tab in tabs:
        await tab.__aenter__()
    before = server.memory_info().rss
    keys = (sample("mixed") * 20)[: int(options.seconds / classroom.EVERY)]
    told: multiprocessing.Queue = multiprocessing.Queue()
    pasters = multiprocessing.Process(target=paste_all, args=(address, n_pasters, options.text, told), daemon=True)
    if n_pasters:
        pasters.start()
        await asyncio.sleep(5)
    memory: list[tuple[float, float]] = []
    watching = asyncio.create_task(classroom.watch(server, memory))
    typists = [classroom.Typist(tab, keys) for tab in tabs]
    start = time.perf_counter()
    await asyncio.gather(*(typist.type() for typist in typists))
    took = time.perf_counter() - start
    watching.cancel()
    replies = 0
    while not told.empty():
        replies = told.get()
    lost = sum(typist.served != typist.typed for typist in typists)
    seconds = [second for typist in typists for second in typist.seconds]
    shown = statistics.quantiles(seconds, n=100)
    print(
        f"pasters {n_pasters}: key to reply p50 {1000 * shown[49]:.1f} ms, p95 {1000 * shown[94]:.0f} ms, "
        f"p99 {1000 * shown[98]:.0f} ms, longest {1000 * max(seconds):.0f} ms; {len(seconds)} keys in {took:.0f} s, "
        f"texts not as typed: {lost}; memory {before / 1e6:.0f} MB before, at most {max(m[1] for m in memory):.0f} MB "
        f"({max(m[0] for m in memory):.0f} with children); {replies} replies to pasters",
        flush=True,
    )
    if n_pasters:
        pasters.kill()
    for tab in tabs:
        await tab.__aexit__()


def main() -> None:
    """Start servers and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pasters", default="0,4,6")
    parser.add_argument("--typists", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--text", default="mixed")
    parser.add_argument("--cores", default="0,1")
    options = parser.parse_args()
    os.sched_setaffinity(0, map(int, options.cores.split(",")))
    for n_pasters in map(int, options.pasters.split(",")):
        with serving("app.py") as address:
            asyncio.run(measure(address, n_pasters, options))


if __name__ == "__main__":
    main()
