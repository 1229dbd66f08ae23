"""HiddenMarks: what hides in a text that is edited, looked for again only around each edit.

Offsets are UTF-16 units. A browser gets the marks as gaps and widths, so that an edit changes one number of those
behind it.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from tokviz.formats.pretrained import short_name
from tokviz.live.columns import packed_numbers
from tokviz.live.document import State, units_of
from tokviz.live.edit import Change, change_between
from tokviz.live.follower import QUICK_EDIT
from tokviz.live.recut import decoded_units
from tokviz.live.tokens import TokenFollower
from tokviz.system.thread_turns import yield_turn
from tokviz.text.hidden_text import KINDS, LOOK_ALIKE, NOT_NFC, STACK, hidden, without_hidden
from tokviz.text.invisible import BIDI, CONTROL, SELECTOR, TAG, ZERO_WIDTH

UNITS_MAX = 1_000_000  # of a text that is looked through; half a second of Thai
COSTED_MAX = 100_000  # units of a text whose tokens are counted without what hides; a key waits a quarter of a second
MESSAGES_MAX, MESSAGE_MAX = 3, 200  # messages sent, and characters of each
PIECE = 20_000  # units looked through at a time
NEAR = 400  # units: what is further away in a line decides nothing
REACH = 1_000  # units in which a place is looked for where words and graphemes end
IS_END, IS_PLAIN, LOOKS_FAR = (np.zeros(2**16, bool) for _ in range(3))  # of UTF-16 units
IS_END[[ord(character) for character in " \n,.、。，"]] = True  # each begins a grapheme, and is in no word
IS_PLAIN[[9, 10, 13, *range(32, 127)]] = True  # in which nothing hides
LOOKS_FAR[[0x200E, 0x200F, 0x061C]] = True  # marks that depend on the line around them
NAMES = {
    TAG: ("tag character", "tag characters"),
    SELECTOR: ("variation selector", "variation selectors"),
    ZERO_WIDTH: ("zero-width character", "zero-width characters"),
    BIDI: ("bidirectional control", "bidirectional controls"),
    CONTROL: ("control character", "control characters"),
    LOOK_ALIKE: ("look-alike letter", "look-alike letters"),
    STACK: ("stack of marks", "stacks of marks"),
    NOT_NFC: ("character not in normal form C", "characters not in normal form C"),
}
_KINDS = list(KINDS)


class MarkInUnits(NamedTuple):
    """One mark: where it is, in units, the number of its kind, how many things of that kind it is, what it spells."""

    start: int
    end: int
    kind: int
    number: int
    message: str | None


class HiddenMarks:
    """What hides in a text, as of the last `update`. is_too_long: whether the text was not looked through.

    >>> marks = HiddenMarks.of_text("pass\\u200bword")
    >>> marks.starts.tolist(), marks.n_hidden_things_by_kind()
    ([4], {'zero width': 1})
    """

    def __init__(self) -> None:
        self.is_too_long = False
        self._sent: tuple[np.ndarray, dict[str, Any]] | None = None
        self._clear()

    @classmethod
    def of_text(cls, text: str) -> "HiddenMarks":
        """Return what hides in a text that is not edited."""
        marks = cls()
        marks.update(units_of(text))
        return marks

    def _clear(self) -> None:
        self.starts = self.ends = self.kinds = self.numbers = np.zeros(0, np.int32)
        self.messages: list[str | None] = []
        self._length = 0  # of the text that was followed

    def __len__(self) -> int:
        return len(self.starts)

    def update(self, units: bytes, change: Change | None = None) -> None:
        """Take a text as it is now, and what has changed of it since the last call; None if anything may have."""
        length = len(units) // 2
        was_too_long, self.is_too_long = self.is_too_long, length > UNITS_MAX
        if change is None or was_too_long or self.is_too_long:
            self._clear()
            change = Change(0, 0, length)
        if not self.is_too_long and change != Change(change.start, change.start, change.start):
            begin, stop = self._stretch_affected_by(np.frombuffer(units, np.uint16), change)
            found = list(_marks_beginning_in_stretch(units, begin, stop))
            first = int(np.searchsorted(self.starts, begin))
            last = int(np.searchsorted(self.starts, stop - change.shift))
            self._splice(first, last, found, change.shift)
        self._length = length

    def _stretch_affected_by(self, text: np.ndarray, change: Change) -> tuple[int, int]:
        """Return the stretch of the text in which a change can make or unmake marks."""
        near = NEAR if LOOKS_FAR[text[max(change.start - NEAR, 0) : change.new_stop + NEAR]].any() else 1
        begin, stop = (
            _break_or_limit_at_or_before(text, change.start - near),
            _break_or_limit_at_or_after(text, change.new_stop + near),
        )
        first = int(np.searchsorted(self.ends, begin, side="right"))
        if first < len(self) and self.starts[first] < begin:
            begin = _break_or_limit_at_or_before(text, int(self.starts[first]))
        last = int(np.searchsorted(self.starts, stop - change.shift)) - 1
        if last >= 0 and self.ends[last] > max(stop - change.shift, change.old_stop):
            stop = _break_or_limit_at_or_after(text, int(self.ends[last]) + change.shift)
        return begin, stop

    def _splice(self, first: int, last: int, found: list[MarkInUnits], shift: int) -> None:
        """Put marks in place of the old ones first..last-1; later ones move by `shift` units."""
        made = np.array([mark[:4] for mark in found], np.int32).reshape(-1, 4).T
        columns = zip((self.starts, self.ends, self.kinds, self.numbers), made, (shift, shift, 0, 0), strict=True)
        self.starts, self.ends, self.kinds, self.numbers = (
            np.concatenate([old[:first], new, old[last:] + np.int32(moved)]) for old, new, moved in columns
        )
        self.messages[first:last] = [mark.message for mark in found]

    def n_hidden_things_by_kind(self) -> dict[str, int]:
        """Return how much hides of each kind: letters, graphemes, stacks, or invisible characters."""
        totals = np.bincount(self.kinds, weights=self.numbers, minlength=len(_KINDS)).astype(int)
        return {kind: int(n) for kind, n in zip(_KINDS, totals, strict=True) if n}

    def take_reply_fields(self, followers: Mapping[str, TokenFollower], *, whole: bool) -> dict[str, Any]:
        """Return what a reply about the tokens of followers says of what hides, as `take_update_to_send` does.

        What it costs in a long text is not said: a browser asks for that once typing pauses.
        """
        is_costed = followers and len(self) and self._length <= QUICK_EDIT
        return {
            "hidden": self.take_update_to_send(
                whole=whole, costs=token_costs_of_hidden_text_by_name(followers) if is_costed else ()
            )
        }

    def take_update_to_send(self, *, whole: bool, costs: Iterable[tuple[str, int]] = ()) -> dict[str, Any] | None:
        """Return what to send to the browser: what differs from the last call, None if nothing does.

        costs: how many tokens more the text has for it, with the name of each tokenizer.
        """
        before, said_before = (_NOTHING, {}) if whole or self._sent is None else self._sent
        now, said = self._mark_keys(), self._summary_data(costs) if len(self) else {}
        self._sent = now, said
        if not len(now) and not len(before):
            return None
        change = change_between(before, now)
        if change.start == change.old_stop == change.new_stop and said == said_before:
            return None
        new = slice(change.start, change.new_stop)
        gaps = self.starts - np.append(0, self.ends)[: len(self)]
        return {
            "at": change.start,
            "removed": change.old_stop - change.start,
            "gaps": packed_numbers(gaps[new]),
            "widths": packed_numbers((self.ends - self.starts)[new]),
            "kinds": packed_numbers(self.kinds[new]),
            **{"found": [], "messages": [], "costs": [], "is_long": False, **said},
        }

    def _summary_data(self, costs: Iterable[tuple[str, int]]) -> dict[str, Any]:
        spelled = dict.fromkeys(message for message in self.messages if message)
        return {
            "found": [
                [f"{n:,} {NAMES[kind][n > 1]}", KINDS[kind], _KINDS.index(kind)]
                for kind, n in self.n_hidden_things_by_kind().items()
            ],
            "messages": [shortened_message(message) for message in list(spelled)[:MESSAGES_MAX]],
            "costs": [list(cost) for cost in costs],
            "is_long": QUICK_EDIT < self._length <= COSTED_MAX,
        }

    def _mark_keys(self) -> np.ndarray:
        """Return one number for each mark, which is the same while neither it nor the gap before it changes."""
        gaps = self.starts - np.append(0, self.ends)[: len(self)]
        return (gaps.astype(np.int64) << 32) | ((self.ends - self.starts).astype(np.int64) << 8) | self.kinds


_NOTHING = np.zeros(0, np.int64)


def shortened_message(message: str) -> str:
    """Return a message, or the beginning of a long one.

    >>> shortened_message("obey"), len(shortened_message("a" * 300))
    ('obey', 201)
    """
    return message if len(message) <= MESSAGE_MAX else message[:MESSAGE_MAX] + "…"


def _marks_beginning_in_stretch(units: bytes, begin: int, stop: int) -> Iterator[MarkInUnits]:
    """Yield the marks that begin in a stretch of a text."""
    text = np.frombuffer(units, np.uint16)
    while begin < stop:
        end = min(_break_or_limit_at_or_after(text, begin + PIECE), stop)
        if not IS_PLAIN[text[begin:end]].all():
            yield from _marks_beginning_in_piece(units, text, begin, end)
        begin = end
        yield_turn()


def _marks_beginning_in_piece(units: bytes, text: np.ndarray, begin: int, end: int) -> Iterator[MarkInUnits]:
    """Yield the marks that begin in a short stretch of a text, as the text around it has them."""
    is_far = LOOKS_FAR[text[begin:end]].any()
    origin = begin if IS_END[text[begin]] and not is_far else _break_or_limit_at_or_before(text, begin - NEAR)
    stop = (
        end if end == len(text) or (IS_END[text[end]] and not is_far) else _break_or_limit_at_or_after(text, end + NEAR)
    )
    for mark in hidden(decoded_units(units, origin, stop)):
        if begin <= mark.utf16_start + origin < end:
            number = 1 if mark.kind in (STACK, NOT_NFC) else len(mark.text)
            kind = _KINDS.index(mark.kind)
            yield MarkInUnits(mark.utf16_start + origin, mark.utf16_end + origin, kind, number, mark.message)


def _break_or_limit_at_or_before(text: np.ndarray, at: int) -> int:
    """Return the last place up to `at` where a word and a grapheme end; where none is near, one far away."""
    begin = max(at - REACH, 0)
    places = np.flatnonzero(IS_END[text[begin : max(at + 1, 0)]])
    return begin + int(places[-1]) if len(places) else begin


def _break_or_limit_at_or_after(text: np.ndarray, at: int) -> int:
    """Return the first place from `at` on where a word and a grapheme end; where none is near, one far away."""
    places = np.flatnonzero(IS_END[text[at : at + REACH]])
    return at + int(places[0]) if len(places) else min(at + REACH, len(text))


def token_costs_of_hidden_text_by_name(followers: Mapping[str, TokenFollower]) -> Iterator[tuple[str, int]]:
    """Yield how many tokens more the text of followers has for what hides in it, by short names of tokenizers.

    One that cannot say is left out; so are all of a very long text.
    """
    units = next(iter(followers.values())).units
    if len(units) // 2 > COSTED_MAX:
        return
    without = without_hidden(decoded_units(units, 0, len(units) // 2))
    for name, follower in followers.items():
        if not follower.problem and not follower.is_cut_short:
            with suppress(ValueError):
                yield (
                    short_name(name),
                    len(follower.tokens) - len(follower.tokenizer.encode(without, allowed_special=follower.special)),
                )


def answer_about_hidden_text(
    question: Mapping[str, Any], state: State, followers: Mapping[str, TokenFollower]
) -> dict[str, Any]:
    """Return what hides costs in the text of followers, for `{"costs": true}`, or that text without it, and its state.

    Raises ValueError for a text that is not looked through.
    """
    named = {"state": [state.version, state.sequence]}
    if "costs" in question:
        return {"costs": [list(cost) for cost in token_costs_of_hidden_text_by_name(followers)], **named}
    if state.length > UNITS_MAX:
        raise ValueError(f"a text of {state.length:,} UTF-16 units is not looked through for what hides in it")
    text = decoded_units(state.units, 0, state.length)
    return {"without": without_hidden(text), **named}


def is_about_hidden_text(question: Mapping[str, Any]) -> bool:
    """Return whether a question is one for `answer_about_hidden_text`."""
    return "costs" in question or "without" in question
