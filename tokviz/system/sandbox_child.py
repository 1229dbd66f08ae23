"""The child processes of `sandbox`, as their parent sees them: each answers one request after another.

A request and a reply are pickles, each after its length. `sandbox_worker` is the other end.
"""

import atexit
import contextlib
import os
import select
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Hashable
from pathlib import Path

from tokviz.system import child_process
from tokviz.system.child_turns import POLL_SECONDS

END_SECONDS = 5.0  # for one to end by itself
REPLY_BYTES_MAX = 500_000_000  # a vocabulary of a million tokens needs a tenth of it
LENGTH = struct.Struct("!Q")
RESULT, ERROR = b"+", b"-"  # the first byte of a reply
STARTED = b"!"  # what a child says once it has read a request and imported what that needs
# The niceness of a child whose request takes long: it leaves nine tenths of a processor to whoever types, and four
# fifths to quick requests of others.
LOW = 12


class Child:
    """A child process; `keys`: those of the calls it has answered; `is_low`: whether its priority was lowered."""

    def __init__(self) -> None:
        # One thread each: libraries that reserve memory for every core would exceed the limit on a large machine.
        single = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "RAYON_NUM_THREADS"), "1")
        self.process = child_process.start("tokviz.system.sandbox_worker", stderr=subprocess.DEVNULL, **single)
        self.keys: set[Hashable] = set()
        self.is_low = False
        self._started_at: float | None = None  # its processor time when the last request started

    def reply(self, request: bytes, key: Hashable, must_stop: Callable[[], bool]) -> tuple[bytes, bytes] | None:
        """Return RESULT or ERROR, and its pickle; None if the child ends first, or is killed since it must stop."""
        assert self.process.stdin and self.process.stdout
        self.keys.add(key)
        self._started_at = None
        try:
            self.process.stdin.write(LENGTH.pack(len(request)))
            self.process.stdin.write(request)
            self.process.stdin.flush()
        except OSError:
            return None
        # Not through the buffer, which would take what follows too.
        if not self._wait(must_stop) or os.read(self.process.stdout.fileno(), len(STARTED)) != STARTED:
            return None
        self._started_at = self._processor_seconds()
        if not self._wait(must_stop):
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

    def _wait(self, must_stop: Callable[[], bool]) -> bool:
        """Wait until there is something to read, or the process has ended; kill it and return False if it must stop."""
        assert self.process.stdout
        output = select.poll()
        output.register(self.process.stdout, select.POLLIN)
        while not output.poll(1000 * POLL_SECONDS):
            if must_stop():
                self.process.kill()
                return False
        return True

    def seconds(self) -> float:
        """Return the processor time that the last request has taken, in seconds, without imports."""
        return 0.0 if self._started_at is None else self._processor_seconds() - self._started_at

    def _processor_seconds(self) -> float:
        """Return the processor time of the process in seconds; a clock's time where the system does not tell."""
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return time.monotonic()

    def lower(self) -> None:
        """Lower the priority of the process, for good: only a privileged user may raise it again."""
        if not self.is_low and hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):  # it has ended
                os.setpriority(os.PRIO_PROCESS, self.process.pid, LOW)
        self.is_low = True

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


_free: list[Child] = []  # the one used last stands last
_lock = threading.Lock()


def take(key: Hashable, *, leaves_one: bool = False) -> Child:
    """Return a child for this caller alone: a free one, if possible one that has answered this key, or a new one.

    leaves_one: whether the last free one is left to others.
    """
    with _lock:
        for child in [child for child in _free if child.process.poll() is not None]:
            _free.remove(child)  # it ended unnoticed
        if len(_free) > leaves_one:
            known = [child for child in _free if key in child.keys]
            child = (known or [child for child in _free if not child.is_low] or _free)[-1]
            _free.remove(child)
            return child
    return Child()


def give_back(child: Child) -> None:
    """Free a child for the next caller."""
    with _lock:
        _free.append(child)


def warm() -> None:
    """Start a child if none is free, so that the first call need not wait for it."""
    if not _free:
        give_back(Child())


def _forget() -> None:
    """In a forked copy of this process, leave the children to the original."""
    global _free, _lock
    _free, _lock = [], threading.Lock()


def _end_all() -> None:
    while _free:
        _free.pop().end()


os.register_at_fork(after_in_child=_forget)
atexit.register(_end_all)
