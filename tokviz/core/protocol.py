"""AnyTokenizer: what the views need of a tokenizer, whatever its family.

`Tokenizer`, byte-level BPE, has all of it and more: merges, a trace, a time machine. Other libraries' tokenizers and
the naive ones for teaching have this much, and `spans` to say where their tokens stand in a text, since the bytes of
their tokens do not add up to it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol, Self


class AnyTokenizer(Protocol):
    """A tokenizer of any family.

    kind: its family in a few words, such as "byte-level BPE". unknown_id: the id of text
    outside the vocabulary; None where there is no such text. n_vocab: the highest id plus one. reason: why its merges
    are not known; None for byte-level BPE.
    """

    @property
    def name(self) -> str:
        """The label that pages and errors use."""

    @property
    def kind(self) -> str:
        """The family, in a few words."""

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

    def encode(self, text: str, *, allowed_special: str | Collection[str] = ()) -> list[int]:
        """Return the token ids of a text; special tokens that are not allowed are plain text."""

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the tokens, as far as they give it; UnknownTokenError for an unknown id."""

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of a token, as the vocabulary has it; UnknownTokenError for an unknown id.

        A special or unknown token has the bytes of its name.
        """


class NamedTokenizers(dict[str, AnyTokenizer]):
    """Tokenizers by their names, in order; a copy of a table that has them holds the same ones."""

    def __deepcopy__(self, memo: object) -> Self:
        return self


def named_tokenizers(given: Any) -> NamedTokenizers:
    """Return tokenizers by their names; of several with one name, those after the first get a number.

    given: a tokenizer, several in a list, or a dict of names to tokenizers. Raises TypeError for anything else, and
    ValueError if there is none.

    >>> import tokviz
    >>> toy = tokviz.train("low lower", vocab_size=258, name="toy")
    >>> [*named_tokenizers([toy, toy])], [*named_tokenizers({"mine": toy})]
    (['toy', 'toy (2)'], ['mine'])
    """
    if isinstance(given, Mapping):
        pairs = [(str(name), each) for name, each in given.items()]
    else:
        several = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
        pairs = [(getattr(each, "name", ""), each) for each in several]
    if not pairs:
        raise ValueError("there is no tokenizer: give one, or several in a list")
    named = NamedTokenizers()
    for name, each in pairs:
        if not hasattr(each, "token_bytes"):
            raise TypeError(f"expected a tokenizer, or several in a list or a dict, not {type(each).__name__}")
        number, free = 2, name
        while free in named:
            number, free = number + 1, f"{name} ({number})"
        named[free] = each
    return named
