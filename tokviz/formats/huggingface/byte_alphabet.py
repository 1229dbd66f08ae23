"""The alphabet in which byte-level vocabularies are written: a printable character for every byte.

Bytes that print stand for themselves; the other 68 become U+0100 and on, in order, so a space is Ġ. This is
bytes_to_unicode in encoder.py of openai/gpt-2, which Hugging Face files use too.
"""

_PRINTABLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_OTHERS = [i for i in range(256) if i not in _PRINTABLE]

BYTE_OF = {chr(i): i for i in _PRINTABLE} | {chr(256 + n): i for n, i in enumerate(_OTHERS)}
CHARACTER_OF = {i: character for character, i in BYTE_OF.items()}
# For str.translate; what is no byte becomes a character that Latin-1 does not have.
_IN_LATIN_1 = dict.fromkeys(range(256), 256) | {ord(character): i for character, i in BYTE_OF.items()}
BYTES_IN_ORDER = [*_PRINTABLE, *_OTHERS]  # the order of the alphabet, in which GPT-2 numbers the bytes


def alphabet_text(token: bytes) -> str:
    """Return bytes as the alphabet writes them.

    >>> alphabet_text(b" the\\n")
    'ĠtheĊ'
    """
    return "".join(CHARACTER_OF[i] for i in token)


def alphabet_bytes(text: str) -> bytes | None:
    """Return the bytes that are written in the alphabet; None for a text that is not.

    >>> alphabet_bytes("ĠtheĊ"), alphabet_bytes("ที่")
    (b' the\\n', None)
    """
    try:
        return text.translate(_IN_LATIN_1).encode("latin-1")
    except UnicodeEncodeError:
        return None
