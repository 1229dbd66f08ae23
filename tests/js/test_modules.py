"""The modules of the browser's side, tested where Node is there; CI=true wants it."""

import os
import socket
import subprocess
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from js.kernels import serve
from programs import from_npm, node

HERE = Path(__file__).parent
ALL = "for (const file of process.argv.slice(1)) await import(file);"  # in one process


def run_tests(files: Iterable[Path], **options: Any) -> None:
    addresses = [file.as_uri() for file in sorted(files)]
    command = [node(), "--input-type=module", "--eval", ALL, *addresses]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
    assert run.returncode == 0, run.stdout + run.stderr


def test_modules():
    run_tests(HERE.glob("*.test.js"))


def test_components():
    here, there = socket.socketpair()
    environment = os.environ | {"NODE_MODULES": str(from_npm()), "KERNELS": str(there.fileno())}
    with here, there, here.makefile("r") as lines, here.makefile("w") as answers:
        kernels = threading.Thread(target=serve, args=(lines, answers))
        kernels.start()
        try:
            run_tests((HERE / "components").glob("*.test.js"), env=environment, pass_fds=[there.fileno()])
        finally:
            here.shutdown(socket.SHUT_RDWR)  # which ends the lines
            kernels.join()
