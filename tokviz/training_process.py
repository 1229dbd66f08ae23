"""The process that a training runs in: how it is started and ended, and why it ended by itself.

In: nothing but this Python. Out: a process that runs `training_worker`, which the queue of trainings hands its tasks.
"""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

KILLED = (
    "the process that trained was killed, perhaps for want of memory: try it with less text, or on the command line"
)


def worker_process() -> subprocess.Popen:
    """Return a new process that waits for a task."""
    path = os.pathsep.join(filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-m", "tokviz.training_worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": path},
        # An interrupt at the server's terminal is not for it, which ends with the server. Not a session of its own:
        # Linux shares the processor among sessions first, and its niceness would mean nothing to the server.
        process_group=0,
    )


def why_it_ended(process: subprocess.Popen) -> str:
    """Return in words why a process says nothing more that is understood."""
    try:
        code = process.wait(5)
    except subprocess.TimeoutExpired:
        return "the process that trained said what nobody understands; try it again"
    if code < 0:
        return KILLED
    return f"the process that trained ended by itself, with code {code}; the log of the server says why"


def end_process(process: subprocess.Popen) -> None:
    """End a process and let go of its pipes."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):  # a task that was not sent to the end
            pipe.close()
