"""Tokens and texts in a table or a sentence: what would not be seen as glyphs, in hex, or by its number."""

from unicodedata import category

THAI_AND_LAO_AM = "\u0e33\u0eb3"  # begin with a mark
GLYPHS = str.maketrans({" ": "·", "\n": "↵", "\t": "→", "\r": "␍"})


def text_or_none(token: bytes) -> str | None:
    """Return the text of a token, None if it holds a part of a character."""
    try:
        return token.decode()
    except UnicodeDecodeError:
        return None


def visible_token(token: bytes) -> str:
    """Return a token as text for a table: white space as glyphs, parts of characters in hex, a lone mark on a circle.

    >>> visible_token(b" the"), visible_token(b"\\n"), visible_token(b"\\xe0\\xb8"), visible_token("\u0e35".encode())
    ('·the', '↵', '<e0 b8>', '◌ี')
    """
    text = text_or_none(token)
    if text is None:
        return f"<{token.hex(' ')}>"
    if text and (category(text[0])[0] == "M" or text[0] in THAI_AND_LAO_AM):
        text = f"◌{text}"
    text = text.translate(GLYPHS)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else f"<U+{ord(c):04X}>" for c in text)


def escaped_text(text: str) -> str:
    r"""Return a text without what a terminal would obey or hide: control characters and the like, by their numbers.

    >>> escaped_text("a\x1b[2Jé\u202e\n")
    'a\\x1b[2Jé\\u202e\\n'
    """
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
