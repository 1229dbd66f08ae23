"""LibraryTokenizer: what the tokenizers that other libraries run have in common."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import index
from typing import Any, ClassVar, SupportsIndex, cast

import numpy as np

from tokviz.core.batch import cost_in_characters, groups_reaching_cost
from tokviz.core.normalizer import SPACE_MARK
from tokviz.core.pretokens import well_formed_text
from tokviz.core.protocol import EncodingTokenizer, checked_texts
from tokviz.core.special_tokens import recognised_special_names
from tokviz.core.vocabulary import unknown_id_error
from tokviz.formats.format import naming
from tokviz.formats.huggingface.byte_alphabet import alphabet_bytes
from tokviz.formats.huggingface.byte_tokens import byte_if_byte_token
from tokviz.system.foreign_engine import ForeignEngine

QUESTION = 2**18  # characters of texts that a library is asked about together, in about half a second


@dataclass(frozen=True)
class LibraryFacts:
    """What a library says of a tokenizer without a text.

    token_of: the tokens by id, as the file writes them. normalizer: what changes a text before it is cut, by name, ""
    for nothing. named_ids: the tokens that are their names, such as special ones. byte_ids: those that may be bytes by
    their names. has_marked_spaces: whether ▁ is a space. is_written_in_bytes: whether tokens are in the alphabet of
    bytes.
    """

    kind: str
    token_of: Mapping[int, str]
    special_tokens: Mapping[str, int]
    unknown_id: int | None
    normalizer: str
    named_ids: Collection[int]
    byte_ids: Collection[int]
    has_marked_spaces: bool = True
    is_written_in_bytes: bool = False


class LibraryTokenizer(EncodingTokenizer):
    """A tokenizer that its library runs in a child process; `reason` says why it is not a `Tokenizer`.

    A class of a library says what a file is called, how long one text may take, and gives four module-level or static
    functions. load: what the library makes of the bytes of a file, or ValueError; the others are given that. facts:
    what is known without a text, or ValueError for a file that is damaged, or far larger than those in use.
    encoded_ids: the ids of each text, with the special tokens that are allowed. decoded_text: the text of ids.
    """

    file_name: ClassVar[str]
    seconds: ClassVar[float]
    load: Callable[[bytes], Any]
    facts: Callable[[Any], LibraryFacts]
    encoded_ids: Callable[[Any, list[str], frozenset[str]], list[list[int]]]
    decoded_text: Callable[[Any, list[int]], str]

    def __init__(self, name: str, data: bytes, *, reason: str | None = None, loaded: object = None) -> None:
        """Load the bytes of a file, unless this child process has done so; ValueError if they are refused."""
        self.name, self.data, self.reason = name, data, reason
        self._engine = ForeignEngine(self.load, data, loaded=loaded)
        with naming(name):
            facts = self._engine.ask(self.facts, seconds=self.seconds, what=f"loading {name}")
        self.kind, self.special_tokens, self.unknown_id = facts.kind, facts.special_tokens, facts.unknown_id
        self.token_of, self.normalizer, self._facts = facts.token_of, facts.normalizer, facts

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
        return frozenset(recognised_special_names(self, allowed_special))

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
        token, facts = self.token_of[token_id], self._facts
        if token_id in facts.named_ids:
            return token.encode("utf-8", "replace")
        if facts.is_written_in_bytes:
            return alphabet_bytes(token) or token.encode()
        if token_id in facts.byte_ids and (byte := byte_if_byte_token(token)):
            return byte
        return (token.replace(SPACE_MARK, " ") if facts.has_marked_spaces else token).encode()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.kind}, {len(self.token_of)} tokens)"
