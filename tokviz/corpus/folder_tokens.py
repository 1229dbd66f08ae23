"""The tokens of the text files in a folder, by file and folder, without those that .gitignore names."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePath, PurePosixPath
from typing import Any

from pathspec import GitIgnoreSpec

from tokviz.core.protocol import AnyTokenizer
from tokviz.corpus.corpus import NOT_UTF_8
from tokviz.system.input_file import open_file
from tokviz.system.text_file import decoded_text

LOOK = 8_000  # bytes at the start of a file; a binary one has a zero among them, as for git
BYTES_MAX = 2**28  # of a file, which is held in memory
_Ignores = tuple[tuple[str, GitIgnoreSpec], ...]  # folders with what they ignore, the innermost first


@dataclass
class FolderTokens:
    """The tokens of each text file in a folder, by its path from there with slashes, and what has none.

    n_binary: files that are not text, or not in an encoding that is read. unread: why a file or a folder was not read.
    """

    files: dict[str, int] = field(default_factory=dict)
    n_binary: int = 0
    unread: list[str] = field(default_factory=list)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each file and folder, whose path ends in a slash, the one with the most tokens first.

        What is in a folder follows it.

        >>> [tuple(row.values()) for row in FolderTokens({"a/b": 2, "c": 3}).rows()]
        [('./', 2, 5), ('c', 1, 3), ('a/', 1, 2), ('a/b', 1, 2)]
        """
        n_tokens, n_files = Counter({".": 0}), Counter({".": 0})
        for name, n in self.files.items():
            for path in _with_folders(name):
                n_tokens[path] += n
                n_files[path] += 1
        ordered = sorted(n_tokens, key=lambda name: [(-n_tokens[path], path) for path in _with_folders(name)])
        return [
            {"path": path + "/" * (path not in self.files), "n_files": n_files[path], "n_tokens": n_tokens[path]}
            for path in ordered
        ]


def _with_folders(path: str) -> list[str]:
    """Return the folders that a path is in, from "." on, and the path."""
    return [*dict.fromkeys([*map(str, reversed(PurePosixPath(path).parents)), path])]


def folder_tokens(folder: str, tokenizer: AnyTokenizer) -> FolderTokens:
    """Return the tokens of the text files in a folder and the folders in it.

    Left out are links, devices, `.git`, and what the `.gitignore` files there, and above in the same repository, name.
    A text is UTF-8, or UTF-16 or UTF-32 with a byte order mark. Raises ValueError for a path that is not a folder, and
    as `encode` does.
    """
    if not os.path.isdir(folder):
        raise ValueError(f"{folder!r} is not a folder: name one, or leave out --tree")
    folder, result, names = os.path.realpath(folder), FolderTokens(), []

    def texts() -> Iterator[str]:
        for path in _files(folder, result.unread):
            try:
                text = _text_of_file(path)
            except OSError as e:
                result.unread.append(str(e))
                continue
            if text is None:
                result.n_binary += 1
            else:
                names.append(PurePath(path).relative_to(folder).as_posix())
                yield text

    counts = list(tokenizer.count_iter(texts()))
    result.files = dict(zip(names, counts, strict=True))
    return result


def _text_of_file(path: str) -> str | None:
    """Return the text in a file, None if it is binary or in an unknown encoding; OSError for one that is too large."""
    with open_file(path) as file:
        start = file.read(LOOK)
        if b"\0" in start and not start.startswith(NOT_UTF_8):
            return None
        data = start + file.read(BYTES_MAX)
        if len(data) > BYTES_MAX:
            raise OSError(f"{path!r} is larger than {BYTES_MAX:,} bytes: count it alone")
        try:
            return decoded_text(data)
        except UnicodeDecodeError:
            return None


def _files(folder: str, unread: list[str]) -> Iterator[str]:
    """Yield the files in a folder that nothing ignores; add to `unread` why a folder was not read."""
    above = _ignores_above(Path(folder))
    ignores = {os.path.dirname(folder): () if _is_ignored(os.path.join(folder, ""), above) else above}
    for parent, folders, names in os.walk(folder, onerror=lambda error: unread.append(str(error))):
        own = ignores[parent] = _own_ignores(parent) + ignores[os.path.dirname(parent)]
        folders[:] = (name for name in folders if not _is_ignored(os.path.join(parent, name, ""), own))
        for path in (os.path.join(parent, name) for name in sorted(names)):
            if os.path.isfile(path) and not os.path.islink(path) and not _is_ignored(path, own):
                yield path


def _ignores_above(folder: Path) -> _Ignores:
    """Return what the folders around a folder ignore, up to that of its repository; nothing if it is in none."""
    around = [folder, *folder.parents]
    root = next((i for i, each in enumerate(around) if (each / ".git").exists()), 0)
    return tuple(found for each in around[1 : root + 1] for found in _own_ignores(str(each)))


def _own_ignores(folder: str) -> _Ignores:
    path, specs = Path(folder, ".gitignore"), []
    if path.is_file() and os.access(path, os.R_OK):
        for line in path.read_text("utf-8", "replace").split("\n"):
            with suppress(ValueError):  # not a pattern, which git passes over
                specs.append(GitIgnoreSpec.from_lines([line.removesuffix("\r")]))
    return ((folder, GitIgnoreSpec([pattern for spec in specs for pattern in spec.patterns])),) if specs else ()


def _is_ignored(path: str, ignores: _Ignores) -> bool:
    """Return whether the innermost list that says something about a path ignores it; a folder's ends in a slash."""
    if os.path.basename(path.rstrip(os.sep)) == ".git":  # in a worktree it is a file
        return True
    said = (spec.check_file(path[len(folder) :].lstrip(os.sep)).include for folder, spec in ignores)
    return bool(next((include for include in said if include is not None), False))
