"""AnyTokenizer: what a tokenizer of any family can do, and the error for what its family cannot do.

`Tokenizer`, byte-level BPE, can do more: it has merges, and so a trace and a time machine.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

if TYPE_CHECKING:
    from tokviz.core.spans import TokenSpans

MERGES = "BPE whose merges are known, such as byte-level BPE"


class EncodingTokenizer(Protocol):
    """What tokenizers of all families do with texts and ids; most follows from `encode_iter` and `token_bytes`."""

    @abstractmethod
    def encode_iter(self, texts: Iterable[str], *, allowed_special: str | Collection[str] = ()) -> Iterator[np.ndarray]:
        """Yield the token ids of each text, uint32, in order; some texts are read ahead.

        Special tokens that are not allowed are plain text. Raises TypeError for anything but a str, and ValueError if
        a library or a split pattern fails or does not end.
        """

    def encode(self, text: str, *, allowed_special: str | Collection[str] = ()) -> list[int]:
        """Return the token ids of a text; otherwise as `encode_iter`."""
        return self.encode_batch([text], allowed_special=allowed_special)[0]

    def encode_to_numpy(self, text: str, *, allowed_special: str | Collection[str] = ()) -> np.ndarray:
        """Return the token ids of a text, uint32; otherwise as `encode_iter`."""
        return next(self.encode_iter([text], allowed_special=allowed_special))

    def encode_batch(self, texts: Iterable[str], *, allowed_special: str | Collection[str] = ()) -> list[list[int]]:
        """Return the token ids of each text, in order; otherwise as `encode_iter`."""
        return [ids.tolist() for ids in self.encode_iter(texts, allowed_special=allowed_special)]

    def count(self, text: str, *, allowed_special: str | Collection[str] = ()) -> int:
        """Return how many tokens a text has; otherwise as `encode_iter`."""
        return next(self.count_iter([text], allowed_special=allowed_special))

    def count_iter(self, texts: Iterable[str], *, allowed_special: str | Collection[str] = ()) -> Iterator[int]:
        """Yield how many tokens each text has, in order; otherwise as `encode_iter`."""
        yield from map(len, self.encode_iter(texts, allowed_special=allowed_special))

    @abstractmethod
    def spans(self, text: str, *, allowed_special: str | Collection[str] = ()) -> "TokenSpans":
        """Return the tokens of a text with their offsets in it, after lone surrogates became U+FFFD.

        Text between two tokens may belong to neither, and a token may be empty.
        """

    @abstractmethod
    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the tokens, as far as they give it; UnknownTokenError for an unknown id."""

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Return the text of the tokens in UTF-8; of byte-level BPE also bytes that are not UTF-8."""
        return self.decode(ids).encode()

    @abstractmethod
    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of a token, as the vocabulary has it; UnknownTokenError for an unknown id.

        A special or unknown token has the bytes of its name.
        """

    def tokens_bytes(self, ids: Iterable[int]) -> list[bytes]:
        """Return the bytes of each token, as `token_bytes`."""
        return [self.token_bytes(token_id) for token_id in ids]


class AnyTokenizer(EncodingTokenizer, Protocol):
    """A tokenizer of any family."""

    @property
    def name(self) -> str:
        """The label that pages and errors use."""

    @property
    def kind(self) -> str:
        """The family, in a few words, such as "byte-level BPE"."""

    @property
    def special_tokens(self) -> Mapping[str, int]:
        """Special tokens by name, with their ids."""

    @property
    def n_vocab(self) -> int:
        """The highest id plus one, special tokens included."""

    @property
    def unknown_id(self) -> int | None:
        """The id of text outside the vocabulary; None where nothing is outside it."""

    @property
    def reason(self) -> str | None:
        """Why its merges are not known; None where they are."""

    def __contains__(self, token_id: object) -> bool:
        """Whether this is the id of a token."""


def checked_texts(texts: Iterable[str]) -> Iterable[str]:
    """Return several texts; ValueError for a single one, which is an iterable of its characters."""
    if isinstance(texts, str | bytes):
        raise ValueError("texts must be an iterable of str; for a single one there are encode and count")
    return texts


class FamilyError(TypeError, ValueError):
    """What was asked cannot be done with a tokenizer of this family, or with what is not a tokenizer."""


def family_error(given: Any, asked: str, *, needs: str = MERGES, reason: str | None = None) -> FamilyError:
    """Return the error that says what was asked, what that needs, and what was given; by default with its `reason`.

    >>> from tokviz.families.teaching import list_tokenizer
    >>> print(family_error(list_tokenizer("words", "the cat"), "an audit"))
    an audit needs BPE whose merges are known, such as byte-level BPE; words is words: words have no merges
    >>> print(family_error("gpt2", "an audit", needs="a tokenizer"))
    an audit needs a tokenizer, not str: give tokviz.load(name) or tokviz.read(path)
    """
    if not hasattr(given, "token_bytes"):
        way_out = ": give tokviz.load(name) or tokviz.read(path)" if isinstance(given, str) else ""
        return FamilyError(f"{asked} needs {needs}, not {type(given).__name__}{way_out}")
    reason = given.reason if reason is None else reason
    return FamilyError(f"{asked} needs {needs}; {given.name} is {given.kind}{f': {reason}' if reason else ''}")


def as_tokenizer(given: Any, asked: str = "this", *, needs: str = "a tokenizer") -> AnyTokenizer:
    """Return a tokenizer as it is, and one that another library holds in memory as ours.

    Raises FamilyError, with what was `asked`, for anything else.

    >>> import tiktoken
    >>> as_tokenizer(tiktoken.get_encoding("gpt2"))
    Tokenizer('gpt2', split_pattern='gpt2', 50256 tokens, 1 special)
    """
    if hasattr(given, "token_bytes"):
        return given  # type: ignore[no-any-return]
    from tokviz.formats.library_objects import tokenizer_of_object_if_known  # the formats are above this

    found = tokenizer_of_object_if_known(given)
    if found is None:
        raise family_error(given, asked, needs=needs)
    return found


class NamedTokenizers(dict[str, AnyTokenizer]):
    """Tokenizers by their names, in order; a copy of a table that has them holds the same ones."""

    def __deepcopy__(self, memo: object) -> Self:
        return self


def named_tokenizers(given: Any) -> NamedTokenizers:
    """Return tokenizers by their names; of several with one name, those after the first get a number.

    given: a tokenizer, several in a list, or a dict of names to tokenizers, each of them ours or another library's.
    Raises FamilyError for anything else, and ValueError if there is none.

    >>> import tokviz
    >>> toy = tokviz.train("low lower", vocab_size=258, name="toy")
    >>> [*named_tokenizers([toy, toy])], [*named_tokenizers({"mine": toy})]
    (['toy', 'toy (2)'], ['mine'])
    """
    needs = "a tokenizer, or several in a list or a dict"
    if isinstance(given, Mapping):
        pairs = [(str(name), as_tokenizer(each, needs=needs)) for name, each in given.items()]
    else:
        several = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
        pairs = [(each.name, each) for each in (as_tokenizer(one, needs=needs) for one in several)]
    if not pairs:
        raise ValueError("there is no tokenizer: give one, or several in a list")
    named = NamedTokenizers()
    for name, each in pairs:
        numbered = (name if number == 1 else f"{name} ({number})" for number in count(1))
        named[next(one for one in numbered if one not in named)] = each
    return named
