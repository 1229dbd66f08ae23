"""Child processes: a new interpreter that runs one of our modules, exchanges messages with its parent and ends with it.

A fork is unsafe in a process with threads, and `multiprocessing` would run the parent's script again. A parent may be
killed before it ends anybody. The system then closes its end of the connection, and the child ends.
"""

import contextlib
import importlib
import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

# Libraries that reserve memory for every core would exceed a limit on a large machine.
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "RAYON_NUM_THREADS"), "1")


class ChildProcess(subprocess.Popen[bytes]):
    """A process that runs the function `main` of a module; `connection` carries messages to it and from it."""

    def __init__(self, module: str, *arguments: str, is_limited: bool = False) -> None:
        """Start it with the arguments of `main`, and with the same import path as this process.

        is_limited: whether it limits its own memory. It then writes nothing to standard error.
        """
        path = [*filter(None, sys.path), str(Path(__file__).parents[2])]
        self.connection, theirs = Pipe()
        with theirs:
            super().__init__(
                # -P: no file in the current folder can pass for a library.
                [sys.executable, "-P", "-m", __name__, module, *arguments],
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=subprocess.DEVNULL if is_limited or sys.stderr is None else None,
                env=os.environ | (ONE_THREAD if is_limited else {}) | {"PYTHONPATH": os.pathsep.join(path)},
                # An interrupt at the terminal is not meant for it; it ends with its parent. It shares our session:
                # Linux divides the processor among sessions first, and its niceness would not count against its
                # parent's.
                process_group=0,
            )

    def end(self) -> None:
        """Kill it, and close the connection."""
        self.kill()
        self.wait()
        self.connection.close()


def take_connection_to_parent() -> Connection:
    """Return, in a child, the connection to its parent; whatever libraries print goes to standard error from now on."""
    connection = Connection(os.dup(sys.stdin.fileno()))
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with open(os.devnull) as nothing:  # or what the child starts would hold the connection open
        os.dup2(nothing.fileno(), sys.stdin.fileno())
    return connection


def answer_parent(answers: Callable[[Any], Iterable[object]]) -> None:
    """Send, in a child, the answers to each message of its parent; the process ends as soon as the parent has."""
    connection, received = take_connection_to_parent(), SimpleQueue[Any]()
    Thread(target=_queue_messages_until_parent_ends, args=(connection, received), daemon=True).start()
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        while True:
            for answer in answers(received.get()):
                connection.send(answer)


def _queue_messages_until_parent_ends(connection: Connection, received: SimpleQueue[Any]) -> None:
    try:
        while True:
            received.put(connection.recv())
    except (EOFError, OSError):
        os._exit(0)
    except BaseException:  # such as a message of a class that is not known here
        traceback.print_exc()
        os._exit(1)


if __name__ == "__main__":
    importlib.import_module(sys.argv[1]).main(*sys.argv[2:])
