"""Blocks: a document that comes in blocks, cut so that its pretokens stay what they are.

In: blocks, str after str, a document cut anywhere. Out: texts whose pretokens, one text after the other,
are those of the whole document, special tokens left out. So a document is never held as a whole.

That a text can be cut before what follows is known, needs a place that no pretoken reaches across, and
where what a pattern does before it does not hang on what comes behind. For the named patterns there are
three: between a character that is not white space and a space; after a line end that is followed, spaces
aside, by a character that is neither white space nor `/` (o200k takes slashes after line ends); and between
an ASCII letter and an ASCII digit or sign other than `'`. gpt2 knows no line ends: there the first rule holds
for all white space, and the second does not. Of a pattern of your own nothing is known: its documents are cut
as wholes.
"""

import re
from collections.abc import Collection, Iterable, Iterator

BLOCK = 2**18  # characters
_SPACE = "\t\x0b\x0c \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"  # \s of `regex`, less line ends
_LETTERS = rf"[{_SPACE}]*+[^{_SPACE}\r\nA-Za-z]*+[A-Za-z]++(?=[\t -&(-@[-`{{-~])"
_LINE = f"[{_SPACE}]*+[^{_SPACE}\r\n]*+[\r\n]*+"
# Line ends before a slash, before white space that ends in more line ends, or at the end, are no place to cut.
_LINES = re.compile(rf"{_LETTERS}|{_LINE}(?:(?<=[\r\n])(?=/|[{_SPACE}]++(?:[\r\n]|\Z)){_LINE})*+")
_WORDS = re.compile(rf"{_LETTERS}|[{_SPACE}\r\n]*+[^{_SPACE}\r\n]*+")
_PIECES = {"cl100k": _LINES, "o200k": _LINES, "llama3": _LINES, "gpt2": _WORDS}


def is_divisible(split_pattern: str) -> bool:
    """Return whether there are places where texts may be cut, as there are under all named patterns but "none"."""
    return split_pattern in _PIECES


def last_cut(text: str, split_pattern: str) -> int:
    """Return the last place where a text may be cut whatever comes behind it, 0 for none.

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
    """Yield texts whose pretokens, one after the other, are those of the document that the blocks make.

    Special tokens are left out, and end a text. Where the split pattern allows, a text has about `block`
    characters, else it has all of them.

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
        # What has no place to cut is looked at again when it has doubled, so that a long line takes no square time.
        pending, size = [text[end:]], len(text) - end
        enough = max(block, 2 * size)


def _plain(blocks: Iterable[str], special_tokens: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Yield what lies between special tokens, in parts, each with whether it is the last before one or the end."""
    if special_tokens:
        longest_first = sorted(special_tokens, key=len, reverse=True)
        pattern = re.compile("|".join(map(re.escape, longest_first)))
        held, longest = "", len(longest_first[0])
        for part in blocks:
            text, end = held + part, 0
            certain = len(text) - longest + 1  # a token that begins later might be another one with more text
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
