"""Child processes: those that run, and whether one has ended."""

import psutil


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
