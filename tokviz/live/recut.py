"""Cut the pretokens of a text again after an edit, but only those that the edit can change.

A named split pattern cuts from left to right, and a cut depends on little around it (`tokviz.core.lookahead`), and on a
special token that may begin there. So cutting starts before anything that read the edit, and stops where it meets an
old cut after the edit.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tokviz import Tokenizer
from tokviz.core.lookahead import end_of_certain_cuts
from tokviz.core.named_patterns import ALTERNATIVES
from tokviz.core.pretokens import pretokens, split_at_special_tokens
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

    In pieces: all begin with the same `first`, and only the last one takes old pretokens away. prefixed: the new ones
    that begin with a space which the tokenizer put there, in ascending order.
    """

    first: int
    last: int
    pretokens: list[str]
    starts: np.ndarray
    prefixed: Sequence[int] = ()

    def limited_to_first_pretokens(self, n: int, *, last: int) -> "Recut":
        """Return the first n of the new pretokens, in place of old ones up to `last`."""
        prefixed = [i for i in self.prefixed if i < n]
        return Recut(self.first, last, self.pretokens[:n], self.starts[:n], prefixed)


def can_recut_locally(tokenizer: object) -> bool:
    """Return whether part of a text can be cut again by itself."""
    return isinstance(tokenizer, Tokenizer) and bool(ALTERNATIVES.get(tokenizer.split_pattern))


def local_recuts(
    tokenizer: Tokenizer, special: Collection[str], cuts: np.ndarray, units: bytes, change: Change, end: int
) -> Iterator[Recut]:
    """Yield what an edit does to the pretokens, in pieces that take some 10 ms each.

    special: the special tokens that are recognised. cuts: where the old pretokens begin, in units, and where the last
    one ends. units: the new text, of which only the part up to `end` counts; its tokenizer changes nothing in it, but
    may put spaces before it and after special tokens.
    """
    ahead = READ_AHEAD + max((len(name.encode("utf-16-le")) // 2 for name in special), default=0)
    first = _last_index_with_unaffected_start(tokenizer, cuts, units, change.start - ahead)
    begin, reach, size = int(cuts[first]), WINDOW, PIECE
    before = decoded_units(units, int(cuts[first - 1]), begin) if first else None
    while True:
        stop = min(whole_character_stop(units, min(change.new_stop + reach, begin + size, end)), end)
        text = decoded_units(units, begin, stop)
        found, starts, prefixed, offsets = _pretokens_and_places_of_stretch(
            tokenizer, special, text, begin, stop, before
        )
        new = Recut(first, len(cuts) - 1, found, starts, prefixed)
        # Near the end of the window it is not known whether the text after it would move cuts.
        known = end_of_certain_cuts(text, max(len(text) - ahead, 0), tokenizer.split_pattern)
        certain = len(found) if stop == end else int(np.searchsorted(offsets, known))
        candidates = int(np.searchsorted(starts, change.new_stop))
        wanted = starts[candidates:certain] - change.shift
        places = np.searchsorted(cuts, wanted)
        is_met = cuts[places] == wanted
        if tokenizer.normalizer.prefix and len(wanted):
            # Whether there is a space in front depends on what is before, so that must be the same as well.
            is_met = np.append(False, is_met[1:] & is_met[:-1] & (np.diff(places) == 1))
        met = np.flatnonzero(is_met)
        if len(met):
            yield new.limited_to_first_pretokens(candidates + int(met[0]), last=int(places[met[0]]))
            return
        if stop == end:
            yield new
            return
        if certain > 1:
            yield new.limited_to_first_pretokens(certain - 1, last=first)
            begin, before = int(starts[certain - 1]), found[certain - 2]
        else:
            size *= 4
        if begin + size > change.new_stop + reach:
            reach *= 4


def full_recuts(
    tokenizer: Tokenizer, special: Collection[str], cuts: np.ndarray, units: bytes, end: int
) -> Iterator[Recut]:
    """Yield what becomes of all pretokens, for a split pattern that may look at any of the text; see `local_recuts`."""
    text = decoded_units(units, 0, end)
    found, starts, prefixed, _ = _pretokens_and_places_of_stretch(tokenizer, special, text, 0, end, None)
    n_early = max(len(found) - 1, 0) // PRETOKENS * PRETOKENS
    for n in range(0, n_early + 1, PRETOKENS):
        stop, last = (len(found), len(cuts) - 1) if n == n_early else (n + PRETOKENS, 0)
        yield Recut(0, last, found[n:stop], starts[n:stop], [i - n for i in prefixed if n <= i < stop])


def _pretokens_and_places_of_stretch(
    tokenizer: Tokenizer, special: Collection[str], text: str, begin: int, stop: int, before: str | None
) -> tuple[list[str], np.ndarray, list[int], np.ndarray]:
    """Return what `Recut` says of the pretokens of a stretch of text, and where each begins in its characters.

    begin, stop: of the stretch, in the units of the whole text. before: the pretoken before it, if there is one.
    """
    normalizer, found = tokenizer.normalizer, list[str]()
    prefixed: list[int] = []
    is_first = before is None or (
        normalizer.prefix == "text" and before in special and before not in tokenizer.always_special
    )
    follows_text = before is not None and before not in special
    stretches = normalizer.stretches(
        split_at_special_tokens(text, special), tokenizer.always_special, is_first=is_first
    )
    for stretch, is_special, begins in stretches:
        if is_special:
            found.append(stretch)
        else:
            changed = stretch if follows_text else normalizer.normalized(stretch, is_first=begins)
            if len(changed) > len(stretch):
                prefixed.append(len(found))
            found += pretokens(changed, tokenizer.split_pattern)
        follows_text = False
    lengths = np.fromiter(map(len, found), np.int32, len(found))
    lengths[prefixed] -= 1
    offsets = np.cumsum(lengths, dtype=np.int32) - lengths
    return found, utf16_offsets(text, stop - begin)[offsets] + np.int32(begin), prefixed, offsets


def _last_index_with_unaffected_start(tokenizer: Tokenizer, cuts: np.ndarray, units: bytes, limit: int) -> int:
    """Return the last pretoken before which all cuts depend only on what precedes `limit`."""
    place, size = 0, LOOK_BACK
    while limit > 0:
        begin = max(limit - size, 0)
        text = decoded_units(units, begin, limit)
        read = end_of_certain_cuts(text, len(text), tokenizer.split_pattern)
        if read or not begin:
            place = begin + int(utf16_offsets(text, limit - begin)[read])
            break
        size *= 4
    last = max(int(np.searchsorted(cuts, place, side="right")) - 1, 0)
    return int(np.searchsorted(cuts, cuts[last]))  # a space put there may be a pretoken of its own, with no text


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
