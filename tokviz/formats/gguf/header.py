"""The key-value pairs at the head of a GGUF file, versions 2 and 3, in either byte order.

The layout is that of ggml's docs/gguf.md: magic, version, number of tensors, number of pairs, then the pairs, each a
key, a type and a value. The tensors behind them, which may be gigabytes, are never read. The reader of the `gguf`
package maps them all, so it takes whole files only.
"""

import io
import struct
from collections.abc import Iterator
from typing import Any, BinaryIO

from tokviz.core.patterns import short_repr
from tokviz.formats.format import naming
from tokviz.formats.minbpe import MAX_FILE_BYTES

MAGIC = b"GGUF"
VERSIONS = (2, 3)
PAIRS_MAX = 10_000  # files in use have some fifty
ELEMENTS_MAX = 2_000_000  # of all arrays; the longest in use, of merges, have half a million values
KEY_BYTES_MAX = 65_535  # as the layout says
_STRING, _ARRAY, _BOOL = 8, 9, 7
# The formats of the other types, by their number: integers of 8, 16 and 32 bits, float32, bool, then 64 bits.
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", _BOOL: "B", 10: "Q", 11: "q", 12: "d"}


class _Header:
    """Reads values one after the other; ValueError where a file ends too early, or asks for too much."""

    def __init__(self, file: BinaryIO) -> None:
        self.file, self.n_bytes, self.n_elements = file, 0, 0
        if self.next_bytes(4) != MAGIC:
            raise ValueError(f"not a GGUF file, which begins with {MAGIC.decode()}")
        data = self.next_bytes(4)
        # Its numbers are small, so the byte order shows in which half of it is zero.
        self.order = "<" if data[:2] != b"\0\0" else ">"
        self.version = struct.unpack(f"{self.order}I", data)[0]
        if self.version not in VERSIONS:
            raise ValueError(
                f"version {self.version} of GGUF; versions {' and '.join(map(str, VERSIONS))} are read, so "
                "convert the model again with a current llama.cpp"
            )
        self.next_number("Q")  # of tensors
        self.n_pairs = self.next_number("Q")
        if self.n_pairs > PAIRS_MAX:
            raise ValueError(f"damaged: it says it has {self.n_pairs:,} keys; at most {PAIRS_MAX:,} are read")

    def next_bytes(self, n_bytes: int) -> bytes:
        """Return the next bytes."""
        self.n_bytes += n_bytes
        if self.n_bytes > MAX_FILE_BYTES:
            raise ValueError(
                f"damaged: its header would have {self.n_bytes:,} bytes up to here; at most {MAX_FILE_BYTES:,} are read"
            )
        data = self.file.read(n_bytes)
        if len(data) < n_bytes:
            raise ValueError("cut off inside its header; fetch it again")
        return data

    def next_number(self, code: str) -> Any:
        """Return the next number, of a format of `struct`."""
        return struct.unpack(self.order + code, self.next_bytes(struct.calcsize(f"={code}")))[0]

    def next_value(self, type_: int, key: str) -> Any:
        """Return the next value: a number, a bool, bytes for a string, or a list of these."""
        if type_ == _STRING:
            return self.next_bytes(self.next_number("Q"))
        if type_ == _ARRAY:
            return self._next_array(key)
        if type_ not in _SCALARS:
            raise ValueError(f"damaged: the value of {short_repr(key)} has the type {type_}, not 0 to 12")
        value = self.next_number(_SCALARS[type_])
        return bool(value) if type_ == _BOOL else value

    def _next_array(self, key: str) -> list[Any]:
        type_, length = self.next_number("I"), self.next_number("Q")
        if type_ == _ARRAY:
            raise ValueError(f"{short_repr(key)} is an array of arrays, which no tokenizer has")
        self.n_elements += length
        if self.n_elements > ELEMENTS_MAX:
            raise ValueError(
                f"damaged: its arrays would have {self.n_elements:,} values up to {short_repr(key)}; at "
                f"most {ELEMENTS_MAX:,} are read"
            )
        if code := _SCALARS.get(type_):
            data = self.next_bytes(length * struct.calcsize(f"={code}"))
            return list(struct.unpack(f"{self.order}{length}{code}", data))
        return [self.next_value(type_, key) for _ in range(length)]

    def key_value_pairs(self) -> Iterator[tuple[str, Any]]:
        """Yield all keys with their values."""
        seen: set[str] = set()
        for _ in range(self.n_pairs):
            length = self.next_number("Q")
            if length > KEY_BYTES_MAX:
                raise ValueError(f"damaged: a key of {length:,} bytes; at most {KEY_BYTES_MAX:,} are read")
            try:
                key = self.next_bytes(length).decode("ascii")
            except UnicodeDecodeError as e:
                raise ValueError("damaged: a key is not ASCII") from e
            if key in seen:
                raise ValueError(f"damaged: the key {short_repr(key)} is there twice")
            seen.add(key)
            yield key, self.next_value(self.next_number("I"), key)


def header_bytes(file: BinaryIO, name: str = "GGUF") -> bytes:
    """Return the head of a GGUF file, open at its beginning, up to the end of its key-value pairs.

    It is all that `tokenizer_values` needs: some megabytes of a file of gigabytes. Raises ValueError, which begins with
    `name`, for a file that is damaged, cut off, or of a version that is not read.

    >>> empty = MAGIC + struct.pack("<IQQ", 3, 0, 0)
    >>> header_bytes(io.BytesIO(empty + b"tensors")) == empty
    True
    """
    with naming(name):
        header = _Header(file)
        for _ in header.key_value_pairs():
            pass
    file.seek(0)
    return file.read(header.n_bytes)


def tokenizer_values(data: bytes, name: str = "GGUF") -> dict[str, Any]:
    """Return the key-value pairs that concern the tokenizer, those whose keys begin with "tokenizer.".

    `data` is a GGUF file or its header. Strings are str; errors as in `header_bytes`, and ValueError for strings that
    are not UTF-8.

    >>> pair = struct.pack("<Q14sIQ4s", 14, b"tokenizer.name", 8, 4, b"gpt2")
    >>> tokenizer_values(MAGIC + struct.pack("<IQQ", 3, 0, 1) + pair)
    {'tokenizer.name': 'gpt2'}
    """
    values: dict[str, Any] = {}
    with naming(name):
        for key, value in _Header(io.BytesIO(data)).key_value_pairs():
            if key.startswith("tokenizer."):
                try:
                    values[key] = _decoded_value(value)
                except UnicodeDecodeError as e:
                    raise ValueError(f"damaged: a string of {short_repr(key)} is not UTF-8") from e
    return values


def general_name(data: bytes) -> str:
    """Return what a GGUF file or its header says the model is called, "" if nothing; errors as in `header_bytes`."""
    with naming("GGUF"):
        pairs = _Header(io.BytesIO(data)).key_value_pairs()
        name = next((value for key, value in pairs if key == "general.name"), b"")
    return name.decode(errors="replace") if isinstance(name, bytes) else ""


def _decoded_value(value: Any) -> Any:
    if isinstance(value, list):
        return [_decoded_value(one) for one in value]
    return value.decode() if isinstance(value, bytes) else value
