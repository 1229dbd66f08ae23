"""Where a text may be cut, so that its parts are cut into pretokens as the whole is.

A text can be cut before the rest is known if no pretoken reaches across the cut, and nothing after it changes what
the pattern does before it. The named patterns have three such places: between a character that is not white space
and a space; after a line end followed, spaces aside, by a character that is neither white space nor `/` (o200k
takes slashes after line ends); and between an ASCII letter and an ASCII digit or sign other than `'`. gpt2 and
starcoder treat line ends as white space, so there the first rule holds for all white space, and the second does not
hold. sentencepiece has the first rule alone, and not after `>`.
"""

import re
from collections.abc import Iterator

from tokviz.core.named_patterns import SPLIT_PATTERNS

PART = 2**16  # characters: some milliseconds of work, and little beside it to find the next cut
_SPACE = "\t\x0b\x0c \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"  # \s of `regex`, less line ends
_LETTERS = rf"[{_SPACE}]*+[^{_SPACE}\r\nA-Za-z]*+[A-Za-z]++(?=[\t -&(-@[-`{{-~])"
_LINE = f"[{_SPACE}]*+[^{_SPACE}\r\n]*+[\r\n]*+"
# So there is no cut at line ends before a slash, before white space that ends in more line ends, or at the end.
_LINES = re.compile(rf"{_LETTERS}|{_LINE}(?:(?<=[\r\n])(?=/|[{_SPACE}]++(?:[\r\n]|\Z)){_LINE})*+")
_WORDS = re.compile(rf"{_LETTERS}|[{_SPACE}\r\n]*+[^{_SPACE}\r\n]*+")
_SPACES = re.compile(r" *+(?:[^ ]*+(?<=>) ++)*+[^ ]*+")
# What matches up to the next place, for each named pattern but "none".
PIECES = {name: _LINES for name in SPLIT_PATTERNS if name != "none"} | {
    "gpt2": _WORDS,
    "starcoder": _WORDS,
    "sentencepiece": _SPACES,
}

# Those of these places that are white space, so that no word reaches across them either.
_SPACED_LINES = re.compile(rf"[^{_SPACE}\r\n](?= )|[\r\n](?=[^{_SPACE}\r\n/])")
_SPACED_WORDS = re.compile(rf"[^{_SPACE}\r\n](?=[{_SPACE}\r\n])")
_SPACED = {_LINES: _SPACED_LINES, _WORDS: _SPACED_WORDS, _SPACES: re.compile(r"[^ >](?= )")}
SPACED_PIECES = {name: _SPACED[pieces] for name, pieces in PIECES.items()}


def is_divisible(split_pattern: str) -> bool:
    """Return whether texts may be cut, as they may be under every named pattern but "none"."""
    return split_pattern in PIECES


def last_safe_cut(text: str, split_pattern: str) -> int:
    """Return the last place where a text may be cut whatever follows it, 0 if there is none.

    >>> last_safe_cut("one two, thr", "cl100k"), last_safe_cut("one ", "cl100k"), last_safe_cut("one two", "none")
    (8, 3, 0)
    """
    return last_piece_end_inside(text, PIECES.get(split_pattern))


def last_piece_end_inside(text: str, pieces: re.Pattern[str] | None) -> int:
    """Return the last place inside a text where one of its pieces ends, 0 if there is none."""
    start = len(text)
    while pieces and start > 0:
        start -= 10 * (len(text) - start) + 1_000  # first a short look, then longer ones
        ends = (match.end() for match in pieces.finditer(text, max(start, 0)))
        if place := max((end for end in ends if end < len(text)), default=0):
            return place
    return 0


def safely_cut_parts(text: str, split_pattern: str, size: int = PART) -> Iterator[str]:
    """Yield a text in parts of at most `size` characters, longer only where it may not be cut.

    The pretokens of the parts, one part after the other, are those of the text.

    >>> list(safely_cut_parts("one two three", "gpt2", 8)), list(safely_cut_parts("one two three", "none", 8))
    (['one two', ' three'], ['one two three'])
    """
    begin, reach = 0, size
    while len(text) - begin > reach:
        cut = last_safe_cut(text[begin : begin + reach], split_pattern)
        if cut:
            yield text[begin : begin + cut]
        # What has no place to cut is searched again when it has doubled, or a long line would take quadratic time.
        begin, reach = begin + cut, size if cut else 2 * reach
    if begin < len(text):
        yield text[begin:]
