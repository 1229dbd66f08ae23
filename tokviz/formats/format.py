"""A kind of tokenizer file, as the table of formats has it, and a file of that kind."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from tokviz.core.protocol import AnyTokenizer
from tokviz.core.special_tokens import SpecialTokens
from tokviz.system.sandbox import SandboxError

OTHER = 3  # the place of a file that may be beside a tokenizer


@dataclass(frozen=True)
class Source:
    """A file to read: its bytes and name, the name of the tokenizer, what is given, and the files beside it by name."""

    data: bytes = field(repr=False)
    file_name: str
    name: str
    split_pattern: str | None = None
    special_tokens: SpecialTokens | None = None
    beside: Mapping[str, bytes] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Format:
    """A kind of file: how it is recognised, read and written. Its functions are those of a module: a child reads.

    recognises: whether the beginning of a file is of this kind; the first format of the table that does so reads it.
    read: the tokenizer in a file, or ValueError. write: the text of a file; purpose: what that is for. suffix: that of
    its files. names: what they are called in a folder, where those without a name are found by their suffix. takes:
    which of split_pattern and special_tokens may be given to `read`, and version to `write`. words: what it is called
    where files are asked for. lacks_pattern: whether a file, given as its bytes and name, is read only with a split
    pattern. place: of several files, the one with the lowest holds the tokenizer, provided that it contains `mark`,
    which no other kind of file does.
    """

    name: str
    recognises: Callable[[bytes], object] | None = None
    read: Callable[[Source], AnyTokenizer] | None = None
    write: Callable[..., str] | None = None
    purpose: str = ""
    suffix: str = ""
    names: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    words: str = ""
    lacks_pattern: Callable[[bytes, str], bool] | None = None
    place: int = 0
    mark: re.Pattern[bytes] = re.compile(b"")


@contextmanager
def naming(file_name: str) -> Iterator[None]:
    """Let a ValueError from inside begin with the name of the file that it is about."""
    try:
        yield
    except SandboxError:
        raise
    except ValueError as e:
        raise ValueError(f"{file_name}: {e}") from e


def is_json(data: bytes) -> bool:
    """Return whether a file begins as a JSON object does."""
    return data.lstrip()[:1] == b"{"
