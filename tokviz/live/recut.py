"""Pretokens that follow an edit: only what the edit can change is cut again.

In: where pretokens began, and what changed in the text. Out: the new pretokens, and which of the old ones they
replace. A named split pattern cuts from left to right and looks back at nothing, and so do special tokens. Where a cut
falls depends on what was read to find it: the pretoken before it, the white space behind it, a few characters more (a
contraction such as 'll), and the special token that may begin there. So the cutting starts again at a pretoken from
before whatever read the edit, and ends where it meets an old cut behind the edit: from there on both texts are the
same. Only the text between the two is looked at.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from tokviz import Tokenizer
from tokviz.core.patterns import ALTERNATIVES
from tokviz.live.edit import Change

# How far, in UTF-16 units, the named patterns read beyond the pretoken and the white space behind it: 5; one more, as
# half a surrogate pair before the edit may become a whole one or have been one; and two to spare.
READ_AHEAD = 8
WINDOW = 256  # units behind the edit; where no old cut is met in so many, four times as many are read


@dataclass(frozen=True)
class Recut:
    """The pretokens `first` to `last` - 1 gave way to others; `starts` says in units where each of these begins."""

    first: int
    last: int
    pretokens: list[str]
    starts: np.ndarray


def cuts_locally(tokenizer: object) -> bool:
    """Return whether the pretokens of a text can be cut again in a part of it."""
    return isinstance(tokenizer, Tokenizer) and bool(ALTERNATIVES.get(tokenizer.split_pattern))


def recut(
    tokenizer: Tokenizer, special: Collection[str], cuts: np.ndarray, units: bytes, change: Change, end: int
) -> Recut:
    """Return what an edit does to the pretokens.

    special: the special tokens that are recognised. cuts: where the old pretokens begin, in units, and where the last
    one ends. units: those of the new text, which is looked at up to `end`.
    """
    ahead = READ_AHEAD + max((len(name.encode("utf-16-le")) // 2 for name in special), default=0)
    first = _unaffected(cuts, units, change.start - ahead)
    begin, reach = int(cuts[first]), WINDOW
    while True:
        stop = min(whole_characters(units, min(change.new_stop + reach, end)), end)
        found, offsets, starts = _cut(tokenizer, special, units, begin, stop)
        # Of cuts near the end of the window it is not known whether the text behind it would move them.
        known = len("".join(found)[:-ahead].rstrip())
        certain = len(found) if stop == end else int(np.searchsorted(offsets, known))
        candidates = int(np.searchsorted(starts, change.new_stop))
        wanted = starts[candidates:certain] - change.shift
        places = np.searchsorted(cuts, wanted)
        met = np.flatnonzero(cuts[places] == wanted)
        if len(met):
            n = candidates + int(met[0])
            return Recut(first, int(places[met[0]]), found[:n], starts[:n])
        if stop == end:
            return Recut(first, len(cuts) - 1, found, starts)
        reach *= 4


def recut_all(tokenizer: Tokenizer, special: Collection[str], cuts: np.ndarray, units: bytes, end: int) -> Recut:
    """Return what becomes of all pretokens, for a split pattern that may look at any of the text; see `recut`."""
    found, _, starts = _cut(tokenizer, special, units, 0, end)
    return Recut(0, len(cuts) - 1, found, starts)


def _cut(
    tokenizer: Tokenizer, special: Collection[str], units: bytes, begin: int, stop: int
) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Return the pretokens of a stretch of text, and where each begins: in its characters, and in the whole's units."""
    text = well_formed_text(units, begin, stop)
    found = [part for part, _ in tokenizer.parts(text, allowed_special=special)]
    lengths = np.fromiter(map(len, found), np.int32, len(found))
    offsets = np.cumsum(lengths, dtype=np.int32) - lengths
    return found, offsets, units_before(text, stop - begin)[offsets] + np.int32(begin)


def _unaffected(cuts: np.ndarray, units: bytes, limit: int) -> int:
    """Return the last pretoken before which all was cut by what stands before `limit`, white space behind it too."""
    at = max(int(np.searchsorted(cuts, limit, side="right")) - 1, 0)
    while at and not well_formed_text(units, int(cuts[at]), limit + 1).strip():
        at -= 1
    return at


def well_formed_text(units: bytes, start: int, stop: int) -> str:
    """Return the text of units start..stop-1, U+FFFD in place of each lone surrogate."""
    return units[2 * start : 2 * stop].decode("utf-16-le", "replace")


def whole_characters(units: bytes, stop: int) -> int:
    """Return where the character ends that is cut in two by ending at `stop`: there, or a unit later.

    >>> whole_characters("a😀".encode("utf-16-le"), 1), whole_characters("a😀".encode("utf-16-le"), 2)
    (1, 3)
    """
    high, low = units[2 * stop - 1 : 2 * stop], units[2 * stop + 1 : 2 * stop + 2]
    return stop + (b"\xd8" <= high <= b"\xdb" and b"\xdc" <= low <= b"\xdf")


def units_before(text: str, n_units: int) -> np.ndarray:
    """Return how many UTF-16 units, `n_units` in all, lie before each character of a text, and before its end."""
    if n_units == len(text):
        return np.arange(n_units + 1, dtype=np.int32)
    wide = np.frombuffer(text.encode("utf-32-le"), np.uint32) > 0xFFFF
    return np.concatenate([[0], np.cumsum(1 + wide)]).astype(np.int32)
