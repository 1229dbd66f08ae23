"""The child processes of `sandbox`, as their parent sees them: each answers one request after another.

`sandbox_worker` is the other end. A request is a pickled call. The child sends an empty message once it has read that
and imported what it needs, then two pickles in one: the error that the call ended in, or None and the result.
"""

import atexit
import contextlib
import os
import select
import subprocess
import threading
import time
from collections.abc import Callable, Hashable
from io import BytesIO
from pathlib import Path

from tokviz.system.child_process import ChildProcess
from tokviz.system.child_turns import POLL_SECONDS

END_SECONDS = 5.0  # for one to end by itself
# The niceness of a child whose request takes long: it leaves nine tenths of a processor to somebody who types, and
# four fifths to quick requests.
LOW = 12


class Child(ChildProcess):
    """A child process; `keys`: those of the calls it has answered; `is_low`: whether its priority was lowered."""

    def __init__(self) -> None:
        super().__init__("tokviz.system.sandbox_worker", is_limited=True)
        self._messages = select.poll()
        self._messages.register(self.connection, select.POLLIN)
        self.keys: set[Hashable] = set()
        self.is_low = False
        self._started_at: float | None = None  # its processor time when the last request started

    def send_and_get_reply(self, request: bytes, key: Hashable, must_stop: Callable[[], bool]) -> BytesIO | None:
        """Return the reply to a request; None if the child ends first, or must stop."""
        self.keys.add(key)
        self._started_at = None
        with contextlib.suppress(EOFError, OSError):
            self.connection.send_bytes(request)
            if self._wait_for_message_or_end(must_stop):
                self.connection.recv_bytes()
                self._started_at = self._total_processor_seconds()
                if self._wait_for_message_or_end(must_stop):
                    return BytesIO(self.connection.recv_bytes())
        return None

    def _wait_for_message_or_end(self, must_stop: Callable[[], bool]) -> bool:
        """Wait for a message, or for the end of the process; kill it and return False if it must stop."""
        while not self._messages.poll(1000 * POLL_SECONDS):
            if must_stop():
                self.kill()
                return False
        return True

    def processor_seconds(self) -> float:
        """Return the processor time that the last request has taken, in seconds, without imports."""
        return 0.0 if self._started_at is None else self._total_processor_seconds() - self._started_at

    def _total_processor_seconds(self) -> float:
        """Return the processor time of the process in seconds; a clock's time where the system does not tell."""
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return time.monotonic()

    def lower_priority(self) -> None:
        """Lower the priority of the process, for good: only a privileged user may raise it again."""
        if not self.is_low:
            with contextlib.suppress(OSError):  # it has ended
                os.setpriority(os.PRIO_PROCESS, self.pid, LOW)
        self.is_low = True

    def end_with_exit_code(self) -> int:
        """Let the process end, and return its exit code, negative for a signal."""
        self.connection.close()  # whereupon it ends
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(END_SECONDS)
        self.end()
        return self.returncode


_free: list[Child] = []  # the last one used comes last
_lock = threading.Lock()


def take_child(key: Hashable, *, leaves_one: bool = False) -> Child:
    """Return a child for this caller alone: a free one, if possible one that has answered this key, or a new one.

    leaves_one: whether the last free one is left to others.
    """
    with _lock:
        for child in [child for child in _free if child.poll() is not None]:
            _free.remove(child)  # it ended unnoticed
        if len(_free) > leaves_one:
            known = [child for child in _free if key in child.keys]
            child = (known or [child for child in _free if not child.is_low] or _free)[-1]
            _free.remove(child)
            return child
    return Child()


def new_child_replacing_free_one() -> Child:
    """Return a new child for this caller alone, in place of the free one that was used last, if there is one."""
    with _lock:
        used = _free.pop() if _free else None
    if used is not None:
        used.end()
    return Child()


def give_back_child(child: Child) -> None:
    """Free a child for the next caller."""
    with _lock:
        _free.append(child)


def start_child_if_none_free() -> None:
    """Start a child if none is free and one can start, so that the first call need not wait for it."""
    if not _free:
        with contextlib.suppress(OSError):
            give_back_child(Child())


def _reset_after_fork() -> None:
    """In a forked copy of this process, leave the children to the original."""
    global _free, _lock
    _free, _lock = [], threading.Lock()


def _end_free_children() -> None:
    while _free:
        _free.pop().end_with_exit_code()


os.register_at_fork(after_in_child=_reset_after_fork)
atexit.register(_end_free_children)
