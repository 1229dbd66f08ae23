"""Open a file for reading: only once, checked after it is open, and without waiting forever."""

import os
import select
import stat
from io import BufferedReader
from pathlib import Path

WRITER_SECONDS = 10.0  # for a program that writes into a named pipe
# Do not wait for a pipe's writer, and do not become a terminal's process.
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def open_file(path: str | Path) -> BufferedReader:
    """Return a file, or a pipe that somebody writes into, open for reading bytes.

    Raises ValueError for a folder, for a device, which may never end, and for a named pipe that nobody writes into
    within `WRITER_SECONDS`; OSError for what cannot be opened. Once it has a writer, reading waits as it does for
    standard input.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     open_file(folder)
    Traceback (most recent call last):
    ValueError: ... is a folder, where a file is expected: name a file in it
    """
    descriptor = os.open(path, _FLAGS)
    try:
        status = os.fstat(descriptor)
        mode = status.st_mode
        if stat.S_ISDIR(mode):
            raise ValueError(f"{str(path)!r} is a folder, where a file is expected: name a file in it")
        if stat.S_ISFIFO(mode):
            if not _is_unnamed_pipe(status) and _lacks_writer(descriptor):
                raise ValueError(
                    f"nobody has written into the pipe {str(path)!r} for {WRITER_SECONDS:g} seconds: start the program "
                    "that writes into it first"
                )
            os.set_blocking(descriptor, True)
        elif not stat.S_ISREG(mode):
            raise ValueError(f"{str(path)!r} is a device, which may never end: name a file")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _is_unnamed_pipe(pipe: os.stat_result) -> bool:
    """Return whether a pipe has no name, as <(…) in a shell: its writer came first, and may have gone already."""
    ends = os.pipe()
    try:
        return pipe.st_dev == os.fstat(ends[0]).st_dev
    finally:
        for end in ends:
            os.close(end)


def _lacks_writer(descriptor: int) -> bool:
    """Wait for something to read from a pipe; return whether nobody has it open to write into even then."""
    ready = select.poll()
    ready.register(descriptor, select.POLLIN)
    if ready.poll(1000 * WRITER_SECONDS):
        return False
    try:
        os.read(descriptor, 1)  # nothing: without a writer the pipe seems to be at its end
    except BlockingIOError:
        return False
    return True
