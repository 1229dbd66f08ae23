"""Documents that arrive in blocks, cut into texts that have the pretokens of the whole document.

So a document need not be held as a whole, unless the split pattern is your own: nobody knows where it lets a text be
cut.
"""

import re
from collections.abc import Collection, Iterable, Iterator

from tokviz.core.cut_places import PIECES, last_piece_end_inside
from tokviz.core.normalizer import PLAIN, NormalizedParts, Normalizer

BLOCK = 2**18  # characters
WORDS = re.compile(r"\s*+\S*+")  # pieces for rules that no word reaches across white space


def texts_to_pretokenize(
    blocks: Iterable[str],
    split_pattern: str,
    *,
    special_tokens: Collection[str] = (),
    normalizer: Normalizer = PLAIN,
    block: int = BLOCK,
) -> Iterator[str]:
    """Yield texts whose pretokens, one text after the other, are those of the document that the blocks make.

    The text between two special tokens is normalized.
    Special tokens are left out, and end a text. Texts have about `block` characters if the split pattern
    allows that; otherwise a text has all of them.

    >>> list(texts_to_pretokenize(["one tw", "o three<s", ">four"], "gpt2", special_tokens=["<s>"], block=4))
    ['one', ' two', ' three', 'four']
    """
    cut, normalized = TextCutter(PIECES.get(split_pattern), block), NormalizedParts(normalizer)
    for part, closed in _parts_between_special_tokens(blocks, special_tokens):
        if text := cut.add_and_take_text(normalized.add_and_return_certain_text(part, closed=closed), closed=closed):
            yield text


class TextCutter:
    """Takes a document part by part, and gives it back in texts of about `block` characters, cut between pieces.

    pieces: a pattern that matches up to a place where texts may be cut; None if nobody knows one.

    >>> cut = TextCutter(WORDS, 4)
    >>> cut.add_and_take_text("one tw"), cut.add_and_take_text("o"), cut.add_and_take_text("", closed=True)
    ('one', '', ' two')
    """

    def __init__(self, pieces: re.Pattern[str] | None, block: int = BLOCK) -> None:
        self._pieces, self._block = pieces, block
        self._pending: list[str] = []
        self._size, self._enough = 0, block

    def add_and_take_text(self, part: str, *, closed: bool = False) -> str:
        """Take a part, the last one if `closed`; return the next text, or an empty one until more has come."""
        self._pending.append(part)
        self._size += len(part)
        if not closed and self._size < self._enough:
            return ""
        text = "".join(self._pending)
        end = len(text) if closed else last_piece_end_inside(text, self._pieces)
        # A text with no place to cut is searched again when it has doubled, or a long line would take quadratic time.
        self._pending, self._size = [text[end:]], len(text) - end
        self._enough = max(self._block, 2 * self._size)
        return text[:end]


def _parts_between_special_tokens(blocks: Iterable[str], special_tokens: Collection[str]) -> Iterator[tuple[str, bool]]:
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
