"""All that descends from a process: which processes, what memory they take together, and an end to them.

From Linux's /proc, and elsewhere from `ps`.
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
    """A process that has not ended; group: of processes; bytes: what it has in memory, with what it shares."""

    number: int
    parent: int
    group: int
    bytes: int


def descendants(ancestor: int) -> list[Process]:
    """Return the processes that descend from this one and have not ended."""
    children: dict[int, list[Process]] = {}
    for process in _processes():
        children.setdefault(process.parent, []).append(process)
    found, rest = [], [ancestor]
    while rest:
        new = children.pop(rest.pop(), [])
        found += new
        rest += [process.number for process in new]
    return found


def _processes() -> list[Process]:
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


def memory_of(processes: list[Process], limit: int) -> int:
    """Return the bytes that processes take together; above the limit, what they share is counted once."""
    total = sum(process.bytes for process in processes)
    return total if total <= limit else sum(map(_share, processes))


def _share(process: Process) -> int:
    """Return the memory of a process, of which what several share is divided among them, if the system tells."""
    with suppress(OSError, ValueError), open(f"/proc/{process.number}/smaps_rollup") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith("Pss:"))
    return process.bytes


def end_descendants(ancestor: int) -> None:
    """Kill all that descends from a process, until nothing does.

    Groups of processes first, each at one blow: those that start others faster than one can kill them would go on.
    """
    deadline = time.monotonic() + END_SECONDS
    not_theirs = {os.getpgrp(), 0}
    while (found := descendants(ancestor)) and time.monotonic() < deadline:
        for group in {process.group for process in found} - not_theirs:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        for process in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process.number, signal.SIGKILL)
        time.sleep(0.001)
