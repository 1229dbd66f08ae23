"""Write files so that at any moment either the old or the new one is there, whole."""

import errno
import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # errors of a write, which name no file


@contextmanager
def replacement_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a file to write into, which replaces the one at `path` at the end; after an error nothing has changed.

    Raises OSError with the path if there is no space. Deletes temporary files for `path` that killed processes left.
    """
    _delete_left_over_files(path)
    with _new_temporary_file(path) as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException as e:
            os.unlink(file.name)
            if isinstance(e, OSError) and e.filename is None and e.errno in NO_SPACE:
                raise OSError(e.errno, e.strerror, str(path)) from e
            raise


def replace_text(path: Path, text: str) -> None:
    """Write a text as a file, as `replacement_file` does."""
    with replacement_file(path) as file:
        file.write(text.encode())


def open_exclusively(path: Path) -> BinaryIO:
    """Return a file to read and write, a new one if there is none; ValueError while another process has it open."""
    while True:
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise ValueError(f"another process is writing {str(path)!r}: wait for it, or stop it") from None
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                return file
        file.close()  # another process renamed or deleted it before it was locked


def check_replaceable(path: Path) -> None:
    """Raise ValueError if no file can be written at this path."""
    if not path.parent.is_dir():
        raise ValueError(f"there is no folder {str(path.parent)!r} for {path.name!r}")
    if path.is_dir():
        raise ValueError(f"{str(path)!r} is a folder: name a file in it")
    if path.exists() and not path.is_file():
        raise ValueError(f"{str(path)!r} is a device or a pipe, not a file that can be replaced")
    try:
        with _new_temporary_file(path) as file:
            os.unlink(file.name)
    except OSError as e:
        raise ValueError(f"{str(path)!r} cannot be written: {e.strerror}") from e


def _new_temporary_file(path: Path) -> BinaryIO:
    """Return a new file beside `path`, locked while it is open, which those of dead processes are not."""
    while True:
        file = open(path.parent / f".{path.name}.{secrets.token_hex(8)}.part", "xb")  # noqa: SIM115
        fcntl.flock(file, fcntl.LOCK_EX)
        if os.fstat(file.fileno()).st_nlink:
            return file
        file.close()  # another process deleted it before it was locked


def _delete_left_over_files(path: Path) -> None:
    """Delete temporary files for `path` that no process is writing."""
    for left_over in path.parent.iterdir():
        if left_over.name.startswith(f".{path.name}.") and left_over.name.endswith(".part"):
            # Locked by the process that writes it, or already gone, or not ours.
            with suppress(OSError), open(left_over, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left_over.unlink()
