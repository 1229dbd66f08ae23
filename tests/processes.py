"""Child processes: those that run, whether one has ended, and waiting for it."""

import time
from collections.abc import Callable
from typing import Any

import psutil

SECONDS = 60  # to wait for what comes in less than one


def until(holds: Callable[[], Any]) -> Any:
    """Wait until something holds, and return it."""
    end = time.monotonic() + SECONDS
    while not (result := holds()):
        assert time.monotonic() < end
        time.sleep(0.01)
    return result


def children_of(module: str) -> list[psutil.Process]:
    """Return the children of this process that run a module."""
    found = []
    for child in psutil.Process().children():
        try:
            if module in child.cmdline():
                found.append(child)
        except psutil.NoSuchProcess:
            continue  # it has ended, and perhaps nobody has asked how
    return found


def ended(pid: int) -> bool:
    """Whether a process has ended, be it that nobody has asked how."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
