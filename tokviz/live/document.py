"""Document: a text on view, edited in a browser, read and replaced by scripts, and followed by views.

Edits are passed on as they come; nothing compares texts to find them. Offsets are UTF-16 units, since that is how a
browser counts, and an edit may cut a surrogate pair in two.
"""

import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from tokviz.live.edit import Change, Edit
from tokviz.live.memory import TEXTS

UNITS_MAX = 20_000_000
REMEMBERED = 1_000  # changes; a follower that lags more reads the whole text


class State(NamedTuple):
    """A text at one moment.

    units: UTF-16, little endian, lone surrogates included. changes: how often the text has changed. version: how often
    it was replaced from outside. sequence: how many edits this version has had.
    """

    units: bytes
    changes: int
    version: int
    sequence: int

    @property
    def length(self) -> int:
        """The length of the text in units."""
        return len(self.units) // 2


class FullError(ValueError):
    """A text that would be too long. units: how long it may be now; is_shared: whether other texts leave no room."""

    def __init__(self, length: int, units: int, *, is_shared: bool) -> None:
        words = f"a text has at most {units:,} UTF-16 units, and this one {length:,}"
        if is_shared:
            words = (
                f"this server has no room for a text of {length:,} UTF-16 units: shorten it to {units:,}, or try again "
                "later"
            )
        super().__init__(words)
        self.units, self.is_shared = units, is_shared


class Document:
    """A text that several threads read and change; `changed` is called after every change.

    >>> document = Document("one two")
    >>> document.edit(Edit(4, 3, "2"))
    >>> document.text, document.state_and_change_since(0)[1]
    ('one 2', Change(start=4, old_stop=7, new_stop=5))
    """

    def __init__(self, text: str = "", *, changed: Callable[[], None] = lambda: None) -> None:
        self.lock = threading.RLock()  # hold it to change the text in a way that depends on the state just read
        self.state = State(units_of(text), 0, 1, 0)
        self._memory = TEXTS
        self._counted = [0]  # units, in that memory
        weakref.finalize(self, lambda memory, counted: memory.try_resize(counted[0], 0), self._memory, self._counted)
        self._reserve_length(self.state.length, must=True)
        self._changed = changed
        self._recent: deque[Change] = deque(maxlen=REMEMBERED)
        self._read: tuple[int, str] = (-1, "")  # not as it was given: two surrogates may be one character

    @property
    def text(self) -> str:
        """The text as it is now."""
        state, read = self.state, self._read
        if read[0] != state.changes:
            self._read = read = (state.changes, text_of(state.units))
        return read[1]

    def edit(self, edit: Edit, *, units: bytes | None = None) -> None:
        """Make an edit; ValueError if it does not fit the text, FullError if that would then be too long.

        units: the units of what it inserts, where they are known.
        """
        start, removed, inserted = edit
        added = units_of(inserted) if units is None else units
        with self.lock:
            old, changes, version, sequence = self.state
            stop = start + removed
            if not 0 <= start <= stop <= len(old) // 2:
                raise ValueError(f"an edit of {start} to {stop} does not fit a text of {len(old) // 2} UTF-16 units")
            self._reserve_length(len(old) // 2 - removed + len(added) // 2)
            new = b"".join([memoryview(old)[: 2 * start], added, memoryview(old)[2 * stop :]])
            self._recent.append(Change(start, stop, start + len(added) // 2))
            self.state = State(new, changes + 1, version, sequence + 1)
        self._changed()

    def set_text(self, text: str, *, must: bool = False) -> None:
        """Replace the text from outside; an equal text changes nothing.

        FullError if it is too long; other texts count only unless it must be held.
        """
        units = units_of(text)
        with self.lock:
            if units == self.state.units:
                return
            self._reserve_length(len(units) // 2, must=must)
            self._recent.clear()
            self.state = State(units, self.state.changes + 1, self.state.version + 1, 0)
        self._changed()

    def _reserve_length(self, length: int, *, must: bool = False) -> None:
        """Count the text at a new length; FullError if it may not have that."""
        if length > UNITS_MAX and length > self._counted[0]:
            raise FullError(length, UNITS_MAX, is_shared=False)
        if not self._memory.try_resize(self._counted[0], length, must=must):
            raise FullError(length, min(self._memory.max_grown_length(self._counted[0]), UNITS_MAX), is_shared=True)
        self._counted[0] = length

    def state_and_change_since(self, changes: int) -> tuple[State, Change | None]:
        """Return the current state, and what has changed since that many changes; None if anything may have."""
        with self.lock:
            state, missed = self.state, self.state.changes - changes
            if not 0 <= missed <= len(self._recent):
                return state, None
            change = Change(0, 0, 0)
            for i, each in enumerate(self._recent[-n] for n in range(missed, 0, -1)):
                change = change.combined_with(each) if i else each
            return state, change


def units_of(text: str) -> bytes:
    """Return the UTF-16 units of a text, lone surrogates included."""
    return text.encode("utf-16-le", "surrogatepass")


def text_of(units: bytes) -> str:
    """Return the text of UTF-16 units, lone surrogates included."""
    return units.decode("utf-16-le", "surrogatepass")


def first_characters(units: bytes, n_characters: int) -> str:
    """Return the first characters of a text, lone surrogates included.

    >>> first_characters(units_of("a😀b"), 2)
    'a😀'
    """
    return text_of(units[: 4 * n_characters])[:n_characters]
