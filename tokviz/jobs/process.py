"""The process that a training runs in: how it is started, and why it ended by itself.

In: nothing but this Python. Out: a process that runs `training_worker`, which the queue of trainings hands its tasks.
"""

import subprocess

from tokviz.system import child_process

KILLED = (
    "the process that trained was killed, perhaps for want of memory: try it with less text, or on the command line"
)


def worker_process() -> subprocess.Popen[bytes]:
    """Return a new process that waits for a task."""
    return child_process.started("tokviz.jobs.worker")


def why_it_ended(process: subprocess.Popen[bytes]) -> str:
    """Return in words why a process says nothing more that is understood."""
    try:
        code = process.wait(5)
    except subprocess.TimeoutExpired:
        return "the process that trained said what nobody understands; try it again"
    if code < 0:
        return KILLED
    return f"the process that trained ended by itself, with code {code}; the log of the server says why"
