"""The files that paths, folders and globs stand for, sorted, and the formats told by their names.

In: what is named on a command line. Out: paths of files that are there, or a ValueError.
"""

import glob
from pathlib import Path

STDIN = "-"
SUFFIXES = (".txt", ".jsonl", ".txt.gz", ".jsonl.gz")


def files_of(path: str) -> list[str]:
    """Return the files that a path stands for: itself, those in the folder, or those the glob matches."""
    if path == STDIN:
        return [path]
    if Path(path).is_dir():
        found = sorted(str(file) for file in Path(path).rglob("*") if file.is_file() and has_format(str(file)))
        if not found:
            raise ValueError(f"the folder {path!r} holds no file whose name ends in {', '.join(SUFFIXES)}")
        return found
    if not Path(path).exists() and glob.has_magic(path):
        found = sorted(file for file in glob.glob(path, recursive=True) if Path(file).is_file())
        if not found:
            raise ValueError(f"no file matches {path!r}")
        return [file for match in found for file in files_of(match)]
    if not Path(path).exists():
        raise ValueError(f"there is no file {path!r}")
    check_format(path)
    return [path]


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
