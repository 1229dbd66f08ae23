"""Tokenizers opened from a file or made from a text, and the packed records that a browser's tab keeps of them.

A record is checked like the file itself.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tokviz import AnyTokenizer
from tokviz.core.chat_settings import ChatSettings
from tokviz.core.pretokens import well_formed
from tokviz.families.teaching import ListTokenizer, byte_tokenizer
from tokviz.formats.chat_settings import chat_settings
from tokviz.formats.files import READ_SECONDS, read_tokenizer
from tokviz.records.packing import UNPACKED_MAX, pack, unpack
from tokviz.records.trained import NAME_MAX, free_name
from tokviz.system import sandbox

PACKED_BYTES_MAX = 8_000_000  # a larger file does not fit into a tab, and takes seconds to pack


@dataclass(frozen=True)
class Opened:
    """A tokenizer, and the plain JSON from which it can be made again. given_name: its name in a record, if any."""

    tokenizer: AnyTokenizer = field(compare=False)
    source: Mapping[str, Any]
    given_name: str = field(default="", compare=False)

    @cached_property
    def packed(self) -> str | None:
        """The record of this tokenizer, packed; None if it is too large."""
        if sum(map(len, [self.source.get("file", ""), *self.source.get("beside", {}).values()])) > PACKED_BYTES_MAX:
            return None
        return pack({"name": self.tokenizer.name, **self.source})

    @property
    def chat_settings(self) -> ChatSettings | None:
        """What its file, or one beside it, says about chats; None for nothing, or nothing that can be read."""
        try:
            return self._chat_settings
        except sandbox.SandboxError:
            return None

    @cached_property
    def _chat_settings(self) -> ChatSettings | None:
        """As `chat_settings`; SandboxError, and nothing is cached, if this machine is too busy to read them."""
        if "file" not in self.source:
            return None
        beside = {name: text.encode("latin-1") for name, text in self.source.get("beside", {}).items()}
        try:
            return chat_settings(self.source["file"].encode("latin-1"), self.source["file_name"], beside)
        except sandbox.SandboxError as e:
            if sandbox.is_busy(e):
                raise
            return None
        except ValueError:
            return None


def file_record(
    data: bytes,
    file_name: str,
    *,
    taken: Collection[str] = (),
    split_pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
    beside: Mapping[str, bytes] = MappingProxyType({}),
) -> Opened:
    """Return the tokenizer in a file, under a name that is not taken; ValueError as in `read_tokenizer`.

    beside: the files that belong to it, by their names.
    """
    source: dict[str, Any] = {"file": data.decode("latin-1"), "file_name": file_name}
    if beside:
        source["beside"] = {name: other.decode("latin-1") for name, other in beside.items()}
    if split_pattern is not None:
        source["split_pattern"] = split_pattern
    if special_tokens is not None:
        source["special_tokens"] = special_tokens
    return _record(free_name(well_formed(Path(file_name).stem)[:NAME_MAX] or "tokenizer", taken), source)


def list_record(name: str, kind: str, tokens: Collection[str] = ()) -> Opened:
    """Return the tokenizer of a list of "characters" or "words", or that of "bytes"."""
    return _record(name, {"kind": kind, "tokens": list(tokens)})


def unpack_opened(packed: str, *, most: int = UNPACKED_MAX, taken: Collection[str] = ()) -> Opened:
    """Return the tokenizer of a packed record, under a name that is not taken.

    Raises ValueError for a record that is damaged, or that unpacks to more than `most` bytes.

    >>> unpack_opened(list_record("mine", "words", ["a", "b"]).packed).tokenizer.encode("b c")
    [2, 0]
    """
    return sandbox.call(
        _unpacked_opened, packed, most, set(taken), seconds=READ_SECONDS, what="the record of a tokenizer"
    )


def _unpacked_opened(packed: str, most: int, taken: set[str]) -> Opened:
    source = unpack(packed, most=most)
    try:
        given_name = str(source.pop("name"))
        return replace(_record(free_name(well_formed(given_name)[:NAME_MAX], taken), source), given_name=given_name)
    except (KeyError, TypeError, AttributeError) as e:
        raise ValueError(f"the record of a tokenizer is damaged ({e})") from e


def renamed_opened(opened: Opened, name: str) -> Opened:
    """Return an opened tokenizer under another name."""
    return opened if name == opened.tokenizer.name else _record(name, dict(opened.source))


def _record(name: str, source: dict[str, Any]) -> Opened:
    if "file" in source:
        rules: dict[str, Any] = {key: source[key] for key in ("split_pattern", "special_tokens") if key in source}
        beside = {other: text.encode("latin-1") for other, text in source.get("beside", {}).items()}
        data = source["file"].encode("latin-1")
        return Opened(read_tokenizer(data, source["file_name"], name=name, beside=beside, **rules), source)
    if source["kind"] == "bytes":
        return Opened(byte_tokenizer(name), source)
    return Opened(ListTokenizer(name, source["kind"], map(str, source["tokens"])), source)
