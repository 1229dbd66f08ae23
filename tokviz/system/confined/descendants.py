"""The descendants of a process: which they are, what memory they take together, and how to end them.

Read from /proc on Linux, and from `ps` elsewhere.
"""

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

END_SECONDS = 5.0  # for processes to be gone after a kill


class Process(NamedTuple):
    """A process that has not ended; group: its process group; bytes: its memory, shared memory included."""

    number: int
    parent: int
    group: int
    bytes: int


def descendants(ancestor: int) -> list[Process]:
    """Return the processes that descend from this one and have not ended."""
    children: dict[int, list[Process]] = {}
    for process in _live_processes():
        children.setdefault(process.parent, []).append(process)
    found, rest = [], [ancestor]
    while rest:
        new = children.pop(rest.pop(), [])
        found += new
        rest += [process.number for process in new]
    return found


def _live_processes() -> list[Process]:
    """Return all processes that have not ended."""
    if not Path("/proc/self/stat").exists():
        listed = subprocess.run(["ps", "-axo", "pid=,ppid=,pgid=,rss="], capture_output=True, text=True, check=False)
        rows = [[*map(int, line.split())] for line in listed.stdout.splitlines()]
        return [Process(number, parent, group, 1024 * kilobytes) for number, parent, group, kilobytes in rows]
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
            state, parent, group, *fields = file.read().rpartition(b")")[2].split()
            # One whose first thread has ended is a zombie too, while others run.
            if state not in (b"Z", b"X") or int(fields[14]) > 1:
                found.append(Process(int(name), int(parent), int(group), int(fields[18]) * PAGE))
    return found


PAGE = os.sysconf("SC_PAGE_SIZE")


def memory_bytes_of(processes: list[Process], limit: int) -> int:
    """Return the bytes that processes take together; above the limit, shared memory is counted once.

    The processes are stopped meanwhile, and stay so if they are above it. Reading the memory of a process waits until a
    fork in progress has ended; with thousands of processes on one core that takes a minute.
    """
    total = sum(process.bytes for process in processes)
    if total <= limit:
        return total
    _send_to_groups_and_each(processes, signal.SIGSTOP)
    total = sum(map(_proportional_memory_bytes, processes))
    if total <= limit:
        _send_to_groups_and_each(processes, signal.SIGCONT)
    return total


def _proportional_memory_bytes(process: Process) -> int:
    """Return the memory of a process; memory that several share is divided among them, if the system says so."""
    with suppress(OSError, ValueError), open(f"/proc/{process.number}/smaps_rollup") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith("Pss:"))
    return process.bytes


def end_descendants(ancestor: int) -> None:
    """Kill the descendants of a process until there are none.

    Groups are killed first, each as a whole: processes that start others faster than they are killed would go on.
    """
    deadline = time.monotonic() + END_SECONDS
    while (found := descendants(ancestor)) and time.monotonic() < deadline:
        _send_to_groups_and_each(found, signal.SIGKILL)
        time.sleep(0.001)


def _send_to_groups_and_each(processes: list[Process], number: signal.Signals) -> None:
    """Send a signal to the process groups, except our own, and to each process."""
    for group in {process.group for process in processes} - {os.getpgrp(), 0}:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)
    for process in processes:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process.number, number)
