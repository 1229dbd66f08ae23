"""Corpus: documents from files, folders, globs and standard input, gzipped or not.

In a .jsonl file each line is a document; any other file is one, read a block at a time. Lines that cannot be used are
counted, and reported by file and line.
"""

import codecs
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BufferedIOBase, BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from tokviz.core.patterns import short_repr
from tokviz.corpus.counting import CorpusDocument
from tokviz.corpus.paths import (
    STDIN,
    SUFFIXES,
    UTF_16_AND_32_MARKS,
    files_at_path,
    has_known_suffix,
    is_jsonl,
    is_piped,
    standard_input,
)
from tokviz.system.input_file import open_file

if TYPE_CHECKING:
    from tokviz.corpus.mixes import CorpusMix

T = TypeVar("T")
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
READ_BYTES = 2**18
LINE_BYTES = 2**22  # a line of a .txt file that is longer is read in parts of this size
BAD_LINES_KEPT = 1_000
FILES_NAMED = 10  # in a message about files without a text


@dataclass(frozen=True)
class BadLine:
    """A line that was left out: its file, its number counted from 1, and why."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.reason}"


class Corpus:
    """Documents of files; iterating reads them all, from the first file on.

    These count what the last iteration has met so far: n_read, bytes of the files as they are, gzipped or not;
    n_documents; n_bad, lines left out, the first thousand of them in `bad_lines`; without_text, files without any text.
    A document is a str or an iterator of blocks, which must be used up before the next document.
    """

    def __init__(
        self, paths: Iterable[str | Path], *, text_key: str = "text", stdin: str = "txt", strict: bool = False
    ) -> None:
        """Find the files, without reading them.

        A folder stands for all the files in it and its subfolders whose names end in .txt, .jsonl, .txt.gz or
        .jsonl.gz; the files of a folder or a glob are sorted. "-" is standard input; it, and files and pipes whose
        names do not end so, are in the format `stdin`, "txt" or "jsonl". strict: a bad line is a ValueError. Raises
        ValueError for paths that do not exist, and for binary files.
        """
        if stdin not in ("txt", "jsonl"):
            raise ValueError(f"standard input must be txt or jsonl, not {stdin!r}")
        self.files = [file for path in paths for file in files_at_path(str(path))]
        self._held: dict[str, bytes] = {}
        self.unpacked_max: int | None = None
        self.text_key, self.stdin, self.strict = text_key, stdin, strict
        self.n_read = self.n_documents = self.n_bad = 0
        self.bad_lines: list[BadLine] = []
        self.without_text: list[str] = []

    @classmethod
    def of_bytes(cls, files: Mapping[str, bytes], *, text_key: str = "text", unpacked_max: int | None = None) -> Self:
        """Return the corpus of files held in memory; the end of a name tells its format, as that of a path does.

        unpacked_max: reading more bytes than this, of all files unpacked, raises ValueError.

        >>> corpus = Corpus.of_bytes({"a.jsonl": b'{"text": "low"}\\nno', "b.txt": b"lower"})
        >>> [document if isinstance(document, str) else "".join(document) for document in corpus], corpus.n_bad
        (['low', 'lower'], 1)
        """
        for name in files:
            if not has_known_suffix(name):
                raise ValueError(f"{name!r} does not end in one of {', '.join(SUFFIXES)}: rename or convert the file")
        corpus = cls([], text_key=text_key)
        corpus.files, corpus._held, corpus.unpacked_max = list(files), dict(files), unpacked_max
        return corpus

    @property
    def n_bytes(self) -> int | None:
        """Bytes of all files as they are, gzipped or not; None if one of them has no size."""
        if self._held:
            return sum(map(len, self._held.values()))
        return None if any(map(is_piped, self.files)) else sum(Path(file).stat().st_size for file in self.files)

    def fingerprint(self) -> list[list[object]] | None:
        """Return the text key, and name, size and modification time of each file; None unless all are on disk."""
        if self._held or any(map(is_piped, self.files)):
            return None
        stats = [Path(file).stat() for file in self.files]
        files = [[file, stat.st_size, stat.st_mtime_ns] for file, stat in zip(self.files, stats, strict=True)]
        return [["text key", self.text_key], *files]

    def __iter__(self) -> Iterator[CorpusDocument]:
        for _, _, document in self.records(lambda line: text_under_key(json_object_on_line(line), self.text_key)):
            yield document

    def records(self, read: Callable[[str], T]) -> Iterator[tuple[str, int, T | Iterator[str]]]:
        """Yield file, line and document: what `read` makes of a line of a .jsonl file, or the blocks of another file.

        `read` raises ValueError with the reason to leave a line out. Lines count from 1.

        >>> corpus = Corpus.of_bytes({"a.jsonl": b"1\\n\\nno", "b.txt": b"low"})
        >>> [(file, line) for file, line, _ in corpus.records(int)]
        [('a.jsonl', 1), ('b.txt', 1)]
        >>> str(corpus.bad_lines[0])
        "a.jsonl, line 3: invalid literal for int() with base 10: 'no'"
        """
        self.n_read = self.n_documents = self.n_bad = 0
        self.bad_lines, self.without_text = [], []
        self._n_unpacked = 0
        for name in self.files:
            if name == STDIN:
                yield from self._records_of_file(name, standard_input(), self.stdin == "jsonl", read)
                continue
            with BytesIO(self._held[name]) if name in self._held else open_file(name) as raw:
                before = self.n_read
                file: BufferedIOBase = gzip.GzipFile(fileobj=raw) if name.lower().endswith(".gz") else raw
                has_lines = is_jsonl(name) if has_known_suffix(name) else self.stdin == "jsonl"
                yield from self._records_of_file(name, file, has_lines, read, raw)
                self.n_read = before + (raw.tell() if raw.seekable() else 0)

    def _records_of_file(
        self,
        name: str,
        file: BufferedIOBase,
        is_jsonl: bool,
        read: Callable[[str], T],
        raw: BufferedIOBase | None = None,
    ) -> Iterator[tuple[str, int, T | Iterator[str]]]:
        blocks = self._blocks_noting_position(file, raw, None if is_jsonl else LINE_BYTES)
        texts = self._numbered_texts_noting_bad_lines(name, blocks)
        self.without_text.append(name)
        shown = _display_name(name)
        if not is_jsonl:
            self.n_documents += 1
            yield shown, 1, (self._note_text_and_return(name, block) for _, block in texts)
            return
        lines = (each for first, text in texts for each in enumerate(text.split("\n"), first))
        for number, line in lines:
            if not line.strip():
                continue
            try:
                document = read(line)
            except ValueError as e:
                self._record_bad_line_or_raise(name, number, str(e))
                continue
            self.n_documents += 1
            yield shown, number, self._note_text_and_return(name, document)

    def _note_text_and_return(self, name: str, document: T) -> T:
        """Return a document or a part of one, and note that the last file has text."""
        if document and self.without_text[-1:] == [name]:
            self.without_text.pop()
        return document

    def _blocks_noting_position(
        self, file: BufferedIOBase, raw: BufferedIOBase | None, line_max: int | None
    ) -> Iterator[bytes]:
        """Yield the bytes of a file in parts that end at a line end, or in a line that is too long but in no character.

        Notes how much of the files is read; standard input and named pipes have no positions. ValueError for too much.
        """
        before, has_places = self.n_read, raw is not None and raw.seekable()
        held = bytearray()
        while data := file.read1(READ_BYTES):
            if raw and has_places:
                self.n_read = before + raw.tell()
            self._n_unpacked += len(data)
            if self.unpacked_max is not None and self._n_unpacked > self.unpacked_max:
                raise ValueError(
                    "the files have too many bytes when unpacked: train on fewer, or on the command line, which takes "
                    "any number: tokviz train"
                )
            end = len(held) + data.rfind(b"\n") + 1
            is_open = end == len(held)
            held += data
            if is_open:
                if line_max is None or len(held) < line_max:
                    continue
                end = len(held) - next((i for i in range(1, 4) if held[-i] & 0xC0 != 0x80), 4)
            yield bytes(held[:end])
            del held[:end]
        if held:
            yield bytes(held)

    def _numbered_texts_noting_bad_lines(self, name: str, lines: Iterable[bytes]) -> Iterator[tuple[int, str]]:
        """Yield texts of several lines, with the number of the first; leave out lines that are not UTF-8."""
        number = 1
        try:
            for i, some in enumerate(lines):
                if i == 0 and some.startswith(UTF_16_AND_32_MARKS):
                    self._record_bad_line_or_raise(
                        name, number, "the file is UTF-16 or UTF-32, not UTF-8: convert it, as with iconv"
                    )
                    return
                if i == 0:
                    some = some.removeprefix(codecs.BOM_UTF8)
                try:
                    yield number, some.decode()
                    number += some.count(b"\n")
                except UnicodeDecodeError:
                    for line in _LINE.findall(some):
                        try:
                            yield number, line.decode()
                        except UnicodeDecodeError as e:
                            self._record_bad_line_or_raise(
                                name, number, f"not UTF-8: byte {line[e.start]} at offset {e.start}"
                            )
                        number += line.endswith(b"\n")
        except (EOFError, zlib.error, gzip.BadGzipFile) as e:
            self._record_bad_line_or_raise(name, number, f"the file is damaged from here on: {e}")

    def _record_bad_line_or_raise(self, name: str, line: int, reason: str) -> None:
        bad = BadLine(_display_name(name), line, reason)
        if self.strict:
            raise ValueError(str(bad))
        self.n_bad += 1
        if len(self.bad_lines) < BAD_LINES_KEPT:
            self.bad_lines.append(bad)


def _display_name(file: str) -> str:
    return "standard input" if file == STDIN else file


def json_object_on_line(line: str) -> dict[str, Any]:
    """Return the JSON object on a line; ValueError with the reason if there is none.

    >>> json_object_on_line('{"text": "low"}')
    {'text': 'low'}
    """
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as e:
        raise ValueError(f"not JSON: {str(e) or type(e).__name__}") from e
    if not isinstance(record, dict):
        raise ValueError(f"not a JSON object: {short_repr(record)}")
    return record


def text_under_key(record: Mapping[str, Any], key: str) -> str:
    """Return the text under a key; ValueError with the reason if there is none."""
    if key not in record:
        raise ValueError(f"lacks the key {key!r}; its keys are {short_repr(list(record))}")
    if not isinstance(record[key], str):
        raise ValueError(f"{key!r} is not a text: {short_repr(record[key])}")
    return record[key]


def no_text_error(corpus: "Corpus | CorpusMix") -> ValueError:
    """Return the error for files in which no text was found; it names them.

    >>> corpus = Corpus.of_bytes({"a.txt": b""})
    >>> list(map(list, corpus)), str(no_text_error(corpus))
    ([[]], 'there is no text to train on in a.txt')
    """
    names = ", ".join(map(_display_name, corpus.files[:FILES_NAMED]))
    more = len(corpus.files) - FILES_NAMED
    names += f" and {more:,} more files" if more > 0 else ""
    why = f"; left out: {corpus.bad_lines[0]} (and {corpus.n_bad - 1:,} more lines)" if corpus.n_bad else ""
    return ValueError(f"there is no text to train on in {names}{why}")
