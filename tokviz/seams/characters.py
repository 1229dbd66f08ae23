"""The characters whose UTF-8 begins with some bytes, one of each kind first."""

from collections.abc import Iterator
from itertools import chain, zip_longest

import regex

from tokviz.system.recent import recent

# What the named split patterns tell apart beyond ASCII.
_KINDS = regex.compile(r"(\p{Ll})|([\p{Lu}\p{Lt}])|([\p{Lm}\p{Lo}])|(\p{M})|(\p{N})|(\s)|([^\p{L}\p{M}\p{N}\s])")
_LENGTHS = ((0xC2, 0xDF, 2), (0xE0, 0xEF, 3), (0xF0, 0xF4, 4))  # first bytes, and the bytes of a character with one
TRIED = 500  # characters: merges of one tokenizer touch few of those that share a first byte


def texts_beginning(data: bytes) -> Iterator[str]:
    """Yield texts whose UTF-8 begins with some bytes and ends with the character that these end in.

    That is one text if the bytes end with a character, some hundred at most if they end inside one, and none if they
    are not UTF-8.

    >>> list(texts_beginning(b"ab")), next(texts_beginning(b"a\\xe0\\xb8")), list(texts_beginning(b"\\xff"))
    (['ab'], 'aก', [])
    """
    try:
        yield data.decode()
    except UnicodeDecodeError as e:
        if e.reason == "unexpected end of data":
            text = data[: e.start].decode()
            yield from (text + character for character in _characters(data[e.start :]))


@recent(maxsize=256)
def _characters(begin: bytes) -> tuple[str, ...]:
    """Return characters whose UTF-8 is longer than these bytes and begins with them: kinds in turn."""
    size = next((size for low, high, size in _LENGTHS if low <= begin[0] <= high), 0)
    missing = size - len(begin)
    if missing <= 0:
        return ()
    low, high = (_code_point(begin + bytes([fill]) * missing, size) for fill in (0x80, 0xBF))
    low = max(low, (0, 0, 0x80, 0x800, 0x10000)[size])
    every = "".join(chr(i) for i in range(low, min(high, 0x10FFFF) + 1) if not 0xD800 <= i <= 0xDFFF)
    kinds: list[list[str]] = [[] for _ in range(_KINDS.groups)]
    for match in _KINDS.finditer(every):
        kinds[int(match.lastindex or 1) - 1].append(match[0])
    in_turn = filter(None, chain.from_iterable(zip_longest(*map(_spread, filter(None, kinds)))))
    return tuple(in_turn)[:TRIED]


def _spread(characters: list[str]) -> list[str]:
    """Return some of many characters from the whole of their range, since neighbours share their first bytes."""
    return characters[:: max(1, len(characters) // TRIED)]


def _code_point(data: bytes, size: int) -> int:
    """Return the code point that UTF-8 of this size encodes."""
    result = data[0] & (0x7F >> size)
    for byte in data[1:]:
        result = result << 6 | byte & 0x3F
    return result
