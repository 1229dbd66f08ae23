"""The keeper of a process that runs somebody's code, so that nothing of it goes on running: `process` starts it.

The keeper watches memory and the process that started it, a first process adopts orphans, and the worker runs a module
of ours. On Linux the last two have a PID namespace of their own where that is permitted: then no signal reaches a
process outside, and when the first one ends the system ends all others. Elsewhere the keeper ends all its descendants.
"""

import ctypes
import importlib
import os
import resource
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Never

from tokviz.system.confined.descendants import descendants, end_descendants, memory_bytes_of

MEMORY_BYTES = 1_500_000_000  # of address space, for each process
TOTAL_BYTES = 2_000_000_000  # of memory, for all together
PROCESSES_MAX = 256
TICK_SECONDS = 0.2
NICENESS = 5  # below the keeper
SIGNALLED, TOO_MUCH_MEMORY, TOO_MANY_PROCESSES = 128, 201, 202  # codes to exit with; the first plus the signal

PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 24, 36, 38
CLONE_NEWUSER, CLONE_NEWPID = 0x10000000, 0x20000000
CAPABILITY_VERSION = 0x20080522
WITHHELD = {19, 21, 24}  # CAP_SYS_PTRACE, CAP_SYS_ADMIN, CAP_SYS_RESOURCE


def main(module: str) -> Never:
    """Run the function `main` of a module in a process of its own, and exit with its code once all has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent, work = os.getppid(), importlib.import_module(module).main
    _become_subreaper()
    _try_to_unshare_process_numbers()
    first_ends, held_by_first = os.pipe()
    first = os.fork()
    if not first:
        _run_worker_and_adopt_orphans(work, first_ends, held_by_first)
    os.close(held_by_first)
    _redirect_stdin_and_stdout_to_stderr()
    code = _watch_first_and_get_code(first, first_ends, parent)
    end_descendants(os.getpid())
    os._exit(code)


def _watch_first_and_get_code(first: int, first_ends: int, parent: int) -> int:
    """Return the code of the first process once it ends, or why it must be ended."""
    while not select.select([first_ends], [], [], TICK_SECONDS)[0]:
        found = descendants(os.getpid())
        if os.getppid() != parent:
            return 0  # nobody waits for an answer
        if len(found) > PROCESSES_MAX:
            return TOO_MANY_PROCESSES
        if memory_bytes_of(found, TOTAL_BYTES) > TOTAL_BYTES:
            return TOO_MUCH_MEMORY
    return _exit_code(os.waitpid(first, 0)[1])


def _exit_code(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return SIGNALLED - code if code < 0 else code


def _run_worker_and_adopt_orphans(work: Callable[[], None], *not_for_worker: int) -> Never:
    """Run the worker, and adopt orphans until it ends."""
    _become_subreaper()
    worker = os.fork()
    if not worker:
        try:
            for descriptor in not_for_worker:
                os.close(descriptor)
            _confine_this_process()
            work()
        finally:
            os._exit(0)
    _redirect_stdin_and_stdout_to_stderr()
    while True:
        ended, status = os.wait()
        if ended == worker:
            os._exit(min(_exit_code(status), TOO_MUCH_MEMORY - 1))


def _redirect_stdin_and_stdout_to_stderr() -> None:
    """Leave standard input and output to the worker: when it ends, the other side of the connection closes."""
    os.dup2(2, 0)
    os.dup2(2, 1)


def _confine_this_process() -> None:
    """Give up a terminal, one core, privileges, and memory beyond a limit."""
    os.setsid()
    os.nice(NICENESS)
    if sys.platform == "linux" and len(cores := sorted(os.sched_getaffinity(0))) > 1:
        os.sched_setaffinity(0, cores[:-1])  # or thousands of processes would leave the keeper no time
    for limit, most in ((resource.RLIMIT_AS, MEMORY_BYTES), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(limit)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(ValueError, OSError):  # macOS limits no address space
            resource.setrlimit(limit, (most, most))
    if sys.platform == "linux":
        _libc().prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        _withhold_capabilities()


def _withhold_capabilities() -> None:
    """Give up what would let root raise a limit, or write into other processes."""
    for number in WITHHELD:
        _libc().prctl(PR_CAPBSET_DROP, number, 0, 0, 0)  # nor does a program that it starts get them back
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable: the lower 32 of each, then the upper
    if _libc().capget(header, sets) == 0:
        for i in range(3):
            sets[i] &= ~sum(1 << number for number in WITHHELD)
        _libc().capset(header, sets)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _become_subreaper() -> None:
    """Let orphans among the descendants of this process become its children, on Linux."""
    if sys.platform == "linux":
        _libc().prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _try_to_unshare_process_numbers() -> bool:
    """Let the next child be process 1 of its own descendants, which see no others; return whether that is permitted."""
    if sys.platform != "linux":
        return False
    user, group = os.getuid(), os.getgid()
    if _libc().unshare(CLONE_NEWPID) == 0:  # root
        return True
    if _libc().unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0:
        return False
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with suppress(OSError), open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    return True
