"""Calls into a guarded child process, for patterns and files that nobody has checked.

A regular expression can overflow the C stack of its engine, and a small file can ask for hours or gigabytes.
A child process with limits on memory, stack and time does such work. If it dies, the caller gets a plain ValueError and
a new child takes its place. A child stays for a minute after a call. Of those who share the children, each has a turn
(see `child_turns`).
"""

import atexit
import contextlib
import math
import os
import pickle
import select
import signal
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

from tokviz.system import child_process
from tokviz.system.child_turns import POLL_SECONDS, QUICK_ERROR_SECONDS, ChildTurns, Client, Task, Turn, TurnRefused
from tokviz.system.thread_turns import turn_released

Result = TypeVar("Result")

CHILDREN_MAX = max(4, (os.cpu_count() or 1) + 2)  # each takes some 60 MB; more callers than that wait
END_SECONDS = 5.0  # for one to end by itself
REPLY_BYTES_MAX = 500_000_000  # a vocabulary of a million tokens needs a tenth of it
LENGTH = struct.Struct("!Q")
RESULT, ERROR = b"+", b"-"  # what a reply begins with
BEGUN = b"!"  # what a child says once it has read and imported what a request needs

inside = False  # whether this process is such a child, which makes calls directly
default_client: Callable[[], Client] = Client  # for whom a call is made if no task says so; a server sets it


class SandboxError(ValueError):
    """Work that did not end well in its child process; `why` is "time", "memory", "crash" or "busy"."""

    def __init__(self, what: str, why: str, words: str) -> None:
        super().__init__(f"{what} {words}")
        self.what, self.why = what, why

    def __reduce__(self) -> tuple[type, tuple[str, ...]]:
        return type(self), (self.what, self.why, str(self).removeprefix(f"{self.what} "))


@turn_released()
def call(
    function: Callable[..., Result], *arguments: object, seconds: float, what: str, key: Hashable = None
) -> Result:
    """Return what a module-level function returns when called in a child process.

    Arguments and result are pickled. The child is killed after `seconds` of processor time. `what` names the work
    in errors. Calls with an equal `key` go to the same child if it is free, since it may have kept something for
    them. An exception of the function is raised here; SandboxError, a ValueError, if the child runs out of time or
    memory, or dies.

    >>> import os
    >>> call(os.path.basename, "a/b", seconds=5, what="a path")
    'b'
    >>> call(os.abort, seconds=5, what="the pattern 'x'")
    Traceback (most recent call last):
    tokviz.system.sandbox.SandboxError: the pattern 'x' crashed the process that ran it
    """
    if inside:
        return function(*arguments)
    request = pickle.dumps((function, arguments, seconds), pickle.HIGHEST_PROTOCOL)
    task = _task.get() or Task(default_client())
    while True:
        turn = _turn(task, seconds, what)
        try:
            reply = _reply_in_turn(turn, request, key)
            if reply is not None:
                kind, pickled = reply
                error = pickle.loads(pickled) if kind == ERROR else None
                is_quick = turn.used <= QUICK_ERROR_SECONDS
                turn.succeeded = error is None or (is_quick and not isinstance(error, MemoryError))
                break
        finally:
            _turns.end(turn)
    if error is None:
        return pickle.loads(pickled)  # after the turn, since a result may call again as it is made
    if isinstance(error, MemoryError):
        raise SandboxError(what, "memory", "needs more memory than it may have") from error
    raise error


@contextlib.contextmanager
def as_task(task: Task) -> Iterator[None]:
    """Let this task decide how the work of this thread takes turns meanwhile."""
    before = _task.set(task)
    try:
        yield
    finally:
        _task.reset(before)


def leave_queue(client: Client) -> None:
    """Give up the turn that a client still waits for."""
    _turns.leave_queue(client)


def warm() -> None:
    """Start a child, so that the first call need not wait for it."""
    if not inside and not _free:
        _free.append(_Child())


def _turn(task: Task, seconds: float, what: str) -> Turn:
    """Wait for a turn; SandboxError, in words, if it does not come."""
    try:
        return _turns.take(task, seconds, what)
    except TurnRefused as e:
        if e.backoff:
            seconds_left = math.ceil(e.backoff)
            wait = "1 second" if seconds_left == 1 else f"{seconds_left} seconds"
            words = f"has to wait {wait}, because earlier work of this tab did not end or ran out of memory; "
            words += "it then runs by itself" if task.retries else "try again then"
        elif task.retries:
            words = "waits for its turn, because this machine is busy"
        else:
            words = "was not started because this machine is busy; try again"
        raise SandboxError(what, "busy", words) from None


