"""LibraryTokenizer: what the tokenizers that other libraries run have in common."""

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from operator import index
from typing import Any, ClassVar, SupportsIndex, cast

import numpy as np

from tokviz.core.batch import cost_in_characters, groups_reaching_cost
from tokviz.core.pretokens import well_formed_text
from tokviz.core.protocol import EncodingTokenizer, checked_texts
from tokviz.core.special_tokens import recognised_special_names
from tokviz.core.vocabulary import unknown_id_error
from tokviz.system.foreign_engine import ForeignEngine

QUESTION = 2**18  # characters of texts that a library is asked about together, in about half a second


class LibraryTokenizer(EncodingTokenizer):
    """A tokenizer that its library runs in a child process; `reason` says why it is not a `Tokenizer`.

    A class of a library says how the bytes of a file are loaded (`load`), what a file is called (`file_name`), how
    long one text may take (`seconds`), how texts are encoded and ids decoded, and what the bytes of a token are.
    normalizer: what changes a text before it is cut, by name; "" for nothing.
    """

    file_name: ClassVar[str]
    seconds: ClassVar[float]
    kind: str
    special_tokens: Mapping[str, int]
    unknown_id: int | None
    token_of: Mapping[int, str]
    normalizer: str

    def __init__(self, name: str, data: bytes, reason: str | None, loaded: object = None) -> None:
        self.name, self.data, self.reason = name, data, reason
        self._engine = ForeignEngine(self.load, data, loaded=loaded)

    @staticmethod
    @abstractmethod
    def load(data: bytes) -> Any:
        """Return what the library makes of the bytes of a file; ValueError if it refuses them."""

    @staticmethod
    @abstractmethod
    def encoded_ids(library: Any, texts: list[str], allowed: frozenset[str]) -> list[list[int]]:
        """Return the ids that the library gives for each text, and recognise the special tokens that are allowed."""

    @staticmethod
    @abstractmethod
    def decoded_text(library: Any, ids: list[int]) -> str:
        """Return the text that the library gives for ids."""

    @abstractmethod
    def bytes_of(self, token_id: int, token: str) -> bytes:
        """Return the bytes of a token of the vocabulary."""

    def ask(self, function: Callable[..., Any], given: list[str] | list[int], *options: object) -> Any:
        """Return what a module-level function of the library returns for texts or ids; ValueError if it fails."""
        texts = [each for each in given if isinstance(each, str)]
        what = f"{sum(map(len, texts)):,} characters" if texts else f"{len(given):,} ids"
        return self._engine.ask(function, given, *options, seconds=self.seconds, what=f"{self.name} on {what}")

    @property
    def n_vocab(self) -> int:
        """The highest id plus one, special tokens included."""
        return max(self.token_of, default=-1) + 1

    def __contains__(self, token_id: object) -> bool:
        return hasattr(token_id, "__index__") and index(cast(SupportsIndex, token_id)) in self.token_of

    def encode_iter(self, texts: Iterable[str], *, allowed_special: str | Collection[str] = ()) -> Iterator[np.ndarray]:
        """Yield the token ids of each text, uint32, in order; the library is asked about many short ones at a time."""
        allowed = self.allowed_names(allowed_special)
        well_formed = map(well_formed_text, checked_texts(texts))
        for group in groups_reaching_cost(well_formed, QUESTION, cost_in_characters):
            for ids in self.ask(self.encoded_ids, group, allowed):
                yield np.array(ids, np.uint32)

    def allowed_names(self, allowed_special: str | Collection[str]) -> frozenset[str]:
        """Return the special tokens to recognise; ValueError for a name that is not a special token."""
        return frozenset(recognised_special_names(self.name, self.special_tokens, allowed_special))

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the tokens as the library gives it; UnknownTokenError for an unknown id."""
        ids = ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
        for token_id in ids:
            self.token_bytes(token_id)
        return self.ask(self.decoded_text, ids)

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of a token; one that is not text by itself, such as ##ing, has the bytes of its name."""
        if token_id not in self:
            raise unknown_id_error(self.name, token_id, self.token_of)
        return self.bytes_of(token_id, self.token_of[token_id])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.kind}, {len(self.token_of)} tokens)"
