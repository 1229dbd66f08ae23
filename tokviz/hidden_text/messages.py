"""What invisible characters spell: ASCII in tags, bytes in variation selectors, bits in characters without width."""

from collections.abc import Iterable

TAGS = range(0xE0020, 0xE007F)  # each stands for an ASCII character
_LOW, _HIGH = range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0)  # variation selectors 1 to 16, and 17 to 256


def tag_message(characters: str) -> str:
    """Return the ASCII text that tag characters spell; others among them are left out.

    >>> tag_message("\\U000e0048\\U000e0069")
    'Hi'
    """
    return "".join(chr(ord(c) - 0xE0000) for c in characters if ord(c) in TAGS)


def selector_message(characters: str) -> str | None:
    """Return the text whose UTF-8 variation selectors spell, a byte each (Butler 2025); None if it is none.

    >>> selector_message("\\U000e0138\\U000e0159")
    'Hi'
    """
    points = map(ord, characters)
    found = bytes(p - _LOW.start if p in _LOW else p - _HIGH.start + 16 for p in points if p in _LOW or p in _HIGH)
    return _readable(found)


def bit_message(characters: str) -> str | None:
    """Return the text that two different characters spell as 0 and 1, eight to a byte; None if it is none.

    >>> bit_message("".join("\\u200b\\u200c"[int(bit)] for bit in f"{ord('H'):08b}{ord('i'):08b}"))
    'Hi'
    """
    both = sorted(set(characters))
    if len(both) != 2 or len(characters) % 8:
        return None
    for zero, one in (both, both[::-1]):
        bits = characters.replace(zero, "0").replace(one, "1")
        if text := _readable(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8)):
            return text
    return None


def _readable(data: Iterable[int]) -> str | None:
    """Return bytes as text if they are UTF-8 that people can read, and not one byte alone."""
    try:
        text = bytes(data).decode()
    except UnicodeDecodeError:
        return None
    return text if len(text) > 1 and all(c.isprintable() or c in "\n\t\r" for c in text) else None
