"""A text in chunks of at most a number of tokens, as embedding models and retrieval take them, cut where it pauses."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import regex

from tokviz.core.patterns import short_repr
from tokviz.core.pretokens import well_formed_text
from tokviz.core.protocol import AnyTokenizer, as_tokenizer
from tokviz.core.spans import TokenSpans, text_spans

NEAR_END = 1 / 3  # the part of a chunk, at its end, in which a pause is looked for
CHARS_PER_TOKEN = 6  # of a text that is tried first; more are tried if it has too few tokens
CLUSTER_CHARS = 50  # more marks on a letter are cut like any other characters
_CLOSING = r"[\p{Pe}\p{Pf}\"']"  # a few at most, or a long run would take quadratic time
_SPACED_SENTENCES = r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"  # scripts with spaces between sentences, not words
# The best first. A space stays with what follows it, as it does in most tokens.
_PAUSES = (
    regex.compile(r"(?<=\n[^\S\n]{0,99}\n)(?![^\S\n]{0,99}\n)"),  # the end of a paragraph
    regex.compile(  # of a sentence or a line
        rf"(?<=[.!?…]{_CLOSING}{{0,9}}|{_SPACED_SENTENCES})(?=\s)|(?<=\n|[。！？｡؟।॥။།።]{_CLOSING}{{0,9}})(?!{_CLOSING}|\n)"
    ),
    regex.compile(r"(?<=\S)(?=\s)|(?<=[，、；：])"),  # of a word
)
_CLUSTER = regex.compile(r"\X")  # what is seen as one character


@dataclass(frozen=True)
class Chunk:
    """A part of a text, with its tokens when it is encoded by itself, and where it is, in characters (code points)."""

    text: str
    n_tokens: int
    char_start: int
    char_end: int


def split(text: str, tokenizer: Any, *, tokens: int = 512, overlap: int = 0) -> Iterator[Chunk]:
    """Yield a text in chunks that have at most `tokens` tokens each, encoded by themselves, for any tokenizer.

    A chunk ends at the last end of a paragraph in its last third, else of a sentence or a line, else of a word, else
    after any character, if possible with its marks. It begins where the last `overlap` tokens of the chunk before begin
    (if that is inside a character with its marks, after it), or fewer if these would be all of that chunk or leave no
    room for a new character.
    Without an overlap the chunks, joined, are the text; its lone surrogates are U+FFFD, and special tokens plain text.
    Raises ValueError for fewer than 1 token, an overlap that is not below `tokens`, a character that takes more tokens,
    and as `encode` does.

    >>> import tokviz
    >>> [chunk.text for chunk in split("One two. Three four five six.", tokviz.load("gpt2"), tokens=4)]
    ['One two. Three', ' four five six.']
    """
    if tokens < 1:
        raise ValueError(f"a chunk must have at least 1 token, not {tokens}")
    if not 0 <= overlap < tokens:
        raise ValueError(f"the overlap must be at least 0 and below the {tokens:,} tokens of a chunk, not {overlap:,}")
    return _chunks(well_formed_text(text), as_tokenizer(tokenizer, "splitting a text"), tokens, overlap)


def _chunks(text: str, tokenizer: AnyTokenizer, tokens: int, overlap: int) -> Iterator[Chunk]:
    starts, done = [0], 0
    while done < len(text):
        found = ((start, _chunk_spans(text, tokenizer, tokens, start, done + 1)) for start in starts)
        start, spans = next(((start, spans) for start, spans in found if spans), (done, None))
        if spans is None:
            needed = len(tokenizer.encode(text[done]))
            raise ValueError(
                f"the character {short_repr(text[done])} at {done:,} takes {needed} tokens: chunks must have at least "
                f"{needed}, not {tokens}"
            )
        done = start + len(spans.text)
        yield Chunk(spans.text, len(spans), start, done)
        starts = [start + each for each in _repeated_starts(spans, overlap)] + [done]


def _repeated_starts(spans: TokenSpans, overlap: int) -> list[int]:
    """Return where the last tokens of a chunk begin, but for its first, or the clusters after them, in characters."""
    clusters = [*(match.start() for match in _CLUSTER.finditer(spans.text)), len(spans.text)]
    places = np.searchsorted(spans.character_starts, spans.byte_starts[max(len(spans) - overlap, 1) :])
    return np.unique(np.take(clusters, np.searchsorted(clusters, places))).tolist()


def _chunk_spans(text: str, tokenizer: AnyTokenizer, tokens: int, start: int, least: int) -> TokenSpans | None:
    """Return the tokens of the chunk that begins at `start`; None if none fits that ends at `least` or later."""
    size = CHARS_PER_TOKEN * tokens
    while len(spans := text_spans(tokenizer, text[start : start + size])) <= tokens:
        if start + size >= len(text):
            return spans
        size *= 2
    end = start + size
    while end > least:
        n_whole = int(np.searchsorted(spans.character_starts, spans.byte_ends[tokens - 1], side="right")) - 1
        end = max(min(start + n_whole, end - 1), least)  # cut there, the same characters may have more tokens
        for place in _cuts(text, start, end, least):
            spans = text_spans(tokenizer, text[start:place])
            if len(spans) <= tokens:
                return spans
    return None


def _cuts(text: str, start: int, end: int, least: int) -> Iterator[int]:
    """Yield where a chunk may end, the best place first, `end` last."""
    low = max(end - int(NEAR_END * (end - start)), least)
    for pause in _PAUSES:
        places = [match.start() for match in pause.finditer(text, low, end + 1)]
        yield from [place for place in places if place <= end][-1:]
    clusters = _CLUSTER.finditer(text, max(end - CLUSTER_CHARS, start), end + CLUSTER_CHARS)
    yield from [place for match in clusters if least <= (place := match.end()) <= end][-1:]
    yield end
