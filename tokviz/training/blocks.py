"""Documents that arrive in blocks, cut into texts that have the pretokens of the whole document.

So a document need not be held as a whole, unless the split pattern is one of your own: where that lets a text be cut
is not known.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Self

BLOCK = 2**18  # characters
_SPACE = "\t\x0b\x0c \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"  # \s of `regex`, less line ends
_LETTERS = rf"[{_SPACE}]*+[^{_SPACE}\r\nA-Za-z]*+[A-Za-z]++(?=[\t -&(-@[-`{{-~])"
_LINE = f"[{_SPACE}]*+[^{_SPACE}\r\n]*+[\r\n]*+"
# A text can be cut before the rest is known if no pretoken reaches across the cut, and nothing behind it changes what
# the pattern does before it. The named patterns have three such places: between a character that is not white space
# and a space; after a line end followed, spaces aside, by a character that is neither white space nor `/` (o200k
# takes slashes after line ends); and between an ASCII letter and an ASCII digit or sign other than `'`. gpt2 treats
# line ends as white space, so there the first rule holds for all white space, and the second does not hold.
# So there is no cut at line ends before a slash, before white space that ends in more line ends, or at the end.
_LINES = re.compile(rf"{_LETTERS}|{_LINE}(?:(?<=[\r\n])(?=/|[{_SPACE}]++(?:[\r\n]|\Z)){_LINE})*+")
_WORDS = re.compile(rf"{_LETTERS}|[{_SPACE}\r\n]*+[^{_SPACE}\r\n]*+")
_PIECES = {"cl100k": _LINES, "o200k": _LINES, "llama3": _LINES, "gpt2": _WORDS}
WORDS = re.compile(r"\s*+\S*+")  # pieces for rules that no word reaches across white space
# Those of the places above that are white space, so that no word reaches across them either.
_SPACES = {"gpt2": re.compile(rf"[^{_SPACE}\r\n](?=[{_SPACE}\r\n])")} | dict.fromkeys(
    ("cl100k", "o200k", "llama3"), re.compile(rf"[^{_SPACE}\r\n](?= )|[\r\n](?=[^{_SPACE}\r\n/])")
)


def is_divisible(split_pattern: str) -> bool:
    """Return whether texts may be cut anywhere, as they may be under every named pattern but "none"."""
    return split_pattern in _PIECES


def last_cut(text: str, split_pattern: str) -> int:
    """Return the last place, in characters, where a text may be cut whatever follows it; 0 if there is none.

    >>> last_cut("one two, thr", "cl100k"), last_cut("one ", "cl100k"), last_cut("one two", "none")
    (8, 3, 0)
    """
    return _last_cut(text, _PIECES.get(split_pattern))


def _last_cut(text: str, pieces: re.Pattern[str] | None) -> int:
    start = len(text)
    while pieces and start > 0:
        start -= 10 * (len(text) - start) + 1_000  # first a short look, then longer ones
        ends = (match.end() for match in pieces.finditer(text, max(start, 0)))
        if place := max((end for end in ends if end < len(text)), default=0):
            return place
    return 0


def texts_of(
    blocks: Iterable[str], split_pattern: str, *, special_tokens: Collection[str] = (), block: int = BLOCK
) -> Iterator[str]:
    """Yield texts whose pretokens, one text after the other, are those of the document that the blocks make.

    Special tokens are left out, and end a text. Texts have about `block` characters if the split pattern
    allows that; otherwise a text has all of them.

    >>> list(texts_of(["one tw", "o three<s", ">four"], "gpt2", special_tokens=["<s>"], block=4))
    ['one', ' two', ' three', 'four']
    """
    cut = TextCut(_PIECES.get(split_pattern), block)
    for part, closed in _plain(blocks, special_tokens):
        if text := cut.text(part, closed=closed):
            yield text


class TextCut:
    """Takes a document part by part, and gives it back in texts of about `block` characters, cut between pieces.

    pieces: a pattern that matches up to a place where texts may be cut; None if nobody knows one.

    >>> cut = TextCut(WORDS, 4)
    >>> cut.text("one tw"), cut.text("o"), cut.text("", closed=True)
    ('one', '', ' two')
    """

    def __init__(self, pieces: re.Pattern[str] | None, block: int = BLOCK) -> None:
        self._pieces, self._block = pieces, block
        self._pending: list[str] = []
        self._size, self._enough = 0, block

    @classmethod
    def of_pattern(cls, split_pattern: str) -> Self:
        """Return what cuts between the pretokens of a split pattern."""
        return cls(_PIECES.get(split_pattern))

    @classmethod
    def of_words(cls, split_pattern: str, block: int = BLOCK) -> Self:
        """Return what cuts between both the pretokens of a split pattern and words.

        >>> TextCut.of_words("cl100k", 8).text("one 2+2=4 three"), TextCut.of_words("none", 8).text("one two three")
        ('one 2+2=4', '')
        """
        return cls(_SPACES.get(split_pattern), block)

    def text(self, part: str, *, closed: bool = False) -> str:
        """Take a part, the last one if `closed`; return the next text, or an empty one until more has come."""
        self._pending.append(part)
        self._size += len(part)
        if not closed and self._size < self._enough:
            return ""
        text = "".join(self._pending)
        end = len(text) if closed else _last_cut(text, self._pieces)
        # A text with no place to cut is searched again when it has doubled, or a long line would take quadratic time.
        self._pending, self._size = [text[end:]], len(text) - end
        self._enough = max(self._block, 2 * self._size)
        return text[:end]


def _plain(blocks: Iterable[str], special_tokens: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Yield the text between special tokens in parts, each with whether it is the last before one or the end."""
    if special_tokens:
        longest_first = sorted(special_tokens, key=len, reverse=True)
        pattern = re.compile("|".join(map(re.escape, longest_first)))
        held, longest = "", len(longest_first[0])
        for part in blocks:
            text, end = held + part, 0
            certain = len(text) - longest + 1  # one that begins later might become a longer token
            for match in pattern.finditer(text):
                if match.start() >= certain:
                    break
                yield text[end : match.start()], True
                end = match.end()
            certain = max(certain, end)
            yield text[end:certain], False
            held = text[certain:]
        blocks = pattern.split(held)
        for part in blocks[:-1]:
            yield part, True
        blocks = blocks[-1:]
    for part in blocks:
        yield part, False
    yield "", True
