"""What a server does as it starts, alongside the first requests."""

import asyncio
import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import tokviz
from tokviz.formats.pretrained import PRETRAINED
from tokviz.system import sandbox_child

# Seconds after which a thread that computes lets the loop go on, which takes the interpreter some four times for a key.
SWITCH = 0.001


@asynccontextmanager
async def warmed(_app: object) -> AsyncIterator[None]:
    """Serve at once, and read the rank tables meanwhile; the lifespan of the server."""
    # Have the garbage collector skip what is loaded so far, instead of walking through it every time. This must happen
    # before the first session, since anything frozen is never freed.
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(SWITCH)
    warming = asyncio.create_task(asyncio.to_thread(warm))
    yield
    await warming


def warm() -> None:
    """Read the rank tables, starting with the pages' default, and start a child process."""
    for name in sorted(PRETRAINED, key="cl100k_base".__ne__):
        tokviz.load(name).encode("")
    sandbox_child.warm()
