"""Figures about a tokenization: how many tokens a text takes, and how far two tokenizers agree."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import regex

from tokviz.core.spans import TokenSpans

# Scripts that are written without spaces between words.
_UNSPACED = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Han}\p{Hiragana}\p{Katakana}]")
_LETTER = regex.compile(r"[\p{L}\p{M}]")
_WORD = regex.compile(r"\S+")


@dataclass(frozen=True)
class Metrics:
    """How a text is tokenized.

    compression_ratio: bytes of the text per token (1.0 is a token for every byte; higher is shorter).
    fertility: tokens per word, None if words are not separated by spaces. A word is a run of
    characters without white space; there is no figure if more than half of the letters belong to scripts
    written without spaces between words (Thai, Lao, Khmer, Myanmar, Tibetan, Han, Kana).
    """

    n_tokens: int
    n_distinct: int
    n_chars: int
    n_bytes: int
    n_words: int | None

    @property
    def compression_ratio(self) -> float:
        """Bytes per token; 0.0 for an empty text."""
        return self.n_bytes / self.n_tokens if self.n_tokens else 0.0

    bytes_per_token = compression_ratio

    @property
    def chars_per_token(self) -> float:
        """Characters (code points) per token; 0.0 for an empty text."""
        return self.n_chars / self.n_tokens if self.n_tokens else 0.0

    @property
    def fertility(self) -> float | None:
        """Tokens per word, None if the text has no words separated by spaces."""
        return self.n_tokens / self.n_words if self.n_words else None


def metrics(text: str, ids: Collection[int]) -> Metrics:
    """Return the figures of a text and its token ids.

    >>> import tokviz
    >>> text = "the same text"
    >>> figures = metrics(text, tokviz.load("gpt2").encode(text))
    >>> figures.n_tokens, round(figures.bytes_per_token, 2), figures.fertility
    (3, 4.33, 1.0)
    """
    return Metrics(
        n_tokens=len(ids),
        n_distinct=len(set(ids)),
        n_chars=len(text),
        n_bytes=len(text.encode("utf-8", "surrogatepass")),
        n_words=n_words(text),
    )


def n_words(text: str) -> int | None:
    """Return the number of words; None if words are not separated by spaces (see Metrics).

    >>> n_words("it's two"), n_words("สวัสดีครับ")
    (2, None)
    """
    return None if _is_unspaced(text) else len(_WORD.findall(text))


def _is_unspaced(text: str) -> bool:
    unspaced = len(_UNSPACED.findall(text))
    return bool(unspaced) and 2 * unspaced > len(_LETTER.findall(text))


def share_of_whole_words(spans: TokenSpans) -> float | None:
    """Return the share of words that are one token, from 0 to 1; None if there are no words (see Metrics).

    A word is one token if a single token holds all of it; the token may also hold white space beside it.
    Punctuation that touches a word belongs to it.

    >>> import tokviz
    >>> gpt2 = tokviz.load("gpt2")
    >>> share_of_whole_words(tokviz.text_spans(gpt2, "the indivisibility story"))
    0.6666666666666666
    """
    if _is_unspaced(spans.text):
        return None
    words = [match.span() for match in _WORD.finditer(spans.text)]
    if not words:
        return None
    starts, ends = spans.character_starts[np.array(words).T]
    # Only the first token that ends after the word's first byte can hold all of it.
    holder = np.searchsorted(spans.byte_ends, starts, side="right")
    begins, stops = np.append(spans.byte_starts, len(spans.data)), np.append(spans.byte_ends, 0)
    whole = (begins[holder] <= starts) & (stops[holder] >= ends)
    return float(np.count_nonzero(whole) / len(words))


def agreement(ends: Collection[int], other_ends: Collection[int]) -> float:
    """Return how far the token boundaries of two tokenizations of one text agree, from 0 to 1.

    The ends are byte offsets, as in `MergeTrace.ends`. The figure is the Jaccard index of the
    boundaries inside the text: those in both, divided by those in either; 1.0 if there are none.

    >>> agreement([2, 5, 9], [2, 4, 5, 9]), agreement([9], [9])
    (0.6666666666666666, 1.0)
    """
    last = max([0, *ends, *other_ends])
    inner, other = set(ends) - {last}, set(other_ends) - {last}
    return len(inner & other) / len(inner | other) if inner | other else 1.0
