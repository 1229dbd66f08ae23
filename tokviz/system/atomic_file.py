"""Files that are written so that at any moment the old or the new one is there, whole."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows: what a kill leaves there stays
    fcntl = None


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Give a file to write into, which takes its place under `path` at the end; on an error nothing changes.

    What killed processes left of earlier files for `path` is deleted.
    """
    _delete_left_over(path)
    with _temporary(path) as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def check_replaceable(path: Path) -> None:
    """Raise ValueError where no file can be written under this path."""
    if not path.parent.is_dir():
        raise ValueError(f"there is no folder {str(path.parent)!r} for {path.name!r}")
    if path.is_dir():
        raise ValueError(f"{str(path)!r} is a folder: name a file in it")
    if path.exists() and not path.is_file():
        raise ValueError(f"{str(path)!r} is not a file that can be replaced, but a device or a pipe")
    try:
        with _temporary(path) as file:
            os.unlink(file.name)
    except OSError as e:
        raise ValueError(f"{str(path)!r} cannot be written: {e.strerror}") from e


def _temporary(path: Path) -> BinaryIO:
    """Return a new file beside `path`, locked as long as it is open, which tells it from those of dead processes."""
    while True:
        file = open(path.parent / f".{path.name}.{secrets.token_hex(8)}.part", "xb")  # noqa: SIM115
        if not fcntl:
            return file
        fcntl.flock(file, fcntl.LOCK_EX)
        if os.fstat(file.fileno()).st_nlink:
            return file
        file.close()  # another process took it for left over before it was locked


def _delete_left_over(path: Path) -> None:
    """Delete temporary files for `path` that no process writes any more."""
    if not fcntl:
        return
    for left_over in path.parent.iterdir():
        if left_over.name.startswith(f".{path.name}.") and left_over.name.endswith(".part"):
            # Locked by the process that writes it, or gone meanwhile, or not ours.
            with suppress(OSError), open(left_over, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left_over.unlink()
