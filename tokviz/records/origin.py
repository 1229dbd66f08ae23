"""Origin: where a tokenizer of a session comes from, which is all it takes to make it again."""

from abc import ABC, abstractmethod
from typing import Any, Self

from tokviz import AnyTokenizer

NAME_MAX = 40  # characters


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
