"""Byte tokens: `<0x` with two hexadecimal digits and `>`, how vocabularies of characters write a single byte."""

import re

_BYTE_TOKEN = re.compile("<0x([0-9A-Fa-f]{2})>")
BYTE_TOKENS = tuple(
    f"<0x{byte:02X}>" for byte in range(256)
)  # as they are looked up when a character falls back to bytes


def byte_if_byte_token(token: str) -> bytes | None:
    """Return the byte that a token is by its name; None for any other token.

    >>> byte_if_byte_token("<0xE0>"), byte_if_byte_token("<0xzz>"), byte_if_byte_token("<0xabc")
    (b'\\xe0', None, None)
    """
    found = _BYTE_TOKEN.fullmatch(token)
    return bytes.fromhex(found[1]) if found else None
