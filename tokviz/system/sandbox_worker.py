"""The child process of `sandbox`: it limits itself, then answers requests."""

import contextlib
import gc
import os
import pickle
import resource
import select
import signal
from multiprocessing.connection import Connection
from pathlib import Path

from tokviz.system import sandbox
from tokviz.system.child_process import take_connection_to_parent
from tokviz.system.recent import forget_unused

MEMORY_BYTES = 1_500_000_000  # of address space; a tokenizer.json of 256,000 tokens takes 600 MB
STACK_BYTES = 8 * 2**20
REPLY_BYTES_MAX = 500_000_000  # a vocabulary of a million tokens needs a tenth of it
GRACE_SECONDS = 1.0  # for functions that watch the clock themselves, and give a better reason than a kill
WALL_TIMES, WALL_SECONDS = 5, 10  # of wall-clock time: a busy machine may be that much slower
NICENESS = 5  # below the server, which answers people who type
# The tokenizers library leaks a megabyte for every tokenizer.
GROWN_BYTES = 1_000_000_000
# Objects made before garbage is collected: with Python's 700 it takes half of the time in which a large JSON is parsed.
COLLECTED_AFTER = 100_000
IDLE_SECONDS = 60  # after which it ends, with all that it keeps of requests


def main() -> None:
    """Answer requests, within limits."""
    try:
        _limit_resources()
        gc.set_threshold(COLLECTED_AFTER)
        _answer_requests(take_connection_to_parent())
    except MemoryError:  # there is not even enough to reply
        signal.raise_signal(signal.SIGKILL)  # which is how the system answers too much memory
    os._exit(0)  # at once; a caller starts another in the meantime


def _limit_resources() -> None:
    """Limit the memory, the stack and the priority of this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICENESS)
    limits = {resource.RLIMIT_AS: MEMORY_BYTES, resource.RLIMIT_STACK: STACK_BYTES, resource.RLIMIT_CORE: 0}
    for limit, most in limits.items():
        hard = resource.getrlimit(limit)[1]
        resource.setrlimit(limit, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _answer_requests(connection: Connection) -> None:
    """Answer requests until the connection ends, none has come for a while, or this process has grown."""
    sandbox.inside = True
    with contextlib.suppress(EOFError, OSError):
        while True:
            connection.send_bytes(_receive_request_and_make_reply(connection))
            forget_unused(IDLE_SECONDS)
            if _resident_bytes() > GROWN_BYTES or not select.select([connection], [], [], IDLE_SECONDS)[0]:
                break


def _resident_bytes() -> int:
    """Return the memory of this process; on Linux `ru_maxrss` would start from the parent's."""
    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in bytes on macOS


def _receive_request_and_make_reply(connection: Connection) -> bytes:
    """Return the reply to the next request, and say when the work on it begins."""
    request = connection.recv_bytes()
    error: Exception
    try:
        try:
            function, arguments, seconds = pickle.loads(request)
        finally:
            connection.send_bytes(b"")
        _set_timers(seconds)
        try:
            reply = pickle.dumps(None) + pickle.dumps(function(*arguments), pickle.HIGHEST_PROTOCOL)
        finally:
            _set_timers(None)
        if len(reply) > REPLY_BYTES_MAX:
            raise MemoryError
        return reply
    except MemoryError:
        error = MemoryError()
    except BaseException as e:  # a Rust panic is a BaseException
        error = _picklable_error(e)
    return pickle.dumps(error)


def _set_timers(seconds: float | None) -> None:
    """Limit the processor time of this process from now on, even if a library holds the GIL; None: no limit."""
    processor, wall = (0, 0) if seconds is None else (seconds + GRACE_SECONDS, seconds * WALL_TIMES + WALL_SECONDS)
    signal.setitimer(signal.ITIMER_PROF, processor)
    signal.setitimer(signal.ITIMER_REAL, wall)


def _picklable_error(e: BaseException) -> Exception:
    """Return an exception that can be raised elsewhere: of its own class, if that is one of Python's or ours."""
    e.__cause__ = e.__context__ = e.__traceback__ = None
    if isinstance(e, ValueError | LookupError | TypeError | AttributeError | RecursionError | TimeoutError):
        with contextlib.suppress(Exception):  # its class may not be picklable
            pickle.loads(pickle.dumps(e))
            return e
    return ValueError(str(e) or type(e).__name__)
