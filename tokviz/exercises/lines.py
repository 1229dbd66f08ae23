"""Lines of a lesson: a text cut into tokens, or into pieces by any other rule, for a page to draw in colour."""

import zlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tokviz.core.spans import TokenSpans, spans_from_byte_offsets, token_spans
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.pretrained import load, short_name
from tokviz.text.glyphs import text_or_none, visible_token
from tokviz.text.words import quantity


@dataclass(frozen=True, eq=False)
class Line:
    """A label, and pieces with their offsets; `tokenizer` is None if they are not tokens.

    unit: what the pieces are called, in the plural. apart: whether a gap is drawn between them. show_ids:
    whether their ids are shown below them.
    """

    label: str
    spans: TokenSpans
    tokenizer: Tokenizer | None = None
    unit: str = "tokens"
    apart: bool = False
    show_ids: bool = False

    @property
    def count_in_words(self) -> str:
        """How many pieces there are, in words."""
        return quantity(len(self.spans), self.unit.removesuffix("s"))


def times_text(n: int) -> str:
    """Return how often something occurs, in words.

    >>> times_text(2), times_text(1_000)
    ('twice', '1,000 times')
    """
    return {1: "once", 2: "twice"}.get(n, f"{n:,} times")


def loaded_or_given_tokenizer(tokenizer: str | Tokenizer) -> Tokenizer:
    """Return a tokenizer, given as it is or by the name of a pretrained one."""
    return load(tokenizer) if isinstance(tokenizer, str) else tokenizer


def token_line(
    tokenizer: str | Tokenizer,
    text: str,
    *,
    label: str = "",
    allowed_special: str | Collection[str] = (),
    show_ids: bool = False,
) -> Line:
    """Return the tokens of a text as a line; its label is the name people know the tokenizer by unless given.

    >>> line = token_line("gpt2", "3221 + 2334")
    >>> line.label, line.count_in_words
    ('GPT-2', '5 tokens')
    """
    tokenizer = loaded_or_given_tokenizer(tokenizer)
    spans = token_spans(tokenizer, tokenizer.encode(text, allowed_special=allowed_special))
    return Line(label or short_name(tokenizer.name), spans, tokenizer, show_ids=show_ids)


def piece_line(label: str, pieces: Sequence[str], unit: str = "pieces", *, apart: bool = False) -> Line:
    """Return pieces of any kind as a line; apart: with a gap between them, for those that do not make up a text.

    >>> piece_line("by spaces", "to be or not to be".split(), "words", apart=True).count_in_words
    '6 words'
    """
    return Line(label, piece_spans(pieces), unit=unit, apart=apart)


def piece_spans(pieces: Sequence[str]) -> TokenSpans:
    """Return pieces with their offsets in the text they make up; equal pieces have one id, and so one colour."""
    pieces = [piece for piece in pieces if piece]
    data = [piece.encode() for piece in pieces]
    ends = np.cumsum([len(each) for each in data], dtype=np.int32)
    ids = [zlib.crc32(each) >> 8 for each in data]
    return spans_from_byte_offsets(b"".join(data), ids, np.concatenate([[0], ends])[: len(ends)], ends)


def token_texts_of(tokenizer: str | Tokenizer, text: str) -> list[str]:
    """Return the tokens of a text as text, or as bytes in hex if they hold a part of a character.

    >>> token_texts_of("gpt2", "3221+2334"), token_texts_of("gpt2", "你")
    (['3', '221', '+', '23', '34'], ['<e4 bd>', '<a0>'])
    """
    tokenizer = loaded_or_given_tokenizer(tokenizer)
    return token_texts_or_hex(tokenizer.tokens_bytes(tokenizer.encode(text)))


def text_with_visible_spaces(text: str) -> str:
    """Return a text with a sign for each space.

    >>> text_with_visible_spaces(" token")
    '␣token'
    """
    return text.replace(" ", "␣")


def text_with_visible_odd_spaces(text: str) -> str:
    """Return a text with dots for spaces in the lines that begin or end with one, or have two in a row.

    >>> text_with_visible_odd_spaces("two words"), text_with_visible_odd_spaces(" one")
    ('two words', '·one')
    """
    lines = text.rstrip("\n").split("\n")
    return "\n".join(visible_token(line.encode()) if line != line.strip() or "  " in line else line for line in lines)


def visible_pieces_text(pieces: Iterable[str], gap: str = "  ") -> str:
    """Return pieces with their spaces visible, and a gap between them.

    >>> visible_pieces_text([" a", "b"])
    '·a  b'
    """
    return gap.join(visible_token(piece.encode()) for piece in pieces)


def token_texts_or_hex(tokens: Iterable[bytes]) -> list[str]:
    """Return tokens as text, or as bytes in hex if they hold a part of a character.

    >>> token_texts_or_hex([b"a", b"\\xe4\\xbd"])
    ['a', '<e4 bd>']
    """
    return [f"<{token.hex(' ')}>" if (text := text_or_none(token)) is None else text for token in tokens]


def n_tokens(tokenizer: str | Tokenizer, text: str) -> int:
    """Return how many tokens a text has.

    >>> n_tokens("cl100k_base", "สวัสดี")
    6
    """
    return len(loaded_or_given_tokenizer(tokenizer).encode(text))


def is_ordinary_token(tokenizer: str, text: str) -> bool:
    """Return whether a text is a single token of a pretrained tokenizer, not counting special tokens.

    >>> is_ordinary_token("gpt2", " token"), is_ordinary_token("gpt2", "tokenizer")
    (True, False)
    """
    return text.encode() in load(tokenizer).mergeable_ranks


def token_cut_offsets(tokenizer: str | Tokenizer, text: str) -> frozenset[int]:
    """Return where tokens begin, in characters, except at the beginning of the text and inside characters.

    >>> sorted(token_cut_offsets("gpt2", "3221+2334"))
    [1, 4, 5, 7]
    """
    line = token_line(tokenizer, text)
    return frozenset(
        int(start)
        for start, end in zip(line.spans.char_starts[1:], line.spans.char_ends[:-1], strict=True)
        if start >= end
    )
