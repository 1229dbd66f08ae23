"""Documents that arrive in blocks, cut into texts that have the pretokens of the whole document.

So a document need not be held as a whole. One under a split pattern of your own is: nobody knows where it may be cut.
"""

import re
from collections.abc import Collection, Iterable, Iterator

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


def is_divisible(split_pattern: str) -> bool:
    """Return whether texts may be cut anywhere, as they may be under every named pattern but "none"."""
    return split_pattern in _PIECES


def last_cut(text: str, split_pattern: str) -> int:
    """Return the last place where a text may be cut whatever follows it, 0 if there is none.

    >>> last_cut("one two, thr", "cl100k"), last_cut("one ", "cl100k"), last_cut("one two", "none")
    (8, 3, 0)
    """
    pattern = _PIECES.get(split_pattern)
    start = len(text) if pattern else 0
    while start > 0:
        start -= 10 * (len(text) - start) + 1_000  # first a short look, then longer ones
        ends = (match.end() for match in pattern.finditer(text, max(start, 0)))
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
    pending: list[str] = []
    size, enough = 0, block
    for part, closed in _plain(blocks, special_tokens):
        pending.append(part)
        size += len(part)
        if not closed and size < enough:
            continue
        text = "".join(pending)
        end = len(text) if closed else last_cut(text, split_pattern)
        if end:
            yield text[:end]
        # A text with no place to cut is searched again when it has doubled, or a long line would take quadratic time.
        pending, size = [text[end:]], len(text) - end
        enough = max(block, 2 * size)


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
