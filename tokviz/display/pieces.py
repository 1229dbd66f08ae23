"""A text in pieces with the tokens they are of: what every way of writing coloured text begins with."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import regex

from tokviz.core.protocol import AnyTokenizer
from tokviz.core.spans import TokenSpans, spans_from_byte_offsets, text_spans
from tokviz.core.trace import MergeTrace
from tokviz.display.palette import colour_index
from tokviz.text.glyphs import visible_token

_GRAPHEME = regex.compile(r"\X")


@dataclass(frozen=True)
class Token:
    """A token: its id, the bytes of its text, and its colour, an index into the palette.

    written: how the vocabulary writes it, where that differs from its text: [UNK], ##ing, the fi that is in the text ﬁ.
    """

    id: int
    data: bytes
    colour: int
    is_special: bool = False
    is_unknown: bool = False
    written: str | None = None


@dataclass(frozen=True)
class Piece:
    """A stretch of text of one token, of none, or of several that share a character.

    A piece without text is of a token that covers nothing in the text. parts: of a shared character, the bytes that
    each of its tokens has of it. begins: whether its token begins here.
    """

    text: str
    tokens: tuple[Token, ...] = ()
    parts: tuple[bytes, ...] = ()
    begins: bool = True


@dataclass(frozen=True)
class TokenizedText:
    """A text under one tokenizer, in pieces. title: the tokenizer's name, and the step if it is one.

    unit: what the pieces are called, in the plural.
    """

    title: str
    pieces: tuple[Piece, ...]
    n_tokens: int
    n_characters: int
    n_bytes: int
    unit: str = "tokens"

    @property
    def text(self) -> str:
        """The text that the pieces add up to."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def caption(self) -> str:
        """The title and the number of tokens, in words."""
        return f"{self.title}: {self.n_tokens:,} {self.unit.removesuffix('s') if self.n_tokens == 1 else self.unit}"


def tokenized_text(
    tokenizer: AnyTokenizer, text: str, *, allowed_special: str | Collection[str] = (), title: str | None = None
) -> TokenizedText:
    """Return a text in pieces under a tokenizer; ValueError as `encode` raises it.

    >>> import tokviz
    >>> [piece.text for piece in tokenized_text(tokviz.load("gpt2"), "low lower").pieces]
    ['low', ' lower']
    """
    return _tokenized_text_under(
        tokenizer, text_spans(tokenizer, text, allowed_special=allowed_special), title or tokenizer.name
    )


def tokenized_text_at(history: MergeTrace, k: int) -> TokenizedText:
    """Return the text of a history in pieces after its first k merges; ValueError if k is below 0.

    >>> import tokviz
    >>> history = tokviz.trace(tokviz.train("low lower", vocab_size=258), "lower")
    >>> [piece.text for piece in tokenized_text_at(history, 1).pieces]
    ['lo', 'w', 'e', 'r']
    """
    k = min(k, len(history.tokenizer.merge_tokens))
    ends = history.tokens_at(k)
    spans = spans_from_byte_offsets(history.data, history.ids_at(k), [0, *ends][: len(ends)], ends)
    return _tokenized_text_under(history.tokenizer, spans, f"{history.tokenizer.name} after {k:,} merges")


def allowed_names_of(tokenizer: AnyTokenizer, allowed: str | Collection[str]) -> str | Collection[str]:
    """Return the allowed special tokens that a tokenizer has: not all of several have the same."""
    return allowed if isinstance(allowed, str) else [name for name in allowed if name in tokenizer.special_tokens]


def _tokenized_text_under(tokenizer: AnyTokenizer, spans: TokenSpans, title: str) -> TokenizedText:
    special, unknown = tokenizer.special_tokens, tokenizer.unknown_id
    bytes_of = {token_id: tokenizer.token_bytes(token_id) for token_id in set(spans.ids.tolist())}
    return tokenized_text_of_spans(spans, title, special=special, unknown=unknown, bytes_of=bytes_of)


def tokenized_text_of_spans(
    spans: TokenSpans,
    title: str,
    *,
    special: Mapping[str, int] = MappingProxyType({}),
    unknown: int | None = None,
    unit: str = "tokens",
    bytes_of: Mapping[int, bytes] = MappingProxyType({}),
) -> TokenizedText:
    """Return a text in the pieces that spans cut it into; `unit` is what they are called, in the plural.

    bytes_of: the bytes of tokens in the vocabulary, by id, where the text may have others.
    """
    special_ids = {*special.values()}
    tokens = []
    for id_, start, end in zip(spans.ids.tolist(), spans.byte_starts.tolist(), spans.byte_ends.tolist(), strict=True):
        data = spans.data[start:end]
        written = visible_token(bytes_of[id_]) if bytes_of.get(id_, data) != data else None
        tokens.append(Token(id_, data, colour_index(data), id_ in special_ids, id_ == unknown, written))
    return TokenizedText(title, tuple(_pieces(spans, tokens)), len(spans), len(spans.text), len(spans.data), unit)


def _pieces(spans: TokenSpans, tokens: list[Token]) -> Iterator[Piece]:
    """Yield the pieces of a text; a grapheme that tokens end inside of is one piece."""
    shared = _shared_grapheme_spans_reversed(spans)
    starts, ends = spans.char_starts.tolist(), spans.char_ends.tolist()
    drawn = 0
    for i, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if start > drawn:
            yield Piece(spans.text[drawn:start])
            drawn = start
        if start == end:
            yield Piece("", (tokens[i],))
        at = max(start, drawn)
        while at < end:
            while shared and shared[-1][1] <= at:
                shared.pop()
            begin, stop = shared[-1] if shared else (end, end)
            if begin <= at:
                yield _shared_piece(spans, tokens, i, begin, stop)
                at = stop
            else:
                stop = min(begin, end)
                yield Piece(spans.text[at:stop], (tokens[i],), begins=at == start)
                at = stop
        drawn = max(drawn, at)
    if drawn < len(spans.text):
        yield Piece(spans.text[drawn:])


def _shared_grapheme_spans_reversed(spans: TokenSpans) -> list[tuple[int, int]]:
    """Return the graphemes that a token begins or ends inside of, in characters, the last one first."""
    cuts = np.zeros(len(spans.text) + 1, bool)
    cuts[spans.char_starts] = cuts[spans.char_ends] = True
    torn = np.zeros(len(spans.text) + 1, bool)  # characters whose bytes two tokens share
    torn[spans.char_starts[1:][spans.char_starts[1:] < spans.char_ends[:-1]]] = True
    found = [match.span() for match in _GRAPHEME.finditer(spans.text)]
    return [(start, end) for start, end in reversed(found) if cuts[start + 1 : end].any() or torn[start:end].any()]


def _shared_piece(spans: TokenSpans, tokens: list[Token], first: int, begin: int, stop: int) -> Piece:
    """Return the grapheme begin..stop-1, in characters, with the tokens that have bytes of it."""
    byte_begin, byte_stop = spans.character_starts[[begin, stop]].tolist()
    sharers, parts = [], []
    for i in range(first, len(tokens)):
        start, end = int(spans.byte_starts[i]), int(spans.byte_ends[i])
        if start >= byte_stop:
            break
        if start < end:
            sharers.append(tokens[i])
            parts.append(spans.data[max(start, byte_begin) : min(end, byte_stop)])
    begins = int(spans.byte_starts[first]) >= byte_begin
    return Piece(spans.text[begin:stop], tuple(sharers), tuple(parts), begins=begins)
