"""Open a file for reading: only once, checked after it is open, and without waiting forever."""

import os
import stat
import time
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

WRITER_SECONDS = 10.0  # for a program that writes into a named pipe
POLL_SECONDS = 0.02
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
        if stat.S_ISREG(mode):
            return os.fdopen(descriptor, "rb")
        if stat.S_ISDIR(mode):
            raise ValueError(f"{str(path)!r} is a folder, where a file is expected: name a file in it")
        if not stat.S_ISFIFO(mode):
            raise ValueError(f"{str(path)!r} is a device, which may never end: name a file")
        first = b"" if _is_unnamed_pipe(status) else _wait_for_writer_and_read_byte(descriptor, path)
        os.set_blocking(descriptor, True)
        return BufferedReader(_Pipe(descriptor, first))
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


def _wait_for_writer_and_read_byte(descriptor: int, path: str | Path) -> bytes:
    """Return the first byte of a pipe if it is there already, and none if its writer has not written yet."""
    deadline = time.monotonic() + WRITER_SECONDS
    while time.monotonic() < deadline:
        try:
            if byte := os.read(descriptor, 1):
                return byte
        except BlockingIOError:  # there is a writer; without one the pipe seems to be at its end
            return b""
        time.sleep(POLL_SECONDS)
    raise ValueError(
        f"nobody has written into the pipe {str(path)!r} for {WRITER_SECONDS:g} seconds: start the program that "
        "writes into it first"
    )


class _Pipe(RawIOBase):
    """A pipe that somebody writes into; `first` was read from it already."""

    def __init__(self, descriptor: int, first: bytes) -> None:
        self._descriptor, self._first = descriptor, first

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer)
        data, self._first = self._first or os.read(self._descriptor, len(view)), b""
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            os.close(self._descriptor)
        super().close()
