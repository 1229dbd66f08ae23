"""The files that paths, folders and globs stand for, sorted, and their formats by their names."""

import codecs
import glob
import os
import re
import sys
from collections.abc import Iterator
from io import BufferedIOBase
from pathlib import Path

from tokviz.system.input_file import open_file

STDIN = "-"
_STARS = re.compile(r"(?:^|(?<=/))\*\*(?:/+|$)")
SUFFIXES = (".txt", ".jsonl", ".txt.gz", ".jsonl.gz")
UTF_16_AND_32_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)  # UTF-32-LE's begins as the first
LOOK = 8_000  # bytes at the start of a file; a binary one has a zero among them, as for git


def files_at_path(path: str) -> list[str]:
    """Return the files that a path stands for: itself, those in the folder, or those the glob matches.

    Of a folder, only files that end in one of `SUFFIXES` count. Links to folders are not followed, not even by `**`, so
    that no file comes twice, and links to files outside a folder are left out. Raises ValueError for a path that does
    not exist, and for a binary file that does not end so; OSError for one that may not be read.
    """
    if path == STDIN:
        standard_input()
        return [path]
    if Path(path).is_dir():
        named = (
            os.path.join(folder, name)
            for folder, names in _folders_with_file_names(path)
            for name in names
            if has_known_suffix(name)
        )
        files = sorted(filter(os.path.isfile, named))
        found = [file for file in files if not _links_out_of(file, path)]
        if not found:
            outside = " but links that lead out of it; name those, as with a glob" if files else ""
            raise ValueError(
                f"the folder {path!r} holds no file whose name ends in one of {', '.join(SUFFIXES)}{outside}"
            )
    elif not Path(path).exists() and glob.has_magic(path):
        found = sorted(file for file in _glob_matches(path) if Path(file).is_file())
        if not found:
            raise ValueError(f"no file matches {path!r}: check the pattern, and the folder it starts in")
    elif not Path(path).exists():
        raise ValueError(f"there is no file {path!r}: check its path")
    else:
        found = [path]
    for file in found:
        if not os.access(file, os.R_OK, effective_ids=os.access in os.supports_effective_ids):
            raise PermissionError(f"{file!r} may not be read: leave it out, or change its permissions")
        if not has_known_suffix(file) and not is_piped(file):
            _check_is_text(file)
    return found


def is_piped(file: str) -> bool:
    """Return whether a file is standard input or a pipe, such as <(…) in a shell: it is read once, and has no size."""
    return file == STDIN or Path(file).is_fifo()


def standard_input() -> BufferedIOBase:
    """Return standard input; ValueError if it is closed."""
    if sys.stdin is None:
        raise ValueError("standard input is closed: pipe something into it, or name a file")
    return sys.stdin.buffer  # type: ignore[return-value]


def is_binary(start: bytes) -> bool:
    """Return whether a file with this start, of up to `LOOK` bytes, is not text.

    >>> is_binary(b"PK\\x03\\x04\\x00"), is_binary("low".encode("utf-16"))
    (True, False)
    """
    return b"\0" in start and not start.startswith(UTF_16_AND_32_MARKS)


def _check_is_text(file: str) -> None:
    """Raise ValueError for a file that is binary."""
    with open_file(file) as opened:
        if is_binary(opened.read(LOOK)):
            raise ValueError(f"{file!r} is binary, not text: unpack or convert it")


def _folders_with_file_names(path: str) -> Iterator[tuple[str, list[str]]]:
    """Yield a folder and those inside it, with the names of what else they hold; OSError if one may not be read."""
    for folder, _, names in os.walk(path, onerror=_raise):
        yield folder, names


def _links_out_of(file: str, folder: str) -> bool:
    """Return whether a file of a folder is a link to one outside of it."""
    return os.path.islink(file) and not Path(file).resolve().is_relative_to(Path(folder).resolve())


def _raise(error: OSError) -> None:
    raise error


def _glob_matches(pattern: str) -> set[str]:
    """Return what a glob matches; `**` stands for any number of folders, without those whose names begin with a dot."""
    stars = _STARS.search(pattern)
    if not stars:
        return set(glob.glob(pattern))
    before, after = pattern[: stars.start()], pattern[stars.end() :]
    found: set[str] = set()
    for base in glob.glob(before) if before else [os.curdir]:
        for folder, _ in _folders_with_file_names(base):
            if not any(name.startswith(".") for name in Path(folder).relative_to(base).parts):
                found |= _glob_matches(os.path.join(glob.escape(folder), after or "*"))
    return {os.path.normpath(match) for match in found}


def has_known_suffix(name: str) -> bool:
    """Return whether a name ends as that of a format we read, in lower or upper case.

    >>> has_known_suffix("books/MOBY.TXT"), has_known_suffix("moby.pdf")
    (True, False)
    """
    return name.lower().endswith(SUFFIXES)


def is_jsonl(name: str) -> bool:
    """Return whether each line of a file with this name is a document.

    >>> is_jsonl("posts.JSONL.gz"), is_jsonl("moby.txt")
    (True, False)
    """
    return name.lower().endswith((".jsonl", ".jsonl.gz"))
