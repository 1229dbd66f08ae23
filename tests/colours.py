"""The colours of tokens, as the browser's code chooses them."""

N_COLOURS = 24


def colour_index(token: bytes) -> int:
    """Return which colour of the palette the bytes of a token have.

    >>> [colour_index(token) for token in (b"", b"a", b" the", b"\\xe0")]
    [13, 19, 4, 20]
    """
    hash_ = 0x811C9DC5
    for byte in token:
        hash_ = (hash_ ^ byte) * 0x01000193 % 2**32
    hash_ = (hash_ ^ hash_ >> 15) * 0x26228ED7 % 2**32
    return (hash_ ^ hash_ >> 13) % N_COLOURS
