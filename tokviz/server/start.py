"""What a server does as it starts, beside the first requests."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import tokviz
from tokviz.formats.pretrained import PRETRAINED
from tokviz.system import sandbox


@asynccontextmanager
async def warmed(_app: object) -> AsyncIterator[None]:
    """Serve at once, and meanwhile read the rank tables; the lifespan of the server."""
    # The collector passes over what is loaded so far, which it would walk through again and again. Now, for it never
    # frees anything of a session that has begun.
    gc.collect()
    gc.freeze()
    warming = asyncio.create_task(asyncio.to_thread(warm))
    yield
    await warming


def warm() -> None:
    """Read the rank tables, the one that the pages begin with first, and start a child process."""
    for name in sorted(PRETRAINED, key="cl100k_base".__ne__):
        tokviz.load(name).encode("")
    sandbox.warm()