def _reply_in_turn(turn: Turn, request: bytes, key: Hashable) -> tuple[bytes, bytes] | None:
    """Return a child's reply; None if it is to be asked for again. SandboxError if the work ends without one."""
    child = _child_for(key)
    is_new = not child.keys

    def must_stop() -> bool:
        turn.used = child.seconds()
        return _turns.must_stop(turn)

    try:
        reply = child.reply(request, key, must_stop)
        turn.used = child.seconds()
    except BaseException:  # an interrupt leaves a child at work on something nobody waits for
        child.process.kill()
        child.end()
        raise
    if reply is not None:
        with _lock:
            _free.append(child)
        return reply
    code = child.end()
    if turn.task.was_cancelled:
        raise SandboxError(turn.what, "busy", "was stopped, because nobody waits for it")
    # If an idle child ended before the call, that says nothing about the call.
    if not turn.was_preempted and (code or is_new):
        turn.succeeded = False
        raise _ended(code, turn.seconds, turn.what)
    return None


def _ended(code: int, seconds: float, what: str) -> SandboxError:
    """Return the error for a child that ended with this code and without a reply."""
    if code in (-signal.SIGPROF, -signal.SIGALRM):
        return SandboxError(what, "time", f"did not end within {seconds:.0f} seconds")
    if code == -signal.SIGKILL:  # how the system answers too much memory
        return SandboxError(what, "memory", "needs more memory than there is")
    return SandboxError(what, "crash", "crashed the process that ran it")


class _Child:
    """A child process that answers one request after another."""

    def __init__(self) -> None:
        # One thread each: libraries that reserve memory for every core would exceed the limit on a large machine.
        single = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "RAYON_NUM_THREADS"), "1")
        self.process = child_process.start("tokviz.system.sandbox_worker", stderr=subprocess.DEVNULL, **single)
        self.keys: set[Hashable] = set()
        self._begun: float | None = None  # its processor time when it began the last request

    def reply(self, request: bytes, key: Hashable, must_stop: Callable[[], bool]) -> tuple[bytes, bytes] | None:
        """Return RESULT or ERROR, and that pickled; None if the child ends first, or is killed since it must stop."""
        assert self.process.stdin and self.process.stdout
        self.keys.add(key)
        self._begun = None
        try:
            self.process.stdin.write(LENGTH.pack(len(request)))
            self.process.stdin.write(request)
            self.process.stdin.flush()
        except OSError:
            return None
        # Not through the buffer, which would take what follows too.
        if not self._speaks(must_stop) or os.read(self.process.stdout.fileno(), len(BEGUN)) != BEGUN:
            return None
        self._begun = self._processor_seconds()
        if not self._speaks(must_stop):
            return None
        kind, header = self.process.stdout.read(1), self.process.stdout.read(LENGTH.size)
        if len(header) < LENGTH.size:
            return None
        n_bytes = LENGTH.unpack(header)[0]
        if n_bytes > REPLY_BYTES_MAX:
            self.process.kill()
            return None
        reply = self.process.stdout.read(n_bytes)
        return (kind, reply) if len(reply) == n_bytes else None

    def _speaks(self, must_stop: Callable[[], bool]) -> bool:
        """Wait until there is something to read, or the process has ended; kill it, for False, if it must stop."""
        assert self.process.stdout
        there = select.poll()
        there.register(self.process.stdout, select.POLLIN)
        while not there.poll(1000 * POLL_SECONDS):
            if must_stop():
                self.process.kill()
                return False
        return True

    def seconds(self) -> float:
        """Return the processor time that the last request has taken, in seconds, without what had to be imported."""
        return 0.0 if self._begun is None else self._processor_seconds() - self._begun

    def _processor_seconds(self) -> float:
        """Return the processor time it has taken; where the system does not tell, what a clock says."""
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return time.monotonic()

    def end(self) -> int:
        """End the process and return its exit code, negative for a signal."""
        assert self.process.stdin and self.process.stdout
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        try:
            return self.process.wait(END_SECONDS)  # it ends when its input does
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


_free: list[_Child] = []  # the one used last stands last
_lock = threading.Lock()
_turns = ChildTurns(CHILDREN_MAX)
_task: ContextVar[Task | None] = ContextVar("task", default=None)


def _child_for(key: Hashable) -> _Child:
    """Return a child for this caller alone: one that knows the key, any free one, or a new one."""
    with _lock:
        for child in [child for child in _free if child.process.poll() is not None]:
            _free.remove(child)  # it ended unnoticed
        if _free:
            child = next((child for child in reversed(_free) if key in child.keys), _free[-1])
            _free.remove(child)
            return child
    return _Child()


def _forget() -> None:
    """In a forked copy of this process, leave the children to the original."""
    global _free, _lock, _turns
    _free, _lock, _turns = [], threading.Lock(), ChildTurns(CHILDREN_MAX)


def _end_all() -> None:
    while _free:
        _free.pop().end()


os.register_at_fork(after_in_child=_forget)
atexit.register(_end_all)
