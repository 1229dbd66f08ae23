"""Child processes: how this Python starts one of its own modules beside it, and how that one ends with its parent.

In: the name of a module. Out: a process that is spoken to in pickles, by its standard input and output. It is a new
interpreter, since a fork is unsafe where threads run, as in a server, and since `multiprocessing` would run the
parent's script again in every child, where that does not guard itself with `if __name__ == "__main__"`.

A parent can be killed before it ends anybody. The system then closes its end of the pipe that is the child's standard
input: a thread of the child waits for that, and ends the process at once, whatever else it is doing.
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
from typing import BinaryIO


def started(module: str, *, stderr: int | None = None, **environment: str) -> subprocess.Popen[bytes]:
    """Return a new process that runs a module, which finds what can be imported here.

    stderr: as for `subprocess.Popen`. environment: variables besides those of this process.
    """
    path = [*filter(None, sys.path), str(Path(__file__).parents[2])]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],  # -P: nothing in the folder that we are in stands for a library
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=os.environ | environment | {"PYTHONPATH": os.pathsep.join(path)},
        # An interrupt at the terminal is not for it, which ends with its parent. Not a session of its own: Linux shares
        # the processor among sessions first, and its niceness would mean nothing to its parent.
        process_group=0,
    )


def send(process: subprocess.Popen[bytes], message: object) -> None:
    """Send a message to a process; OSError where it has ended."""
    pickle.dump(message, process.stdin, pickle.HIGHEST_PROTOCOL)
    process.stdin.flush()


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and let go of its pipes."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):  # a message that was not sent to the end
            pipe.close()


def messages_from_parent() -> Iterator[object]:
    """Yield, in a child, what its parent sends; the process ends as soon as the parent has."""
    received: SimpleQueue[object] = SimpleQueue()
    Thread(target=_receive, args=(sys.stdin.buffer, received), daemon=True).start()
    while True:
        yield received.get()


def _receive(pipe: BinaryIO, received: "SimpleQueue[object]") -> None:
    try:
        while True:
            received.put(pickle.load(pipe))
    except EOFError:
        os._exit(0)
    finally:
        os._exit(1)


def pipe_to_parent() -> BinaryIO:
    """Return, in a child, where messages to its parent go; what a library prints goes to standard error from now on."""
    pipe = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return pipe
