"""Where tokens are in their text: offsets in bytes, characters (code points) and UTF-16 units.

Several tokens may share a Thai or Chinese character or an emoji.
"""

import codecs
import threading
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokviz.core.protocol import as_tokenizer
from tokviz.system.thread_turns import yield_turn

RUN = 50_000  # tokens: some milliseconds in calls that let no other thread run


@dataclass(frozen=True, eq=False)
class TokenSpans:
    """Tokens with their offsets; every array is int32 and has one entry per token.

    text: the decoded text, U+FFFD where the bytes are not UTF-8. Offsets in characters and UTF-16
    units of a token that holds part of a character span the whole of each character it touches.
    If a tokenizer is not byte-level, text may lie between two tokens, and a token may be empty.
    partial: whether the token begins or ends inside a character.
    """

    text: str
    data: bytes
    ids: np.ndarray
    byte_starts: np.ndarray
    byte_ends: np.ndarray
    char_starts: np.ndarray
    char_ends: np.ndarray
    utf16_starts: np.ndarray
    utf16_ends: np.ndarray
    partial: np.ndarray
    character_starts: np.ndarray  # byte offset of each character of `text`, and the total

    def __len__(self) -> int:
        return len(self.ids)


def offset_columns(spans: TokenSpans) -> dict[str, np.ndarray]:
    """Return where each token is, as columns of a table, in bytes, characters and UTF-16 units."""
    names = [f"{unit}_{edge}" for unit in ("byte", "char", "utf16") for edge in ("start", "end")]
    return {name: getattr(spans, f"{name}s") for name in names}


def text_spans(tokenizer: Any, text: str, *, allowed_special: str | Collection[str] = ()) -> TokenSpans:
    """Return the tokens of a text with their offsets in it, for a tokenizer of any family.

    Lone surrogates become U+FFFD. Raises ValueError as `encode` does.

    >>> import tokviz
    >>> text_spans(tokviz.load("gpt2"), "a 你").byte_ends.tolist()
    [1, 2, 4, 5]
    """
    return as_tokenizer(tokenizer, "placing tokens").spans(text, allowed_special=allowed_special)


def token_spans(tokenizer: Any, ids: Iterable[int]) -> TokenSpans:
    """Return the tokens with their offsets in the text that their bytes add up to.

    For byte-level BPE that is the text they decode to; for others, their names in the vocabulary. Raises
    UnknownTokenError for ids that the tokenizer does not have.

    >>> import tokviz
    >>> gpt2 = tokviz.load("gpt2")
    >>> spans = token_spans(gpt2, gpt2.encode("a 你"))
    >>> spans.byte_ends.tolist(), spans.char_starts.tolist(), spans.partial.tolist()
    ([1, 2, 4, 5], [0, 1, 2, 2], [False, False, True, True])
    """
    tokenizer = as_tokenizer(tokenizer, "placing tokens")
    ids = ids if isinstance(ids, np.ndarray) else list(ids)
    data, arrays, lengths = [], [np.empty(0, np.int32)], [np.empty(0, np.int32)]
    for first in range(0, len(ids), RUN):
        run = ids[first : first + RUN]
        try:
            pieces = tokenizer.tokens_bytes(run)
        except ValueError:
            pieces = tokenizer.tokens_bytes(ids)  # raises an error that counts from the first id of all
        data.append(b"".join(pieces))
        arrays.append(np.array(run, np.int32))
        lengths.append(np.fromiter(map(len, pieces), np.int32, len(pieces)))
        yield_turn()
    ends = np.cumsum(np.concatenate(lengths), dtype=np.int32)
    begins = np.concatenate([[0], ends[:-1]]).astype(np.int32) if len(ends) else ends
    return spans_from_byte_offsets(b"".join(data), np.concatenate(arrays), begins, ends)


def spans_from_byte_offsets(
    data: bytes,
    ids: Sequence[int] | np.ndarray,
    byte_starts: Sequence[int] | np.ndarray,
    byte_ends: Sequence[int] | np.ndarray,
) -> TokenSpans:
    """Return tokens with their offsets in a text, given as bytes, from where they begin and end in bytes.

    Neither the starts nor the ends go back; a token may be empty, and text may lie between two.

    >>> spans = spans_from_byte_offsets("é  a".encode(), [7, 8, 9], [0, 2, 4], [2, 2, 5])
    >>> spans.char_starts.tolist(), spans.char_ends.tolist(), spans.text
    ([0, 1, 3], [1, 1, 4], 'é  a')
    """
    text, starts = text_and_byte_offsets(data)
    begins, ends = np.asarray(byte_starts, np.int32), np.asarray(byte_ends, np.int32)
    # The character that holds a byte, and how many UTF-16 units lie before each character.
    is_start = np.zeros(len(data) + 1, np.int32)
    is_start[starts] = 1
    character = np.cumsum(is_start, dtype=np.int32) - 1
    utf16 = np.zeros(len(starts), np.int32)
    code_points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    np.cumsum(1 + (code_points > 0xFFFF), out=utf16[1:])
    char_starts = character[begins]
    char_ends = np.where(ends > begins, character[ends - 1] + 1, char_starts)
    return TokenSpans(
        text=text,
        data=data,
        ids=np.array(ids, np.int32),
        byte_starts=begins,
        byte_ends=ends,
        char_starts=char_starts,
        char_ends=char_ends,
        utf16_starts=utf16[char_starts],
        utf16_ends=utf16[char_ends],
        partial=(is_start[begins] == 0) | (is_start[ends] == 0),
        character_starts=starts,
    )


def text_and_byte_offsets(data: bytes) -> tuple[str, np.ndarray]:
    """Return bytes as text and the byte offset of each of its characters, the total at the end.

    Bytes that are not UTF-8 become U+FFFD, as many of them as Python's "replace" gives.

    >>> text_and_byte_offsets("aé".encode())[1].tolist(), text_and_byte_offsets(b"\\xe0\\xb8")[1].tolist()
    ([0, 1, 3], [0, 2])
    """
    _replaced.spans = []
    text = data.decode("utf-8", _MARK)
    # A byte of the form 10xxxxxx continues a character, any other begins one.
    is_start = (np.frombuffer(data, np.uint8) & 0xC0) != 0x80
    for start, end in _replaced.spans:
        is_start[start:end] = False
        is_start[start] = True
    return text, np.append(np.flatnonzero(is_start), len(data)).astype(np.int32)


def _replacement_noting_place(error: UnicodeError) -> tuple[str, int]:
    """Replace bytes that are not UTF-8, and note where they are."""
    assert isinstance(error, UnicodeDecodeError)
    _replaced.spans.append((error.start, error.end))
    return "\ufffd", error.end


_MARK = "tokviz.mark"
_replaced = threading.local()
codecs.register_error(_MARK, _replacement_noting_place)
