"""Tokens in a table or a sentence: white space as glyphs, and bytes that are not text in hex."""

GLYPHS = str.maketrans({" ": "·", "\n": "↵", "\t": "→", "\r": "␍"})


def visible_token(token: bytes) -> str:
    """Return a token as text for a table: white space as glyphs, parts of characters in hex.

    >>> visible_token(b" the"), visible_token(b"\\n"), visible_token(b"\\xe0\\xb8")
    ('·the', '↵', '<e0 b8>')
    """
    try:
        text = token.decode()
    except UnicodeDecodeError:
        return f"<{token.hex(' ')}>"
    text = text.translate(GLYPHS)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else f"<U+{ord(c):04X}>" for c in text)
