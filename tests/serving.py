"""A server that runs an app on a free port, and how Chromium is started: for the browser tests and the benches."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def free_port() -> int:
    """Return a port no one listens on."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


@contextmanager
def serving(app: str, *options: str, **environment: str) -> Iterator[str]:
    """Start an app, a path from the top of the repository, with options of Streamlit's; yield its address.

    environment: variables besides those of the tests.
    """
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    server = app if app == "app.py" else "tests/browser/apps/served.py"
    arguments = ["-m", "streamlit", "run", server, "--server.port", str(port), *options]
    with started(arguments, address, SCRIPT=str(ROOT / app), **environment):
        yield address


@contextmanager
def started(
    arguments: Sequence[str], address: str, *, log: Path | None = None, **environment: str
) -> Iterator[subprocess.Popen]:
    """Start a server by Python and its arguments, wait until it answers at its address, and yield its process.

    environment: variables besides those of the tests; a PYTHONPATH is searched before the top of the repository.
    """
    path = os.pathsep.join(filter(None, [environment.pop("PYTHONPATH", os.environ.get("PYTHONPATH")), str(ROOT)]))
    with open(log or os.devnull, "wb") as out:
        server = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=os.environ | environment | {"PYTHONPATH": path},
            stdout=out,
            stderr=out,
        )
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1)
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise TimeoutError(f"{' '.join(arguments)} did not start")
        yield server
    finally:
        server.terminate()
        server.wait(10)
