"""The child process of `sandbox`: it limits itself, then answers requests until its input ends."""

import contextlib
import os
import pickle
import resource
import select
import signal
import sys
from pathlib import Path
from typing import BinaryIO

from tokviz.system import sandbox, sandbox_child
from tokviz.system.recent import forget_unused

MEMORY_BYTES = 1_500_000_000  # of address space; a tokenizer.json of 256,000 tokens takes half of it
STACK_BYTES = 8 * 2**20
GRACE_SECONDS = 1.0  # for functions that watch the clock themselves, and can say more than a kill does
WALL_TIMES, WALL_SECONDS = 5, 10  # of wall-clock time: a busy machine may be that much slower
NICENESS = 5  # lower priority than whoever is typing
# The tokenizers library leaks a megabyte for every tokenizer.
GROWN_BYTES = 1_000_000_000
IDLE_SECONDS = 60  # what it keeps of requests goes with it


def main() -> None:
    """Answer requests from standard input until it ends."""
    sandbox.inside = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    limits = {resource.RLIMIT_AS: MEMORY_BYTES, resource.RLIMIT_STACK: STACK_BYTES, resource.RLIMIT_CORE: 0}
    for limit, most in limits.items():
        hard = resource.getrlimit(limit)[1]
        resource.setrlimit(limit, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    requests, replies = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is not a reply
    while request := _request(requests):
        kind, reply = _reply(request, replies)
        replies.write(kind + sandbox_child.LENGTH.pack(len(reply)))
        replies.write(reply)
        replies.flush()
        forget_unused(IDLE_SECONDS)
        if _resident_bytes() > GROWN_BYTES or not select.select([requests], [], [], IDLE_SECONDS)[0]:
            break
    os._exit(0)  # at once; a caller starts another in the meantime


def _resident_bytes() -> int:
    """Return the memory of this process; on Linux `ru_maxrss` would start from the parent's."""
    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in bytes on macOS


def _request(requests: BinaryIO) -> bytes:
    header = requests.read(sandbox_child.LENGTH.size)
    return requests.read(sandbox_child.LENGTH.unpack(header)[0]) if len(header) == sandbox_child.LENGTH.size else b""


def _reply(request: bytes, replies: BinaryIO) -> tuple[bytes, bytes]:
    """Return the pickled result of a request, or the exception it ended in; say when its work begins."""
    try:
        try:
            function, arguments, seconds = pickle.loads(request)
        finally:
            replies.write(sandbox_child.STARTED)
            replies.flush()
        _set_timers(seconds)
        try:
            return sandbox_child.RESULT, pickle.dumps(function(*arguments), pickle.HIGHEST_PROTOCOL)
        finally:
            _set_timers(None)
    except MemoryError:
        return sandbox_child.ERROR, pickle.dumps(MemoryError())
    except BaseException as e:  # a Rust panic is a BaseException
        return _pickled_error(e)


def _set_timers(seconds: float | None) -> None:
    """Limit this process to so many seconds of its own work, even if a library holds the GIL; None: no limit."""
    for timer, most in (
        (signal.ITIMER_PROF, None if seconds is None else seconds + GRACE_SECONDS),
        (signal.ITIMER_REAL, None if seconds is None else seconds * WALL_TIMES + WALL_SECONDS),
    ):
        signal.setitimer(timer, most or 0)


def _pickled_error(e: BaseException) -> tuple[bytes, bytes]:
    """Return an exception that can be raised elsewhere: of its own class, if that is one of Python's or ours."""
    e.__cause__ = e.__context__ = e.__traceback__ = None
    if isinstance(e, ValueError | LookupError | TypeError | AttributeError | RecursionError | TimeoutError):
        with contextlib.suppress(Exception):  # its class may not be picklable
            error = pickle.dumps(e)
            pickle.loads(error)
            return sandbox_child.ERROR, error
    return sandbox_child.ERROR, pickle.dumps(ValueError(str(e) or type(e).__name__))


if __name__ == "__main__":
    try:
        main()
    except MemoryError:  # there is not even enough to reply
        signal.raise_signal(signal.SIGKILL)  # which is how the system answers too much memory
