"""AnyTokenizer: what the views need of a tokenizer, whatever its family.

`Tokenizer`, byte-level BPE, has all of it and more: merges, a trace, a time machine. Other libraries' tokenizers and
the naive ones for teaching have this much, and `spans` to say where their tokens stand in a text, since the bytes of
their tokens do not add up to it.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol


class AnyTokenizer(Protocol):
    """A tokenizer of any family.

    kind: its family in a few words, such as "byte-level BPE". unknown_id: the id that stands for text
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
        """Return the bytes of a token, as it stands in the vocabulary; UnknownTokenError for an unknown id.

        A special or unknown token has those of its name.
        """
