"""The files that paths, folders and globs stand for, sorted, and the formats told by their names.

In: what is named on a command line. Out: paths of files that are there, or a ValueError.
"""

import glob
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

STDIN = "-"
_SLASH = re.escape(os.sep + (os.altsep or ""))
_STARS = re.compile(rf"(?:^|(?<=[{_SLASH}]))\*\*(?:[{_SLASH}]+|$)")
SUFFIXES = (".txt", ".jsonl", ".txt.gz", ".jsonl.gz")


def files_of(path: str) -> list[str]:
    """Return the files that a path stands for: itself, those in the folder, or those the glob matches.

    Links to folders are not followed inside a folder, nor by `**`, so that no file is met twice. Raises ValueError
    for what is not there or of another format, OSError for what may not be read.
    """
    if path == STDIN:
        standard_input()
        return [path]
    if Path(path).is_dir():
        named = (os.path.join(folder, name) for folder, names in _folders(path) for name in names if has_format(name))
        found = sorted(filter(os.path.isfile, named))
        if not found:
            raise ValueError(f"the folder {path!r} holds no file whose name ends in {', '.join(SUFFIXES)}")
    elif not Path(path).exists() and glob.has_magic(path):
        found = sorted(file for file in _matches(path) if Path(file).is_file())
        if not found:
            raise ValueError(f"no file matches {path!r}")
    elif not Path(path).exists():
        raise ValueError(f"there is no file {path!r}")
    else:
        found = [path]
    for file in found:
        check_format(file)
        if not os.access(file, os.R_OK, effective_ids=os.access in os.supports_effective_ids):
            raise PermissionError(f"{file!r} may not be read: leave it out, or change its rights")
    return found


def standard_input() -> BinaryIO:
    """Return standard input; ValueError where it is closed."""
    if sys.stdin is None:
        raise ValueError("standard input is closed: pipe something into it, or name a file")
    return sys.stdin.buffer


def _folders(path: str) -> Iterator[tuple[str, list[str]]]:
    """Yield a folder and those inside it, with the names of what else they hold; OSError where one may not be read."""
    for folder, _, names in os.walk(path, onerror=_refuse):
        yield folder, names


def _refuse(error: OSError) -> None:
    raise error


def _matches(pattern: str) -> set[str]:
    """Return what a glob matches, where `**` stands for any number of folders, those with a leading dot left out."""
    stars = _STARS.search(pattern)
    if not stars:
        return set(glob.glob(pattern))
    before, after = pattern[: stars.start()], pattern[stars.end() :]
    found: set[str] = set()
    for base in glob.glob(before) if before else [os.curdir]:
        for folder, _ in _folders(base):
            if not any(name.startswith(".") for name in Path(folder).relative_to(base).parts):
                found |= _matches(os.path.join(glob.escape(folder), after or "*"))
    return {os.path.normpath(match) for match in found}


def has_format(name: str) -> bool:
    """Return whether the end of a name says a format that is read, in lower case or upper.

    >>> has_format("books/MOBY.TXT"), has_format("moby.pdf")
    (True, False)
    """
    return name.lower().endswith(SUFFIXES)


def check_format(name: str) -> None:
    """Raise ValueError for a name that says no format that is read."""
    if not has_format(name):
        raise ValueError(f"{name!r} ends in none of {', '.join(SUFFIXES)}")
