"""Twelve hostile tabs and six that paste without pause beside newcomers: how long those wait, minute by minute.

    python tests/bench/attack.py [--seconds 60] [--rounds 1] [--beside FOLDER] [--hostile 12] [--pasters 6]

Starts a server of its own. The hostile tabs have a split pattern that never ends, and type; the others replace their
text by 300,000 characters again and again. They are a process of their own, as if on other machines. Meanwhile one
newcomer after another types, ten keys a second, and another opens a page with a pattern of their own. Printed are the
times of both for every 30 seconds, the server's memory and processor time, and how many sockets of the attackers were
closed. With another checkout beside, the two are attacked in turn, for that many rounds.
"""

import argparse
import asyncio
import contextlib
import multiprocessing
import os
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
from harness import ROOT, STARTED
from hostile_inputs import cutting, link
from live_page import Page, seconds_to_cut
from serving import free_port
from stream_client import Tab
from websockets.exceptions import ConnectionClosed

from tokviz.core.samples import sample

PASTED = 300_000  # characters
PART = 30.0  # seconds
TYPED = 8.0  # seconds that a newcomer types
ENDLESS = link(text="a" * 5_000 + "c", options=cutting("(?:a|aa|aaa)+$"))
ATTACKING = 8.0  # seconds until all attackers are there


@contextlib.contextmanager
def server_of(folder: Path) -> Iterator[tuple[str, psutil.Process]]:
    """Start the server of a checkout; yield its address and its process."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "tokviz", "serve", "--port", str(port)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("SPY", "")])},
        **quiet,
    )
    try:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                break
            time.sleep(0.1)
        time.sleep(STARTED)
        yield address, psutil.Process(server.pid)
    finally:
        server.terminate()
        server.wait(20)


async def attack(address: str, paste: str | None, closed: "multiprocessing.Queue[str]") -> None:
    """Open a tab and do its worst, anew whenever its socket is closed."""
    while True:
        try:
            async with Tab(address, *([] if paste else ["bytes", ENDLESS])) as tab:
                page = Page(tab)
                while True:
                    try:
                        await (page.paste(paste) if paste else page.type())
                    except* ConnectionClosed as e:
                        closed.put(str(e.exceptions[0]))
                        await asyncio.sleep(1)
        except Exception as e:
            closed.put(f"the tab: {e!r}")
            await asyncio.sleep(1)


def attackers(address: str, n_hostile: int, n_pasters: int, closed: "multiprocessing.Queue[str]") -> None:
    """Attack until this process is ended."""
    os.nice(10)  # elsewhere they would not take the server's processors
    text = (sample("mixed") * (PASTED // len(sample("mixed")) + 1))[:PASTED]

    async def all_of_them() -> None:
        async with asyncio.TaskGroup() as tasks:
            for number in range(n_hostile + n_pasters):
                tasks.create_task(attack(address, text if number >= n_hostile else None, closed))

    asyncio.run(all_of_them())


async def newcomers(address: str, keys: list[float], patterns: list[float], until: float) -> None:
    """Note how long the keys of newcomers take, and the patterns of others, until a time."""
    number = 0
    while time.monotonic() < until:
        async with Tab(address) as tab:
            page = Page(tab)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TYPED):
                    await page.type(0.1)
            keys += page.seconds
        number += 1
        query = link(text="one two " * 200, options=cutting(f"[a-z]+ ?|{time.time_ns()}"))
        patterns.append(await seconds_to_cut(address, query))


async def measure(name: str, address: str, server: psutil.Process, options: argparse.Namespace) -> None:
    """Print what newcomers wait, part by part."""
    closed: multiprocessing.Queue[str] = multiprocessing.Queue()
    process = multiprocessing.Process(
        target=attackers, args=(address, options.hostile, options.pasters, closed), daemon=True
    )
    process.start()
    await asyncio.sleep(ATTACKING)
    begun = time.monotonic()
    worked = server.cpu_times()
    while (now := time.monotonic()) < begun + options.seconds:
        keys: list[float] = []
        patterns: list[float] = []
        await newcomers(address, keys, patterns, min(now + PART, begun + options.seconds))
        reasons: list[str] = []
        while not closed.empty():
            reasons.append(closed.get())
        last, worked = worked, server.cpu_times()
        share = (worked.user + worked.system - last.user - last.system) / (time.monotonic() - now)
        shown = statistics.quantiles(keys, n=100)
        print(
            f"{name} {now - begun:4.0f} s: {len(keys)} keys, median {1000 * shown[49]:.0f} ms, "
            f"p95 {1000 * shown[94]:.0f}, longest {1000 * max(keys):.0f}; patterns {min(patterns):.2f} to "
            f"{max(patterns):.2f} s; server {server.memory_info().rss / 1e6:.0f} MB, {100 * share:.0f}% of a core; "
            f"closed {len(reasons)} {sorted(set(reasons))}; load {os.getloadavg()[0]:.1f}",
            flush=True,
        )
    process.kill()
    process.join()


def main() -> None:
    """Attack one server, or two in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="another checkout")
    parser.add_argument("--hostile", type=int, default=12)
    parser.add_argument("--pasters", type=int, default=6)
    options = parser.parse_args()
    folders = {"here": ROOT} | ({"beside": options.beside.resolve()} if options.beside else {})
    for _ in range(options.rounds):
        for name, folder in folders.items():
            with server_of(folder) as (address, server):
                asyncio.run(measure(name, address, server, options))


if __name__ == "__main__":
    main()
