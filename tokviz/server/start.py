"""What a server does as it starts, alongside the first requests."""

import asyncio
import gc
import importlib
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import tokviz
from tokviz.formats.pretrained import PRETRAINED
from tokviz.system import sandbox_child

# Seconds after which a thread that computes lets the loop go on, which takes the interpreter some four times for a key.
SWITCH = 0.001


def warmed(modules: Iterable[str]) -> Callable[[object], AbstractAsyncContextManager[None]]:
    """Return the lifespan of a server: it serves at once, and reads the rank tables and imports modules meanwhile."""

    @asynccontextmanager
    async def lifespan(_app: object) -> AsyncIterator[None]:
        # Have the garbage collector skip what is loaded so far, instead of walking through it every time. This must
        # happen before the first session, since anything frozen is never freed.
        gc.collect()
        gc.freeze()
        sys.setswitchinterval(SWITCH)
        warming = asyncio.create_task(asyncio.to_thread(warm, modules))
        yield
        await warming

    return lifespan


def warm(modules: Iterable[str]) -> None:
    """Read the rank tables, starting with the pages' default, start a child process, and import what pages show."""
    for name in sorted(PRETRAINED, key="cl100k_base".__ne__):
        tokviz.load(name).encode_pretoken("")
    sandbox_child.warm()
    for module in modules:
        importlib.import_module(module)
