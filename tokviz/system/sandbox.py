"""Calls into a guarded child process, for patterns and files that nobody has checked.

A regular expression can overflow the C stack of its engine, and a small file can ask for hours or gigabytes.
A child process with limits on memory, stack and time does such work. If it dies, the caller gets a plain ValueError and
a new child takes its place. A child stays for a minute after a call.
"""

import atexit
import contextlib
import os
import pickle
import signal
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Hashable
from typing import TypeVar

from tokviz.system import child_process
from tokviz.system.turns import away

Result = TypeVar("Result")

CHILDREN_MAX = max(4, (os.cpu_count() or 1) + 2)  # each takes some 60 MB; more callers than that wait
WAIT_SECONDS = 20.0  # for a free child
END_SECONDS = 5.0  # for one to end by itself
REPLY_BYTES_MAX = 500_000_000  # a vocabulary of a million tokens needs a tenth of it
LENGTH = struct.Struct("!Q")

inside = False  # whether this process is such a child, which makes calls directly


class SandboxError(ValueError):
    """Work that did not end well in its child process; `why` is "time", "memory", "crash" or "busy"."""

    def __init__(self, what: str, why: str, words: str) -> None:
        super().__init__(f"{what} {words}")
        self.what, self.why = what, why

    def __reduce__(self) -> tuple[type, tuple[str, ...]]:
        return type(self), (self.what, self.why, str(self).removeprefix(f"{self.what} "))


@away()
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
    while True:
        child = _child_for(key, what)
        is_new = not child.keys
        try:
            reply = child.reply(request, key)
        except BaseException:  # an interrupt leaves a child at work on something nobody waits for
            child.process.kill()
            _drop(child)
            raise
        if reply is not None:
            _give_back(child)
            break
        code = _drop(child)
        # If an idle child ended before the call, that says nothing about the call.
        if code or is_new:
            raise _ended(code, seconds, what)
    succeeded, value = pickle.loads(reply)
    if succeeded:
        return value
    if isinstance(value, MemoryError):
        raise SandboxError(what, "memory", "needs more memory than it may have") from value
    raise value


def warm() -> None:
    """Start a child, so that the first call need not wait for it."""
    if not inside and not _n_children:
        _give_back(_child_for(None, "a child process"))


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

    def reply(self, request: bytes, key: Hashable) -> bytes | None:
        """Return the pickled reply to a request; None if the child ends first."""
        assert self.process.stdin and self.process.stdout
        self.keys.add(key)
        try:
            self.process.stdin.write(LENGTH.pack(len(request)))
            self.process.stdin.write(request)
            self.process.stdin.flush()
        except OSError:
            return None
        header = self.process.stdout.read(LENGTH.size)
        if len(header) < LENGTH.size:
            return None
        n_bytes = LENGTH.unpack(header)[0]
        if n_bytes > REPLY_BYTES_MAX:
            self.process.kill()
            return None
        reply = self.process.stdout.read(n_bytes)
        return reply if len(reply) == n_bytes else None

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
_n_children = 0
_changed = threading.Condition()


def _child_for(key: Hashable, what: str) -> _Child:
    """Return a child for this caller alone: one that knows the key, any free one, or a new one."""
    global _n_children
    with _changed:
        deadline = time.monotonic() + WAIT_SECONDS
        while not _free and _n_children >= CHILDREN_MAX:
            if not _changed.wait(max(deadline - time.monotonic(), 0)):
                raise SandboxError(what, "busy", "was not started because this machine is busy; try again")
        for child in [child for child in _free if child.process.poll() is not None]:
            _free.remove(child)  # it ended unnoticed
            _n_children -= 1
        if _free:
            child = next((child for child in reversed(_free) if key in child.keys), _free[-1])
            _free.remove(child)
            return child
        _n_children += 1
    try:
        return _Child()
    except BaseException:
        with _changed:
            _n_children -= 1
            _changed.notify()
        raise


def _give_back(child: _Child) -> None:
    with _changed:
        _free.append(child)
        _changed.notify()


def _drop(child: _Child) -> int:
    """End a child that is no longer of use; return its exit code."""
    global _n_children
    code = child.end()
    with _changed:
        _n_children -= 1
        _changed.notify()
    return code


def _forget() -> None:
    """In a forked copy of this process, leave the children to the original."""
    global _free, _n_children, _changed
    _free, _n_children, _changed = [], 0, threading.Condition()


def _end_all() -> None:
    while _free:
        _drop(_free.pop())


os.register_at_fork(after_in_child=_forget)
atexit.register(_end_all)
