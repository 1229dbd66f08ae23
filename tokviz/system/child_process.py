"""Child processes: start one of our own modules beside this process, and end it when its parent ends.

A child is a new interpreter: a fork is unsafe in a process with threads, and `multiprocessing` would run the parent's
script again. A parent may be killed before it ends anybody; the system then closes the child's standard input, and a
thread of the child that waits for that ends it at once.
"""

import contextlib
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO


def start(module: str, *arguments: str, stderr: int | None = None, **environment: str) -> subprocess.Popen[bytes]:
    """Return a new process that runs a module with arguments, and with the same import path as this one.

    stderr: as for `subprocess.Popen`. environment: variables besides those of this process.
    """
    path = [*filter(None, sys.path), str(Path(__file__).parents[2])]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, *arguments],  # -P: no file in the current folder can pass for a library
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=os.environ | environment | {"PYTHONPATH": os.pathsep.join(path)},
        # An interrupt at the terminal is not meant for it; it ends with its parent. It shares our session:
        # Linux divides the processor among sessions first, and its niceness would not count against its parent's.
        process_group=0,
    )


def send(process: subprocess.Popen[bytes], message: object) -> None:
    """Send a message to a process; OSError if it has ended."""
    pipe = process.stdin
    assert pipe  # as for every process that `start` returned
    pickle.dump(message, pipe, pickle.HIGHEST_PROTOCOL)
    pipe.flush()


def receive(process: subprocess.Popen[bytes]) -> Any:
    """Return the next message of a process; EOFError, OSError or UnpicklingError if it ends instead."""
    assert process.stdout  # as for every process that `start` returned
    return pickle.load(process.stdout)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and close its pipes."""
    process.kill()
    process.wait()
    for pipe in filter(None, (process.stdin, process.stdout)):
        with contextlib.suppress(OSError):  # a message was only partly sent
            pipe.close()


def messages_from_parent() -> Iterator[Any]:
    """Yield, in a child, what its parent sends; the process ends as soon as the parent has."""
    received: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_receive, args=(sys.stdin.buffer, received), daemon=True).start()
    while True:
        yield received.get()


def _receive(pipe: BinaryIO, received: "SimpleQueue[Any]") -> None:
    try:
        while True:
            received.put(pickle.load(pipe))
    except EOFError:
        os._exit(0)
    finally:
        os._exit(1)


def pipe_to_parent() -> BinaryIO:
    """Return, in a child, the pipe to its parent; from now on whatever libraries print goes to standard error."""
    pipe = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return pipe
