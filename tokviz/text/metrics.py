"""Figures about a tokenization: how many tokens a text takes, how far two tokenizers agree, how fast one encodes."""

import statistics
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import regex

from tokviz.core.spans import TokenSpans

# Scripts that are written without spaces between words.
_UNSPACED = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Han}\p{Hiragana}\p{Katakana}]")
_LETTER = regex.compile(r"[\p{L}\p{M}]")
_WORD = regex.compile(r"\S+")
LEAST_BYTES = 50_000  # of a text whose encoding is timed: a call itself takes as long as some hundred bytes do
RUN_SECONDS = 0.02  # a shorter run tells more of the clock than of the tokenizer
BUDGET_SECONDS = 2.0  # after these no further run begins


@dataclass(frozen=True)
class Metrics:
    """How a text is tokenized.

    bytes_per_token: bytes of the text per token (1.0 is a token for every byte; higher is shorter).
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
    def bytes_per_token(self) -> float:
        """Bytes per token; 0.0 for an empty text."""
        return self.n_bytes / self.n_tokens if self.n_tokens else 0.0

    @property
    def chars_per_token(self) -> float:
        """Characters (code points) per token; 0.0 for an empty text."""
        return self.n_chars / self.n_tokens if self.n_tokens else 0.0

    @property
    def fertility(self) -> float | None:
        """Tokens per word, None if the text has no words separated by spaces."""
        return self.n_tokens / self.n_words if self.n_words else None


def metrics(text: str, ids: Sequence[int] | np.ndarray) -> Metrics:
    """Return the figures of a text and its token ids.

    >>> import tokviz
    >>> text = "the same text"
    >>> figures = metrics(text, tokviz.load("gpt2").encode(text))
    >>> figures.n_tokens, round(figures.bytes_per_token, 2), figures.fertility
    (3, 4.33, 1.0)
    """
    return Metrics(
        n_tokens=len(ids),
        n_distinct=len(np.unique(ids)),
        n_chars=len(text),
        n_bytes=len(text.encode("utf-8", "surrogatepass")),
        n_words=n_words_if_spaced(text),
    )


def n_words_if_spaced(text: str) -> int | None:
    """Return the number of words; None if words are not separated by spaces (see Metrics).

    >>> n_words_if_spaced("it's two"), n_words_if_spaced("สวัสดีครับ")
    (2, None)
    """
    return None if is_mostly_unspaced([text]) else len(_WORD.findall(text))


def is_mostly_unspaced(pieces: Iterable[str]) -> bool:
    """Return whether the words of a text, which comes in pieces, are not separated by spaces (see Metrics).

    >>> is_mostly_unspaced(["it's ", "two"]), is_mostly_unspaced(["สวัสดี", " ok"])
    (False, True)
    """
    n_unspaced = n_letters = 0
    for piece in pieces:
        n_unspaced += len(_UNSPACED.findall(piece))
        n_letters += len(_LETTER.findall(piece))
    return 2 * n_unspaced > n_letters


def share_of_one_token_words(spans: TokenSpans) -> float | None:
    """Return the share of words that are one token, from 0 to 1; None if there are no words (see Metrics).

    A word is one token if a single token holds all of it; the token may also hold white space beside it.
    Punctuation that touches a word belongs to it.

    >>> import tokviz
    >>> gpt2 = tokviz.load("gpt2")
    >>> share_of_one_token_words(tokviz.text_spans(gpt2, "the indivisibility story"))
    0.6666666666666666
    """
    if is_mostly_unspaced([spans.text]):
        return None
    n_whole, n_words = one_token_and_all_word_counts(spans)
    return n_whole / n_words if n_words else None


def one_token_and_all_word_counts(spans: TokenSpans) -> tuple[int, int]:
    """Return how many words are one token, and how many words there are, whatever the script.

    >>> import tokviz
    >>> one_token_and_all_word_counts(tokviz.text_spans(tokviz.load("gpt2"), "the indivisibility story"))
    (2, 3)
    """
    words = [match.span() for match in _WORD.finditer(spans.text)]
    if not words:
        return 0, 0
    starts, ends = spans.character_starts[np.array(words).T]
    # Only the first token that ends after the word's first byte can hold all of it.
    holder = np.searchsorted(spans.byte_ends, starts, side="right")
    begins, stops = np.append(spans.byte_starts, len(spans.data)), np.append(spans.byte_ends, 0)
    whole = (begins[holder] <= starts) & (stops[holder] >= ends)
    return int(np.count_nonzero(whole)), len(words)


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


@dataclass(frozen=True)
class Throughput:
    """bytes_per_second: the median of `runs` runs, each of `repeats` calls with `copies` of the text, one a line."""

    bytes_per_second: float
    runs: int
    repeats: int
    copies: int


def throughput(
    encode: Callable[[str], object], text: str, *, runs: int = 5, clock: Callable[[], float] = time.perf_counter
) -> Throughput | None:
    """Return how fast a text is encoded, measured here and now; None for an empty text.

    A text under 50,000 bytes is repeated, a copy a line, or the figure would tell what a call costs; a tokenizer that
    remembers pretokens looks them up in all copies but the first. The first call, which is not counted, tells how many
    make a run of 0.02 seconds. After two seconds the runs made by then have to do. `clock` is in seconds. Raises what
    `encode` raises: ValueError where it does not end in time.

    >>> ticks = iter([0, 0.01, 0, 0, 0.5, 0.5, 0.5, 1, 1])  # 0.01 s for one call, then two runs of 0.5 s
    >>> throughput(str.split, "a" * 49_999, runs=2, clock=lambda: next(ticks))
    Throughput(bytes_per_second=399996.0, runs=2, repeats=2, copies=2)
    """
    if not text:
        return None
    copies = -(-LEAST_BYTES // len(text.encode("utf-8", "surrogatepass")))
    text = "\n".join([text] * copies)

    def seconds(calls: int) -> float:
        start = clock()
        for _ in range(calls):
            encode(text)
        return clock() - start

    repeats = max(1, min(100_000, round(RUN_SECONDS / max(seconds(1), 1e-9))))
    began, found = clock(), [seconds(repeats)]
    while len(found) < runs and clock() - began <= BUDGET_SECONDS:
        found.append(seconds(repeats))
    n_bytes = len(text.encode("utf-8", "surrogatepass")) * repeats
    return Throughput(n_bytes / max(statistics.median(found), 1e-9), len(found), repeats, copies)
