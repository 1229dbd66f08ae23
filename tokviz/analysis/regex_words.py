"""What the pieces of a regular expression mean, in plain words.

In: pieces of a pattern. Out: the same in order, each with a few words; letters that stand for themselves are
taken together.
"""

from collections.abc import Iterable

import regex

from tokviz.analysis.regex_pieces import Piece

PROPERTIES = {
    "L": "a letter", "Lu": "a capital letter", "Ll": "a small letter", "Lt": "a title-case letter",
    "Lm": "a modifier letter", "Lo": "a letter without case, such as a Thai or Chinese one", "M": "a combining mark",
    "Mn": "a combining mark", "N": "a digit or another number", "Nd": "a digit", "P": "punctuation",
    "S": "a symbol", "Z": "a space or another separator",
}  # fmt: skip
_ESCAPES = {
    "s": "white space", "S": "anything but white space", "d": "a digit", "D": "anything but a digit",
    "w": "a letter, digit or underscore", "W": "anything but a letter, digit or underscore",
    "b": "the edge of a word", "B": "no edge of a word", "n": "a line feed", "r": "a carriage return", "t": "a tab",
    "A": "the beginning of the text", "Z": "the end of the text", "X": "a character as a reader sees it",
    "K": "what is matched before this is not part of the match", "R": "a line end", "G": "where the search began",
    "h": "a space or tab", "m": "the beginning of a word", "M": "the end of a word",
}  # fmt: skip
_GROUPS = {
    "(": "begins a group that is remembered", "(?:": "begins a group", "(?=": "if this follows, without taking it",
    "(?!": "unless this follows", "(?<=": "if this stands before", "(?<!": "unless this stands before",
    "(?>": "begins a group that gives nothing back", "(?|": "begins a group whose branches share numbers",
    "(?": "begins a choice: if the group in brackets matched",
}  # fmt: skip
_CHARACTERS = {".": "any character but a line end", "^": "the beginning of the text", "$": "the end of the text",
               " ": "a space"}  # fmt: skip
_TIMES = {"?": "once or not at all", "*": "any number of times, or not at all", "+": "once or more"}
_GREED = {"+": ", as often as it can, and none is given back", "?": ", as few as will do"}
_FLAGS = {"i": "capital and small letters are the same", "x": "white space and # are not part of the pattern",
          "s": "the dot takes line ends too", "m": "^ and $ hold at every line"}  # fmt: skip
_PLAIN = {"close": "ends the group", "bar": "or", "comment": "says nothing: a comment, or space between pieces"}


def piece_words(pieces: Iterable[Piece]) -> list[tuple[str, str]]:
    """Return pieces of a pattern, each with what it means.

    >>> from tokviz.analysis.regex_pieces import pieces
    >>> piece_words(pieces(r" ?\\p{L}++"))
    [(' ', 'a space'), ('?', 'once or not at all'), ('\\\\p{L}', 'a letter'), \
('++', 'once or more, as often as it can, and none is given back')]
    >>> piece_words(pieces("'ll"))
    [("'ll", 'these characters themselves')]
    """
    found: list[tuple[str, str]] = []
    plain = False
    for piece in pieces:
        is_plain = piece.kind == "character" and piece.text not in _CHARACTERS
        if is_plain and plain:
            found[-1] = _plain(found[-1][0] + piece.text)
        else:
            if piece.kind == "quantifier" and plain and len(found[-1][0]) > 1:
                # Of several characters only the last is repeated.
                before = found.pop()[0]
                found += [_plain(before[:-1]), _plain(before[-1])]
            found.append((piece.text, _words(piece)))
        plain = is_plain
    return found


def _plain(text: str) -> tuple[str, str]:
    return text, "this character itself" if len(text) == 1 else "these characters themselves"


def _words(piece: Piece) -> str:
    """Return what one piece means."""
    text, kind, _ = piece
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind == "character":
        return _CHARACTERS.get(text) or _plain(text)[1]
    if kind == "set":
        return "one character that is none of these" if text.startswith("[^") else "one character of these"
    if kind == "quantifier":
        return _quantifier_words(text)
    if kind == "escape":
        return _escape_words(text)
    flags = regex.fullmatch(r"\(\?([a-zA-Z01]*)(?:-([a-zA-Z]+))?([:)])", text)
    if flags and flags[0] not in _GROUPS:
        on = [words for flag, words in _FLAGS.items() if flag in flags[1]] or ["with other rules"]
        return " and ".join(on) + (" in this group" if flags[3] == ":" else " from here on")
    return _GROUPS.get(text, "begins a named group" if "<" in text else "refers to another group")


def _escape_words(text: str) -> str:
    """Return what a backslash and what follows it mean."""
    letter, name = text[1], text[2:].strip("{}")
    if letter in "pP" and len(text) > 2:
        words = PROPERTIES.get(name, f"a character of “{name}”")
        return words if letter == "p" else f"anything but {words}"
    if letter in "xuUN" and len(text) > 2:
        return "the character of this code or name"
    if letter.isdigit() or (letter == "g" and len(text) > 2):
        return "the same text again as that group"
    return _ESCAPES.get(letter, "this character itself")


def _quantifier_words(text: str) -> str:
    """Return how often a quantifier repeats what stands before it."""
    base, greed = (text[:-1], text[-1]) if len(text) > 1 and text[-1] in "+?" else (text, "")
    limits = regex.fullmatch(r"\{(\d*)(,?)(\d*)\}", base)
    if not limits:
        words = _TIMES[base]
    elif not limits[2]:
        words = f"exactly {limits[1]} times"
    else:
        words = f"{limits[1] or 0} to {limits[3]} times" if limits[3] else f"{limits[1] or 0} times or more"
    return words + _GREED.get(greed, "")
