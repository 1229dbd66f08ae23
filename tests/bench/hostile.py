"""One session does its worst while another types: how long the typist waits.

    python tests/bench/hostile.py [--show]

Starts a server of its own and speaks to it as two tabs do (see `stream_client`). One types a key every 100 ms; a key's
time is that from the key to the reply that holds it. The other opens links with hostile patterns and tokenizers,
hostile files and foreign sockets, one after the other. Printed are the typist's times while nothing else happens, and
meanwhile.
"""

import argparse
import asyncio
import contextlib
import statistics

import classroom
import websockets
from harness import serving
from hostile_inputs import FILES, LINKS
from stream_client import Tab, cookie_of

from tokviz.core.samples import sample

SECONDS = 60  # for one input of the hostile session


async def measure(address: str, show: bool) -> None:
    """Let both work, and print what the typist waited."""
    classroom.EVERY = 0.1
    cookie = await asyncio.to_thread(cookie_of, address)
    async with Tab(address) as tab:
        typist = classroom.Typist(tab, sample("mixed") * 20)
        typing = asyncio.create_task(typist.type())
        await asyncio.sleep(15)
        told("alone", typist)
        for name, (page, query) in LINKS.items():
            async with asyncio.timeout(SECONDS), Tab(address, page, query) as hostile:
                said(name, hostile, show)
        told("while hostile links are opened", typist)
        for name, data in ((name, made()) for name, made in FILES.items()):
            async with asyncio.timeout(SECONDS), Tab(address) as hostile:
                before = hostile.n_finished
                await hostile.upload("_tokenizer_file 0", {name: data}, cookie)
                await hostile.until(lambda hostile=hostile, before=before: hostile.n_finished > before)
                if name.endswith(".tiktoken"):  # the page asks for its pattern
                    await hostile.until(lambda hostile=hostile: "Open it" in hostile.elements)
                    await hostile.press("Open it")
                await hostile.until(lambda hostile=hostile: hostile.codes or "_tokenizer_file 1" in hostile.elements)
                said(name, hostile, show)
        told("while hostile files are opened", typist)
        for path in ("/_stcore/stream",) * 10:
            with contextlib.suppress(websockets.WebSocketException, OSError):
                await websockets.connect(f"{address.replace('http', 'ws')}{path}", origin="http://evil.example")
        await asyncio.sleep(5)
        told("while foreign pages ask for sockets", typist)
        typing.cancel()


def told(what: str, typist: classroom.Typist) -> None:
    """Print the typist's times since the last call."""
    waits = sorted(typist.seconds)
    typist.seconds.clear()
    print(
        f"{what}: {len(waits)} keys, median {1000 * statistics.median(waits):.0f} ms, "
        f"99% within {1000 * waits[int(len(waits) * 0.99) - 1]:.0f} ms, longest {1000 * waits[-1]:.0f} ms",
        flush=True,
    )


def said(name: str, tab: Tab, show: bool) -> None:
    """Print what the hostile session is told."""
    if show:
        print(f"  {name}: {' | '.join(tab.codes)[:200]}")


def main() -> None:
    """Start a server and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="print what the hostile session is told")
    options = parser.parse_args()
    with serving("app.py") as address:
        asyncio.run(measure(address, options.show))


if __name__ == "__main__":
    main()
