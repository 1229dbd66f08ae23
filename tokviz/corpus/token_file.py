"""TokenFile: a file of the ids of a corpus to train models on, written as they come and continued after a stop."""

import json
import os
from collections import deque
from collections.abc import Collection, Generator, Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from tokviz.core.cut_places import is_divisible
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import Tokenizer
from tokviz.corpus.blocks import texts_to_pretokenize
from tokviz.corpus.counting import CorpusDocument, well_formed_blocks
from tokviz.system.atomic_file import check_replaceable, open_exclusively, replace_text

SUFFIXES = (".npy", ".bin")
_HEADER = 128  # bytes that numpy writes before an array of one dimension, however long


class TokenFile:
    """Ids that go into a file: little-endian, uint16 where the vocabulary allows it, else uint32.

    A .bin file holds the ids alone, as nanoGPT reads them; a .npy file is what `numpy.load` reads.
    Until `finish` they are in a file whose name ends in .partial, and the one beside it says how far they reach.

    n_texts, n_ids: how many are written.
    """

    def __init__(self, path: Path, n_vocab: int, made_of: object) -> None:
        """Begin, or go on where an earlier run stopped.

        made_of: what the ids follow from, as JSON holds it; None if it cannot be known to be the same again. Raises
        ValueError for another suffix, for what another run has begun from something else or is writing now, and as
        `check_replaceable`.
        """
        if path.suffix not in SUFFIXES:
            raise ValueError(f"{path.name!r} must end in one of {', '.join(SUFFIXES)}")
        check_replaceable(path)
        self.path, self.dtype = path, np.dtype("<u2" if n_vocab <= 2**16 else "<u4")
        self._begin = _HEADER if path.suffix == ".npy" else 0
        self._partial, self._notes = (path.with_name(path.name + end) for end in (".partial", ".partial.json"))
        self._made_of = made_of
        self._file = open_exclusively(self._partial)
        try:
            self.n_texts, self.n_ids = self._n_saved_texts_and_ids()
        except ValueError:
            self.close()
            raise
        self._file.truncate(self._begin + self.n_ids * self.dtype.itemsize)
        self._file.seek(0, os.SEEK_END)

    def _n_saved_texts_and_ids(self) -> tuple[int, int]:
        """Return how many texts and ids an earlier run has kept."""
        try:
            notes = json.loads(self._notes.read_text("utf-8"))
            made_of, n_texts, n_ids = notes["made_of"], int(notes["n_texts"]), int(notes["n_ids"])
            n_bytes = self._partial.stat().st_size - self._begin
        except (OSError, ValueError, KeyError, TypeError):
            return 0, 0
        if made_of != self._made_of or made_of is None:
            raise ValueError(
                f"{self._partial} was begun with other files, another tokenizer or other options: delete it and "
                f"{self._notes.name}, or name another output"
            )
        return (n_texts, n_ids) if 0 <= n_ids * self.dtype.itemsize <= n_bytes else (0, 0)

    def add(self, ids: np.ndarray) -> None:
        """Add the ids of the next text."""
        self._file.write(ids.astype(self.dtype).tobytes())
        self.n_texts, self.n_ids = self.n_texts + 1, self.n_ids + len(ids)

    def save_progress(self) -> None:
        """Make sure that another run can go on from here."""
        self._write_to_disk()
        if self._made_of is not None:
            notes = {"made_of": self._made_of, "n_texts": self.n_texts, "n_ids": self.n_ids}
            replace_text(self._notes, json.dumps(notes))

    def finish(self) -> None:
        """Put the file in its place, whole."""
        if self._begin:
            self._file.seek(0)
            facts = {"descr": self.dtype.str, "fortran_order": False, "shape": (self.n_ids,)}
            np.lib.format.write_array_header_1_0(self._file, facts)
            if self._file.tell() != _HEADER:
                raise AssertionError(f"numpy wrote {self._file.tell()} bytes before the ids, not {_HEADER}")
        self._write_to_disk()
        self.close()
        os.replace(self._partial, self.path)
        self._notes.unlink(missing_ok=True)

    def _write_to_disk(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def id_arrays(
    tokenizer: AnyTokenizer,
    documents: Iterable[CorpusDocument],
    *,
    separator: int | None = None,
    allowed_special: str | Collection[str] = (),
    first: int = 0,
) -> Generator[np.ndarray]:
    """Yield the ids of documents in arrays, uint32, from array number `first` on; `separator` follows each document.

    A long document is encoded in texts where the split pattern is a named one, no special token is recognised, and
    texts are left as they are.

    >>> import tokviz
    >>> list(map(np.ndarray.tolist, id_arrays(tokviz.load("gpt2"), ["hello world", ["he", "llo"]], separator=50256)))
    [[31373, 995, 50256], [31373], [50256]]
    """
    ends: deque[bool] = deque()

    def texts_noting_ends() -> Iterator[str]:
        for text, is_end in islice(
            _texts_with_is_end(documents, _split_pattern_if_divisible(tokenizer, allowed_special)), first, None
        ):
            ends.append(is_end)
            yield text

    for ids in tokenizer.encode_iter(texts_noting_ends(), allowed_special=allowed_special):
        is_end = ends.popleft()
        yield np.append(ids, np.uint32(separator)) if separator is not None and is_end else ids


def _split_pattern_if_divisible(tokenizer: AnyTokenizer, allowed_special: str | Collection[str]) -> str | None:
    """Return the split pattern by which documents may be cut into texts, None if they may not."""
    if not isinstance(tokenizer, Tokenizer) or tokenizer.always_special or allowed_special:
        return None
    if not tokenizer.normalizer.is_plain:  # a space in front comes once, and a mark may join what is before it
        return None
    return tokenizer.split_pattern if is_divisible(tokenizer.split_pattern) else None


def _texts_with_is_end(documents: Iterable[CorpusDocument], pattern: str | None) -> Iterator[tuple[str, bool]]:
    """Yield the texts of documents, each with whether it ends one."""
    for document in documents:
        if isinstance(document, str) or pattern is None:
            yield "".join(well_formed_blocks(document)), True
            continue
        for text in texts_to_pretokenize(well_formed_blocks(document), pattern):
            yield text, False
        yield "", True
