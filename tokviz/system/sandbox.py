"""Calls into a guarded child process, for patterns and files that nobody has checked.

A regular expression can overflow the C stack of its engine, and a small file can need hours or gigabytes. So a child
process with limits on memory, stack and time does such work (`sandbox_worker`). If it dies, the caller gets a
ValueError, and a new child replaces it. A child stays for a minute after a call, with what that left in its memory
(`sandbox_child`); so a call for which such a child has too little memory, or that ends it, is made again in a new one.
The clients that share the children take turns (`child_turns`).
"""

import contextlib
import math
import os
import pickle
import signal
from collections.abc import Callable, Hashable, Iterator
from contextvars import ContextVar
from io import BytesIO
from typing import TypeVar

from tokviz.system import sandbox_child
from tokviz.system.child_turns import QUICK_ERROR_SECONDS, ChildTurns, Client, Task, Turn, TurnRefused
from tokviz.system.thread_turns import releasing_turn

Result = TypeVar("Result")

CHILDREN_MAX = max(4, (os.cpu_count() or 1) + 2)  # each takes about 60 MB; further callers wait

inside = False  # whether this process is such a child; it makes calls directly
default_client: Callable[[], Client] = Client  # for whom a call is made if no task says so; a server sets it


class SandboxError(ValueError):
    """A call failed in its child process, or was refused; `why` is "time", "memory", "crash" or "busy"."""

    def __init__(self, what: str, why: str, words: str) -> None:
        super().__init__(f"{what} {words}")
        self.what, self.why = what, why

    def __reduce__(self) -> tuple[type, tuple[str, ...]]:
        return type(self), (self.what, self.why, str(self).removeprefix(f"{self.what} "))


def is_busy_error(error: Exception) -> bool:
    """Return whether a call was refused or given up because the machine is busy, which says nothing of the call."""
    return isinstance(error, SandboxError) and error.why == "busy"


@releasing_turn()
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
    needs_new = False
    while True:
        turn = _take_turn(task, seconds, what)
        try:
            child = (
                sandbox_child.new_child_replacing_free_one()
                if needs_new
                else sandbox_child.take_child(key, leaves_one=turn.was_heavy)
            )
            needs_new = bool(child.keys)  # if the call is made again
            reply = _reply_in_turn(turn, child, request, key)
            if reply is not None:
                error = pickle.load(reply)
                if needs_new and isinstance(error, MemoryError):
                    continue  # libraries that run out of memory mostly abort instead
                turn.succeeded = error is None or not (
                    isinstance(error, MemoryError) or turn.used > QUICK_ERROR_SECONDS
                )
                break
        finally:
            _turns.end(turn)
    if error is None:
        return pickle.load(reply)  # after the turn, since a result may call again as it is made
    if isinstance(error, MemoryError):
        raise SandboxError(what, "memory", "needs more memory than it may have") from error
    raise error


@contextlib.contextmanager
def as_task(task: Task) -> Iterator[None]:
    """Let the calls of this thread within the block take their turns as this task."""
    before = _task.set(task)
    try:
        yield
    finally:
        _task.reset(before)


def leave_queue(client: Client) -> None:
    """Give up the turn that a client still waits for."""
    _turns.leave_queue(client)


def _take_turn(task: Task, seconds: float, what: str) -> Turn:
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


def _reply_in_turn(turn: Turn, child: sandbox_child.Child, request: bytes, key: Hashable) -> BytesIO | None:
    """Return a child's reply; None if the request must be sent again, SandboxError if it ends without a reply."""
    is_new = not child.keys

    def note_use_and_decide_to_stop() -> bool:
        turn.used = child.processor_seconds()
        if turn.is_long:
            child.lower_priority()
        return _turns.decide_to_stop(turn)

    try:
        reply = child.send_and_get_reply(request, key, note_use_and_decide_to_stop)
        turn.used = child.processor_seconds()
    except BaseException:  # an interrupt leaves a child at work on something nobody waits for
        child.end()
        raise
    if reply is not None:
        sandbox_child.give_back_child(child)
        return reply
    code = child.end_with_exit_code()
    sandbox_child.start_child_if_none_free()  # so that the next caller need not wait for one to start
    if turn.task.was_cancelled:
        raise SandboxError(turn.what, "busy", "was stopped, because nobody waits for it")
    # If a child ended that has worked before, other than by its time, that says nothing about the call.
    if not turn.was_preempted and (is_new or code in _OUT_OF_TIME):
        turn.succeeded = False
        raise _exit_error(code, turn.seconds, turn.what)
    return None


def _exit_error(code: int, seconds: float, what: str) -> SandboxError:
    """Return the error for a child that ended with this code and without a reply."""
    if code in _OUT_OF_TIME:
        return SandboxError(what, "time", f"did not end within {seconds:.0f} seconds")
    if code == -signal.SIGKILL:  # how the system answers too much memory
        return SandboxError(what, "memory", "needs more memory than there is")
    return SandboxError(what, "crash", "crashed the process that ran it")


_OUT_OF_TIME = (-signal.SIGPROF, -signal.SIGALRM)
_turns = ChildTurns(CHILDREN_MAX)
_task: ContextVar[Task | None] = ContextVar("task", default=None)


def _reset_after_fork() -> None:
    """In a forked copy of this process, leave the turns to the original."""
    global _turns
    _turns = ChildTurns(CHILDREN_MAX)


os.register_at_fork(after_in_child=_reset_after_fork)
