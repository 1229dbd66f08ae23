"""What a server does as it starts, alongside the first requests."""

import gc
import importlib
import os
import sys
import time
import urllib.request
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from threading import Thread
from typing import Any

import tokviz
from tokviz import api
from tokviz.core.engine import CUTS_AFTER, MERGES_AFTER
from tokviz.formats.pretrained import LOADED, PRETRAINED
from tokviz.server import OPEN
from tokviz.server.failures import limiting_repeated_tracebacks
from tokviz.system import sandbox
from tokviz.system.child_turns import Client, Task

# Seconds after which a thread that computes lets the loop go on, which takes the interpreter about four times a key.
SWITCH = 0.001
# Imported in children, and with them the modules that run patterns.
IN_CHILDREN = ("tokviz.formats.chat_settings_file", "tokviz.formats.files")
CHILD_SECONDS = 10.0
WARMING = "warming"  # the name of the thread
# Tokens of all pretrained tokenizers that are kept, each of which takes 0.7 kB with what encodes: about 600 MB.
TOKENS_MAX = 900_000
ANSWER_SECONDS = 30.0  # that a server may take to answer


def lifespan(
    begin: Callable[[], None], modules: Iterable[str], option: Callable[[str], Any]
) -> Callable[[object], AbstractAsyncContextManager[None]]:
    """Return the lifespan of a server: it serves at once, and reads the rank tables and imports modules meanwhile.

    begin: is called before the first request. option: gives the values of Streamlit's settings. Where the environment
    has OPEN, a browser opens the pages.
    """

    @asynccontextmanager
    async def run_around(_app: object) -> AsyncIterator[None]:
        LOADED.tokens_max = TOKENS_MAX
        freeze_loaded_objects()
        begin()
        sys.setswitchinterval(SWITCH)
        if os.environ.get(OPEN) and browser_would_open_window():
            Thread(target=open_pages_if_soon_ready, args=(pages_address(option),), daemon=True).start()
        # Nobody waits for its end, so that a server stops at once.
        Thread(target=warm_up, args=(modules,), name=WARMING, daemon=True).start()
        with limiting_repeated_tracebacks():
            yield

    return run_around


def warm_up(modules: Iterable[str]) -> None:
    """Read the rank tables, starting with the pages' default, warm a child process, and import what pages show.

    With the HTTP interface, whole texts are counted too, so that no request waits for tiktoken's regular expressions.
    """
    text = " a" * CUTS_AFTER if api.is_on() else ""
    for name in sorted(PRETRAINED, key="cl100k_base".__ne__):
        tokviz.load(name).encode_pretoken(" " * MERGES_AFTER)
        tokviz.load(name).count(text)
    with suppress(sandbox.SandboxError), sandbox.as_task(Task(Client())):
        sandbox.call(import_all, IN_CHILDREN, seconds=CHILD_SECONDS, what="starting")
    import_all(modules)
    freeze_loaded_objects()


def freeze_loaded_objects() -> None:
    """Let the garbage collector skip what is loaded so far, instead of walking through it for every page that opens.

    Cycles among it are never freed: a few sessions at most, since this happens only while a server starts.
    """
    gc.collect()
    gc.freeze()


def import_all(modules: Iterable[str]) -> None:
    """Import modules."""
    for module in modules:
        importlib.import_module(module)


def pages_address(option: Callable[[str], Any]) -> str:
    """Return where a browser on this machine finds the pages.

    >>> pages_address({"browser.serverAddress": "127.0.0.1", "server.port": 8501, "server.baseUrlPath": "/t/"}.get)
    'http://127.0.0.1:8501/t'
    """
    host, port = option("browser.serverAddress"), option("server.port")
    return f"http://{host}:{port}/{(option('server.baseUrlPath') or '').strip('/')}".rstrip("/")


def browser_would_open_window() -> bool:
    """Return whether a browser would open in a window; on a terminal without one, Python would start one in text."""
    return sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def open_pages_if_soon_ready(address: str) -> None:
    """Open the pages in a browser as soon as the server answers."""
    until = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < until:
        with suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=5):
            webbrowser.open(address)
            return
        time.sleep(0.1)
