"""Unknown text: the characters that the tokens of a text lose.

One [UNK] for a whole word is cheap, but the word is lost: token counts compare only if little is unknown.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import regex

from tokviz.core.protocol import AnyTokenizer
from tokviz.core.spans import TokenSpans
from tokviz.core.vocabulary import Vocabulary

# Normalizers drop accents, joiners and control characters on purpose; what is left out of these is lost.
_TELLING = regex.compile(r"[\p{L}\p{N}\p{P}\p{S}]")


@dataclass(frozen=True)
class UnknownText:
    """Of n_chars characters, not counting white space, n_unknown are unknown: no token covers them."""

    n_unknown: int = 0
    n_chars: int = 0

    @property
    def share(self) -> float:
        """The share that is unknown, from 0 to 1; 0.0 if there are no characters."""
        return self.n_unknown / self.n_chars if self.n_chars else 0.0

    def __add__(self, other: Self) -> "UnknownText":
        return UnknownText(self.n_unknown + other.n_unknown, self.n_chars + other.n_chars)


def unknown_text_figures(tokenizer: AnyTokenizer, spans: TokenSpans) -> UnknownText:
    """Return how many characters of a text are unknown; `spans` are its tokens under the tokenizer.

    The characters of unknown tokens are unknown, and so are letters, digits, punctuation and symbols in no
    token. A character in several tokens is known if one of them is.

    >>> from tokviz.families.teaching import list_tokenizer
    >>> words = list_tokenizer("words", "the cat")
    >>> unknown_text_figures(words, words.spans("the bird"))
    UnknownText(n_unknown=4, n_chars=7)
    """
    n_chars = len("".join(spans.text.split()))
    if isinstance(tokenizer, Vocabulary):  # byte-level: a token holds every byte
        return UnknownText(0, n_chars)
    is_unknown = spans.ids == (-1 if tokenizer.unknown_id is None else tokenizer.unknown_id)
    held = n_chosen_tokens_by_character(spans, is_unknown)
    n_unknown = 0
    for i in np.flatnonzero(n_chosen_tokens_by_character(spans, ~is_unknown) == 0):
        character = spans.text[i]
        n_unknown += bool(not character.isspace() if held[i] else _TELLING.match(character))
    return UnknownText(n_unknown, n_chars)


def n_chosen_tokens_by_character(spans: TokenSpans, chosen: np.ndarray) -> np.ndarray:
    """Return for each character how many of the chosen tokens have it, or a part of it."""
    depth = np.zeros(len(spans.text) + 1, np.int32)
    np.add.at(depth, spans.char_starts[chosen], 1)
    np.add.at(depth, spans.char_ends[chosen], -1)
    return np.cumsum(depth)[:-1]
