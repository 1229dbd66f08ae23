"""How many texts the HTTP interface counts, and how long an answer takes while thirty people type.

Run `python tests/bench/api.py` from the top of the repository. 32 clients count texts of a kilobyte, each over one
connection: ten times a second each, then as soon as each is answered. They begin once the pages of those who type have
been drawn.
"""

import asyncio
import json
import random
import time
from itertools import chain
from urllib.parse import urlsplit

from classroom import EVERY, Typist
from harness import options_of, print_head, print_row, serving
from stream_client import Tab

from tokviz.core.samples import sample

CLIENTS = 32
DRAWN = 3.0  # seconds that people type before the clients begin, while their pages are drawn
SECONDS = 8.0
BODY = json.dumps({"input": "The quick brown fox jumps over the lazy dog. " * 23, "tokenizer": "o200k_base"}).encode()


async def client(host: str, port: int, until: float, pause: float) -> list[float]:
    """Return the milliseconds of each answer to one client."""
    reader, writer = await asyncio.open_connection(host, port)
    head = f"POST /api/v1/count HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
    request = head.encode() + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY
    found = []
    await asyncio.sleep(random.uniform(0, pause))
    while time.perf_counter() < until:
        start = time.perf_counter()
        writer.write(request)
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 200"), answer
        length = next(line for line in answer.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.partition(b":")[2]))
        found.append(1000 * (time.perf_counter() - start))
        await asyncio.sleep(max(0.0, pause - (time.perf_counter() - start)))
    writer.close()
    return found


async def measured(address: str, typists: int) -> None:
    """Print how long answers take while people type, at a pace and as fast as they come."""
    host, port = urlsplit(address).hostname or "", urlsplit(address).port or 0
    text = sample("mixed")
    for name, pause, goal in (("ten a second each", 0.1, "10 ms"), ("one after another", 0.0, "")):
        tabs = [Tab(address) for _ in range(typists)]
        for tab in tabs:
            await tab.__aenter__()
        people = [Typist(tab, text[: int((DRAWN + SECONDS) / EVERY)]) for tab in tabs]
        typing = [asyncio.create_task(person.type()) for person in people]
        await asyncio.sleep(DRAWN)
        until = time.perf_counter() + SECONDS
        clients = await asyncio.gather(*(client(host, port, until, pause) for _ in range(CLIENTS)))
        found = sorted(chain.from_iterable(clients))
        await asyncio.gather(*typing)
        keys = sorted(1000 * seconds for person in people for seconds in person.seconds[round(DRAWN / EVERY) :])
        print_row(f"{CLIENTS} clients, {name}, {len(found) / SECONDS:,.0f} texts a second", found, digits=1)
        print_row("their p95", [found[int(0.95 * len(found))]], goal, digits=1)
        print_row(f"meanwhile, a key of {typists} people, p95", [keys[int(0.95 * len(keys))]], digits=1)
        for tab in tabs:
            await tab.__aexit__(None, None, None)


def main() -> None:
    """Measure, and print the table."""
    options = options_of(__doc__, runs=30).parse_args()
    with serving("app.py", TOKVIZ_API="1") as address:
        print_head()
        asyncio.run(measured(address, options.runs))


if __name__ == "__main__":
    main()
