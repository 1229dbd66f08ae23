"""The characters whose UTF-8 begins or ends with some bytes, kinds in turn."""

from collections.abc import Iterator
from functools import reduce
from itertools import chain, islice, zip_longest

import regex

from tokviz.core.ordered_ranks import n_bytes_of_character
from tokviz.system.recent import recent

# What the named split patterns tell apart beyond ASCII.
_KINDS = regex.compile(
    r"(\p{Ll}++)|([\p{Lu}\p{Lt}]++)|([\p{Lm}\p{Lo}]++)|(\p{M}++)|(\p{N}++)|(\s++)|([^\p{L}\p{M}\p{N}\s]++)"
)
TRIED = 500  # characters: merges of one tokenizer touch few of those that share a first byte


def some_texts_beginning_with(data: bytes) -> Iterator[str]:
    """Yield texts whose UTF-8 begins with some bytes and ends with the character that these end in.

    That is one text if the bytes end with a character, some hundred at most if they end inside one, and none if they
    are not UTF-8.

    >>> [next(some_texts_beginning_with(data), None) for data in (b"ab", b"a\\xe0\\xb8", b"\\xff")]
    ['ab', 'aก', None]
    """
    try:
        yield data.decode()
    except UnicodeDecodeError as e:
        if e.reason == "unexpected end of data":
            text = data[: e.start].decode()
            yield from (text + character for character in _some_characters_beginning_with(data[e.start :]))


def can_occur_in_utf8(data: bytes) -> bool:
    """Return whether some text has these bytes in its UTF-8.

    >>> [can_occur_in_utf8(data) for data in (b"\\x81a\\xe0", b"\\xc0", b"a\\x81", b"\\xe0\\x81")]
    [True, False, False, False]
    """
    size = leading_continuations(data)
    if size < len(data):
        begins = next(some_texts_beginning_with(data[size:]), None) is not None
        return begins and (not size or bool(some_characters_ending_with(data[:size])))
    return not data or bool(some_characters_holding(data))


def leading_continuations(data: bytes) -> int:
    """Return how many bytes of the form 10xxxxxx come first: they continue a character."""
    return next((i for i, byte in enumerate(data) if byte & 0xC0 != 0x80), len(data))


@recent(maxsize=2_000)
def some_characters_ending_with(end: bytes) -> tuple[str, ...]:
    """Return characters whose UTF-8 is longer than these bytes and ends with them, which continue a character.

    >>> "é" in some_characters_ending_with(b"\\xa9"), some_characters_ending_with(b"\\x80\\x80\\x80\\x80")
    (True, ())
    """
    low = _code_point(0, end)
    step = 64 ** len(end)
    # Those of four bytes that share one byte are many and alike, so that a part of them will do.
    coarse = max(step, 4096)
    wide = low + -(-(0x10000 - low) // coarse) * coarse if step == coarse else 0x10000 + low
    points = chain(range(low, 0x10000, step), range(wide, 0x110000, coarse))
    every = map(chr, points)
    characters = (each for each in every if not "\ud800" <= each <= "\udfff")
    return _characters_sampled_by_kind("".join(each for each in characters if each.encode()[1:].endswith(end)))


def some_characters_holding(middle: bytes) -> tuple[str, ...]:
    """Return characters whose UTF-8 has these bytes, which continue a character, at its end or before its last one.

    >>> {len(each.encode()) for each in some_characters_holding(b"\\x80\\x81")}
    {3, 4}
    """
    behind = (b"", *(bytes([byte]) for byte in range(0x80, 0xC0, 7)), b"\x80\x80", b"\xa0\xa0")
    found = chain.from_iterable(
        zip_longest(*(some_characters_ending_with(middle + more) for more in behind if len(middle + more) < 4))
    )
    return tuple(islice(filter(None, found), TRIED))


@recent(maxsize=2_000)
def _some_characters_beginning_with(begin: bytes) -> tuple[str, ...]:
    """Return characters whose UTF-8 is longer than these bytes and begins with them."""
    size = n_bytes_of_character(begin[0])
    missing = size - len(begin)
    if missing <= 0:
        return ()
    lead = begin[0] & (0x7F >> size)
    low, high = (_code_point(lead, begin[1:] + bytes([fill]) * missing) for fill in (0x80, 0xBF))
    low = max(low, (0, 0, 0x80, 0x800, 0x10000)[size])
    points = range(low, min(high, 0x10FFFF) + 1)
    return _characters_sampled_by_kind("".join(chr(i) for i in points if not 0xD800 <= i <= 0xDFFF))


def _characters_sampled_by_kind(every: str) -> tuple[str, ...]:
    """Return some of many characters, kinds in turn, and all kinds."""
    step = max(1, len(every) // (4 * TRIED))
    kinds: list[list[str]] = [[] for _ in range(_KINDS.groups)]
    for run in _KINDS.finditer(every):
        kinds[int(run.lastindex or 1) - 1] += run[0][::step]  # from the whole range, since neighbours share bytes
    spread = (kind[:: max(1, len(kind) // TRIED)] for kind in kinds if kind)
    in_turn = chain.from_iterable(zip_longest(*spread))
    return tuple(islice(filter(None, in_turn), TRIED))


def _code_point(lead: int, continuation: bytes) -> int:
    """Return the code point of UTF-8, by the bits of its first byte and the bytes that continue it."""
    return reduce(lambda bits, byte: bits << 6 | byte & 0x3F, continuation, lead)
