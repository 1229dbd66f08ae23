"""Plain JSON as a short text, for a browser's tab or an address, and back."""

import base64
import binascii
import json
import zlib
from typing import Any

UNPACKED_MAX = 40_000_000  # bytes; more than the largest text of a link


def pack(value: Any) -> str:
    """Return plain JSON as a short text that may be part of an address.

    >>> unpack(pack({"text": "ภาษาไทย" * 99})) == {"text": "ภาษาไทย" * 99}
    True
    """
    plain = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return base64.urlsafe_b64encode(zlib.compress(plain, 9)).decode().rstrip("=")


def unpack(packed: str, *, most: int = UNPACKED_MAX) -> Any:
    """Return what `pack` was given; ValueError for a text that is damaged, or unpacks to more than `most` bytes."""
    try:
        squeezed = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        plain = unpacking.decompress(squeezed, most)
        if unpacking.unconsumed_tail or not unpacking.eof:
            raise ValueError("cut short, or too large")
        return json.loads(plain.decode("utf-8", "surrogatepass"))
    except (ValueError, binascii.Error, zlib.error, RecursionError) as e:
        raise ValueError(f"it is damaged ({e})") from e
