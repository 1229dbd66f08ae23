"""Origin: where a tokenizer of a session comes from, a file for example, which is all it takes to make it again."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from tokviz import AnyTokenizer
from tokviz.core.chat_settings import ChatSettings
from tokviz.families.teaching import ListTokenizer, byte_tokenizer
from tokviz.formats.chat_settings_file import chat_settings_if_any
from tokviz.formats.files import read_tokenizer
from tokviz.system import sandbox

NAME_MAX = 40  # characters
RECORD_BYTES_MAX = 8_000_000  # of files; more do not fit into a tab, and take seconds to pack


class Origin(ABC):
    """Where a tokenizer is from; a class for each kind is in `ORIGINS` of `tokviz.records.session_tokenizer`."""

    @abstractmethod
    def tokenizer(self, name: str) -> AnyTokenizer:
        """Return the tokenizer, under a name; ValueError if it cannot be made."""

    @abstractmethod
    def record(self) -> dict[str, Any]:
        """Return the origin as plain JSON."""

    @classmethod
    @abstractmethod
    def of_record(cls, record: dict[str, Any]) -> Self:
        """Return the origin of a record, which may come from anyone; ValueError, KeyError or TypeError if damaged."""

    @property
    def is_too_large(self) -> bool:
        """Whether the record does not fit into a tab, or takes seconds to pack."""
        return False


@dataclass(frozen=True)
class FromFile(Origin):
    """A file with those that belong to it, by their names, and what was said of it where it does not say so itself."""

    data: bytes = field(repr=False)
    file_name: str
    split_pattern: str | None = None
    special_tokens: Mapping[str, int] | None = None
    beside: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    def tokenizer(self, name: str) -> AnyTokenizer:
        """Return the tokenizer in the file; ValueError as in `read_tokenizer`."""
        said = {"split_pattern": self.split_pattern, "special_tokens": self.special_tokens}
        rules: dict[str, Any] = {key: value for key, value in said.items() if value is not None}
        return read_tokenizer(self.data, self.file_name, name=name, beside=self.beside, **rules)

    def record(self) -> dict[str, Any]:
        """Return the origin as plain JSON: bytes are in the characters of Latin-1."""
        fields = {
            "file": self.data.decode("latin-1"),
            "file_name": self.file_name,
            "split_pattern": self.split_pattern,
            "special_tokens": self.special_tokens,
            "beside": {name: data.decode("latin-1") for name, data in self.beside.items()} or None,
        }
        return {key: value for key, value in fields.items() if value is not None}

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> Self:
        """Return the origin of a record; ValueError, KeyError or TypeError if it is damaged."""
        return cls(
            record["file"].encode("latin-1"),
            record["file_name"],
            record.get("split_pattern"),
            record.get("special_tokens"),
            {str(name): text.encode("latin-1") for name, text in record.get("beside", {}).items()},
        )

    @property
    def is_too_large(self) -> bool:
        """Whether the record does not fit into a tab."""
        return sum(map(len, [self.data, *self.beside.values()])) > RECORD_BYTES_MAX

    @property
    def chat_settings(self) -> ChatSettings | None:
        """What the file, or one beside it, says about chats; None for nothing, or nothing that can be read."""
        try:
            return self._chat_settings
        except sandbox.SandboxError:
            return None

    @cached_property
    def _chat_settings(self) -> ChatSettings | None:
        """As `chat_settings`; SandboxError, and nothing is cached, if this machine is too busy to read them."""
        try:
            return chat_settings_if_any(self.data, self.file_name, self.beside)
        except sandbox.SandboxError as e:
            if sandbox.is_busy_error(e):
                raise
            return None
        except ValueError:
            return None


@dataclass(frozen=True)
class FromTokens(Origin):
    """A list of "characters" or "words", or "bytes", which need none."""

    kind: str
    tokens: tuple[str, ...] = ()

    def tokenizer(self, name: str) -> AnyTokenizer:
        """Return the tokenizer of the list."""
        return byte_tokenizer(name) if self.kind == "bytes" else ListTokenizer(name, self.kind, self.tokens)

    def record(self) -> dict[str, Any]:
        """Return the origin as plain JSON."""
        return {"kind": self.kind, "tokens": [*self.tokens]}

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> Self:
        """Return the origin of a record; KeyError or TypeError if it is damaged."""
        return cls(record["kind"], tuple(map(str, record["tokens"])))
