"""Text as Markdown: every token in code marks, which any page that knows Markdown shows, with signs for spaces.

Markdown has no colours, and sites that show it drop those of HTML.
"""

import re
from collections.abc import Sequence

from tokviz.display.pieces import Piece, TokenizedText
from tokviz.display.visible import visible_text

_TICKS = re.compile("`+")
_ACTIVE = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~&$:@])")


def markdown_text(texts: Sequence[TokenizedText], *, captions: bool = False, theme: str = "light") -> str:
    """Return texts as Markdown, each under a caption if asked for; the theme makes no difference.

    >>> import tokviz
    >>> from tokviz.display.pieces import tokenized_text
    >>> print(markdown_text([tokenized_text(tokviz.load("gpt2"), "low lower")]), end="")
    `low` `␣lower`
    """
    return "\n".join(_text_markdown(each, captions=captions) for each in texts)


def _text_markdown(text: TokenizedText, *, captions: bool) -> str:
    title = _ACTIVE.sub(r"\\\1", text.title)
    head = f"**{title}**{text.caption.removeprefix(text.title)}\n\n" if captions else ""
    return head + _markdown_of_pieces_with_text(text.pieces) + "\n"


def _markdown_of_pieces_with_text(pieces: Sequence[Piece]) -> str:
    """Return pieces side by side; after a line end a new line begins."""
    parts = []
    for piece in pieces:
        if piece.text:
            parts.append(_code_span(visible_text(piece.text)) + _byte_shares(piece))
            parts.append("  \n" if piece.text.endswith("\n") else " ")
    return "".join(parts).strip(" \n")


def _code_span(text: str) -> str:
    """Return a text in code marks, more of them than there are in it.

    >>> _code_span("low"), _code_span("a`b"), _code_span("`")
    ('`low`', '``a`b``', '`` ` ``')
    """
    ticks = "`" * (1 + max(map(len, _TICKS.findall(text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def _byte_shares(piece: Piece) -> str:
    """Return the bytes that each token has of a shared character."""
    return f"<sub>{' / '.join(part.hex(' ') for part in piece.parts)}</sub>" if piece.parts else ""
