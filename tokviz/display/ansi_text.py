"""Coloured text for a terminal, in 16 million colours, in 256 or in none; no character of the text commands it."""

import os
from collections.abc import Mapping, Sequence

from tokviz.display.palette import THEMES, tint_and_edge
from tokviz.display.pieces import Piece, Token, TokenizedText
from tokviz.display.visible import control_name_or_code_point, visibility_runs, visible_text

END = "\x1b[0m"
DIM, NO_DIM = "\x1b[2m", "\x1b[22m"  # around what is not text: signs, names, bytes
LEVELS = (0, 95, 135, 175, 215, 255)  # of red, green and blue in the cube of 256 colours


def ansi_text(
    texts: Sequence[TokenizedText], *, captions: bool = False, theme: str = "light", colours: int = 2**24
) -> str:
    """Return texts for a terminal, each under a caption if asked for.

    theme: "light" or "dark", the tints and the text on them; either can be read on any ground. colours: how many the
    terminal has, 2 ** 24, 256 or 0. Without colours a bar separates tokens, and signs show spaces.

    >>> import tokviz
    >>> from tokviz.display.pieces import tokenized_text
    >>> print(ansi_text([tokenized_text(tokviz.load("gpt2"), "low lower")], colours=0), end="")
    low|␣lower
    """
    blocks = []
    for each in texts:
        caption = f"{visible_text(each.caption).replace('␣', ' ')}\n" if captions else ""
        body = _coloured_text(each.pieces, theme, colours) if colours else _uncoloured_text_with_bars(each.pieces)
        blocks.append(f"{caption}{body}\n")
    return ("\n" if captions else "").join(blocks)


def n_terminal_colours(environment: Mapping[str, str] | None = None, *, is_terminal: bool) -> int:
    """Return how many colours there are to write with: none if this is not a terminal, or NO_COLOR is set.

    FORCE_COLOR takes what is not a terminal for one, with 256 colours if nothing says that there are more.

    >>> n_terminal_colours({"TERM": "xterm-256color"}, is_terminal=True)
    256
    """
    environment = os.environ if environment is None else environment
    is_forced = environment.get("FORCE_COLOR", "0") not in ("", "0", "false")
    can_colour = is_terminal and environment.get("TERM") not in (None, "", "dumb")
    if environment.get("NO_COLOR") or not (is_forced or can_colour):
        return 0
    return 2**24 if environment.get("COLORTERM") in ("truecolor", "24bit") else 256


def _uncoloured_text_with_bars(pieces: Sequence[Piece]) -> str:
    """Return pieces with a bar between two tokens."""
    parts = []
    for i, piece in enumerate(pieces):
        bar = "|" if i and piece.begins else ""
        shares = f"<{' / '.join(part.hex(' ') for part in piece.parts)}>" if piece.parts else ""
        line_end = "\n" if piece.text.endswith("\n") else ""
        parts.append(f"{bar}{visible_text(piece.text).replace('|', '[U+007C]')}{shares}{line_end}")
    return "".join(parts).removesuffix("\n")


def _coloured_text(pieces: Sequence[Piece], theme: str, colours: int) -> str:
    before, parts = "", []
    for piece in pieces:
        if not piece.tokens:
            parts.append(_visible_text_in_look(piece.text, ""))
            continue
        look = _token_style_codes(piece.tokens[0], theme, colours)
        if piece.begins and look == before:
            look += "\x1b[4m"  # else two tokens of one colour would look like one
        before = look
        parts.append(look + _visible_text_in_look(piece.text, look))
        if not piece.text:
            parts.append(f"{DIM}∅{NO_DIM}")
        for token, part in zip(piece.tokens, piece.parts, strict=False):
            parts.append(f"{_token_style_codes(token, theme, colours)}{DIM}{part.hex(' ')}{NO_DIM}")
            before = ""
        parts.append(END)
    return "".join(parts)


def _visible_text_in_look(text: str, look: str) -> str:
    """Return a text in a look: signs and names are dim, and colours end before a line does."""
    parts = []
    for run in visibility_runs(text):
        if run.kind == "invisible":
            parts.append(f"{DIM}[{control_name_or_code_point(run.text)}]{NO_DIM}")
        elif run.kind == "newline":
            parts.append(f"{DIM}↵{NO_DIM}{END}\n{look}")
        elif run.kind == "tab":
            parts.append(f"{DIM}→{NO_DIM}\t")
        else:
            parts.append(run.text)
    return "".join(parts)


def _token_style_codes(token: Token, theme: str, colours: int) -> str:
    """Return what switches on the colours of a token; a special token is drawn inverted."""
    text, (ground, _) = THEMES[theme]["textColor"], tint_and_edge(token.colour, theme)
    if token.is_special:
        text, ground = THEMES[theme]["backgroundColor"], text
    bold = "1;" if token.is_special else ""
    return f"\x1b[{bold}{_colour_code(38, text, colours)};{_colour_code(48, ground, colours)}m"


def _colour_code(which: int, colour: str, colours: int) -> str:
    """Return a colour of the text (38) or of its background (48), as near as 256 colours come if there are no more.

    >>> _colour_code(48, "#fddfcd", 256), _colour_code(48, "#fddfcd", 2**24)
    ('48;5;224', '48;2;253;223;205')
    """
    channels = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    if colours > 256:
        return f"{which};2;{channels[0]};{channels[1]};{channels[2]}"
    red, green, blue = (min(range(6), key=lambda i: abs(LEVELS[i] - channel)) for channel in channels)
    return f"{which};5;{16 + 36 * red + 6 * green + blue}"
