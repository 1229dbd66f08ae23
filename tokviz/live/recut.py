"""Cut the pretokens of a text again after an edit, but only those that the edit can change.

A named split pattern cuts from left to right, and a cut depends on little around it (`tokviz.core.lookahead`), and on a
special token that may begin there. So cutting starts before anything that read the edit, and stops where it meets an
old cut after the edit.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from tokviz import Tokenizer
from tokviz.core.lookahead import first_read
from tokviz.core.patterns import ALTERNATIVES
from tokviz.live.edit import Change

# How far before the edit cutting starts at least, in UTF-16 units, beyond what the pattern reads: half a surrogate pair
# before the edit may become or have been a whole one; the rest is to spare.
READ_AHEAD = 8
LOOK_BACK = 64  # units before the edit; if the pattern reads across all of them, four times as many
WINDOW = 256  # units after the edit; if these contain no old cut, four times as many are read
PIECE = 20_000  # units cut at a time; if these contain no cut at all, four times as many
PRETOKENS = 5_000  # yielded at a time if the whole text is cut anew


@dataclass(frozen=True)
class Recut:
    """Others replaced the pretokens `first` to `last` - 1; `starts` says in units where each of the new ones begins.

    In pieces: all begin with the same `first`, and only the last one takes old pretokens away.
    """

    first: int
    last: int
    pretokens: list[str]
    starts: np.ndarray


def can_recut_locally(tokenizer: object) -> bool:
    """Return whether part of a text can be cut again by itself."""
    return isinstance(tokenizer, Tokenizer) and bool(ALTERNATIVES.get(tokenizer.split_pattern))


def local_recuts(
    tokenizer: Tokenizer, special: Collection[str], cuts: np.ndarray, units: bytes, change: Change, end: int
) -> Iterator[Recut]:
    """Yield what an edit does to the pretokens, in pieces that take some 10 ms each.

    special: the special tokens that are recognised. cuts: where the old pretokens begin, in units, and where the last
    one ends. units: the new text, of which only the part up to `end` counts.
    """
    ahead = READ_AHEAD + max((len(name.encode("utf-16-le")) // 2 for name in special), default=0)
    first = _last_unaffected_pretoken(tokenizer, cuts, units, change.start - ahead)
    begin, reach, size = int(cuts[first]), WINDOW, PIECE
    while True:
        stop = min(whole_character_stop(units, min(change.new_stop + reach, begin + size, end)), end)
        found, offsets, starts = _pretokens_with_starts(tokenizer, special, units, begin, stop)
        # Near the end of the window it is not known whether the text after it would move cuts.
        text = "".join(found)
        known = first_read(text, max(len(text) - ahead, 0), tokenizer.split_pattern)
        certain = len(found) if stop == end else int(np.searchsorted(offsets, known))
        candidates = int(np.searchsorted(starts, change.new_stop))
        wanted = starts[candidates:certain] - change.shift
        places = np.searchsorted(cuts, wanted)
        met = np.flatnonzero(cuts[places] == wanted)
        if len(met):
            n = candidates + int(met[0])
            yield Recut(first, int(places[met[0]]), found[:n], starts[:n])
            return
        if stop == end:
            yield Recut(first, len(cuts) - 1, found, starts)
            return
        if certain > 1:
            yield Recut(first, first, found[: certain - 1], starts[: certain - 1])
            begin = int(starts[certain - 1])
        else:
            size *= 4
        if begin + size > change.new_stop + reach:
            reach *= 4


def full_recuts(
    tokenizer: Tokenizer, special: Collection[str], cuts: np.ndarray, units: bytes, end: int
) -> Iterator[Recut]:
    """Yield what becomes of all pretokens, for a split pattern that may look at any of the text; see `local_recuts`."""
    found, _, starts = _pretokens_with_starts(tokenizer, special, units, 0, end)
    n_early = max(len(found) - 1, 0) // PRETOKENS * PRETOKENS
    for n in range(0, n_early, PRETOKENS):
        yield Recut(0, 0, found[n : n + PRETOKENS], starts[n : n + PRETOKENS])
    yield Recut(0, len(cuts) - 1, found[n_early:], starts[n_early:])


def _pretokens_with_starts(
    tokenizer: Tokenizer, special: Collection[str], units: bytes, begin: int, stop: int
) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Return the pretokens of a stretch of text, and where each begins: in its characters, and in the whole's units."""
    text = decoded_units(units, begin, stop)
    found = [piece for piece, _ in tokenizer.pieces(text, allowed_special=special)]
    lengths = np.fromiter(map(len, found), np.int32, len(found))
    offsets = np.cumsum(lengths, dtype=np.int32) - lengths
    return found, offsets, utf16_offsets(text, stop - begin)[offsets] + np.int32(begin)


def _last_unaffected_pretoken(tokenizer: Tokenizer, cuts: np.ndarray, units: bytes, limit: int) -> int:
    """Return the last pretoken before which all cuts depend only on what precedes `limit`."""
    place, size = 0, LOOK_BACK
    while limit > 0:
        begin = max(limit - size, 0)
        text = decoded_units(units, begin, limit)
        read = first_read(text, len(text), tokenizer.split_pattern)
        if read or not begin:
            place = begin + int(utf16_offsets(text, limit - begin)[read])
            break
        size *= 4
    return max(int(np.searchsorted(cuts, place, side="right")) - 1, 0)


def decoded_units(units: bytes, start: int, stop: int) -> str:
    """Return the text of units start..stop-1, U+FFFD in place of each lone surrogate."""
    return units[2 * start : 2 * stop].decode("utf-16-le", "replace")


def whole_character_stop(units: bytes, stop: int) -> int:
    """Return `stop`, or a unit more if stopping there would cut a character in two.

    >>> whole_character_stop("a😀".encode("utf-16-le"), 1), whole_character_stop("a😀".encode("utf-16-le"), 2)
    (1, 3)
    """
    high, low = units[2 * stop - 1 : 2 * stop], units[2 * stop + 1 : 2 * stop + 2]
    return stop + (b"\xd8" <= high <= b"\xdb" and b"\xdc" <= low <= b"\xdf")


def utf16_offsets(text: str, n_units: int) -> np.ndarray:
    """Return how many UTF-16 units, `n_units` in all, lie before each character of a text, and before its end."""
    if n_units == len(text):
        return np.arange(n_units + 1, dtype=np.int32)
    wide = np.frombuffer(text.encode("utf-32-le"), np.uint32) > 0xFFFF
    return np.concatenate([[0], np.cumsum(1 + wide)]).astype(np.int32)
