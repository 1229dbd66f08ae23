"""Follower: keeps up with a document edit by edit, pretoken by pretoken.

With a named split pattern, only the pretokens that an edit can change are cut again. An own pattern may look at the
whole text, so all of it is cut again; tokenizers of other families, and those that change the text before they split
it, take the whole text as it is.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from tokviz import AnyTokenizer, Tokenizer
from tokviz.core.special_tokens import recognised_special_names
from tokviz.live.document import Document, State
from tokviz.live.edit import Change
from tokviz.live.memory import FOLLOWED_MAX
from tokviz.live.recut import Recut, can_recut_locally, decoded_units, full_recuts, local_recuts, whole_character_stop
from tokviz.system.sandbox import is_busy_error
from tokviz.system.thread_turns import yield_turn

# An edit of at most this many units, in a text of at most this many, takes at most about 5 ms.
QUICK_EDIT = 5_000
QUICK_TEXT = 200_000

StateAndChange = tuple[State, Change | None]


class Follower(ABC):
    """Follows a document; only one thread may use it at a time.

    units: the text followed, as of the last `catch_up`; only the first `covered` units count. is_whole: whether it was
    taken as a whole, so that `cuts` say nothing. problem: why the text cannot be tokenized, in words; it then counts as
    empty. waits: whether that is only for now. followed_changes: how often the document had changed at the last
    `catch_up`.
    """

    def __init__(
        self,
        document: Document,
        tokenizer: AnyTokenizer,
        *,
        allowed_special: str | Collection[str] = (),
        units_max: int = FOLLOWED_MAX,
    ) -> None:
        self.document, self.tokenizer, self.units_max = document, tokenizer, units_max
        self.special = frozenset(recognised_special_names(tokenizer, allowed_special))
        self.is_local = can_recut_locally(tokenizer)
        self.followed_changes = -1  # nothing read yet
        self.problem: str | None = None
        self.waits = False
        self._reset_to_empty()

    def _reset_to_empty(self) -> None:
        """Follow an empty text."""
        self.is_whole = False
        self.units, self.covered = b"", 0
        self.cuts = np.zeros(1, np.int32)  # where each pretoken begins, and where the last one ends
        self.clear()

    @abstractmethod
    def clear(self) -> None:
        """Forget everything made of the text."""

    @abstractmethod
    def data_for_new_pretokens(self, new: Recut) -> Any:
        """Return what is made of new pretokens, for `replace_data_of_pretokens`."""

    @abstractmethod
    def replace_data_of_pretokens(self, first: int, last: int, made: list[Any], shift: int) -> None:
        """Put what is made of new pretokens in place of what was made of the old ones first..last-1.

        What follows moves by `shift` units; `cuts` are still the old ones, and `units` the old text.
        """

    @abstractmethod
    def process_whole_text(self, text: str) -> None:
        """Take a whole text, for a tokenizer of another family or one that changes the text before it splits it."""

    @property
    def is_cut_short(self) -> bool:
        """Whether only the beginning of the text is followed."""
        return self.problem is None and 2 * self.covered < len(self.units)

    def notice_if_cut_short(self, what: str) -> str | None:
        """Return in words how much of the text `what` goes for, None if all of it is followed."""
        if not self.is_cut_short:
            return None
        n_followed = len(decoded_units(self.units, 0, self.covered))
        n_all = len(decoded_units(self.units, 0, len(self.units) // 2))
        return f"The text has {n_all:,} characters; {what} the first {n_followed:,}."

    def is_catch_up_quick(self, *, whole: bool = False) -> bool:
        """Return whether `catch_up`, and sending what changed (or everything), takes at most about 5 ms."""
        state, change = self.state_and_change()
        is_all = whole or change is None or self.problem or self.is_whole
        size = state.length if is_all or change is None else change.new_stop - change.start
        return self.is_local and size <= QUICK_EDIT and state.length <= QUICK_TEXT

    def state_and_change(self) -> StateAndChange:
        """Return the document as it is now, and what changed in it, for `catch_up`."""
        return self.document.state_and_change_since(self.followed_changes)

    def catch_up(self, latest: StateAndChange | None = None) -> State:
        """Take the document as it is now, or was at an earlier look, and return its state."""
        state, change = latest or self.state_and_change()
        units = state.units
        end = whole_character_stop(units, min(len(units) // 2, self.units_max))
        if end > self.units_max:
            end -= 2  # a character would cross it
        is_there = self.problem is not None or end == self.covered  # `units_max` may have grown
        if state.changes == self.followed_changes and is_there and not self.waits:
            return state
        changes = [Change(0, self.covered, end)]
        if change is not None and self.problem is None:
            changes = _changes_of_beginning(change, self.covered, end)
        try:
            for change in changes:
                self._apply_change(units, change)
            self.problem, self.waits = None, False
        except ValueError as e:
            self.problem, self.waits = str(e), is_busy_error(e)
            self._reset_to_empty()
        self.units, self.followed_changes = units, state.changes
        return state

    def _apply_change(self, units: bytes, change: Change) -> None:
        """Apply a change to the text that is followed."""
        end = self.covered + change.shift
        if self._needs_whole_text(units, end):
            self.process_whole_text(decoded_units(units, 0, end))
            self.is_whole = True
        else:
            assert isinstance(self.tokenizer, Tokenizer)
            if self.is_whole:
                self._reset_to_empty()
                change = Change(0, 0, end)
            if self.is_local:
                pieces = local_recuts(self.tokenizer, self.special, self.cuts, units, change, end)
            else:
                pieces = full_recuts(self.tokenizer, self.special, self.cuts, units, end)
            made, starts = [], []
            for piece in pieces:
                made.append(self.data_for_new_pretokens(piece))
                starts.append(piece.starts)
                yield_turn()
            first, last = piece.first, piece.last
            self.replace_data_of_pretokens(first, last, made, change.shift)
            self.cuts = np.concatenate([self.cuts[:first], *starts, self.cuts[last:] + np.int32(change.shift)])
        self.units, self.covered = units, end

    def _needs_whole_text(self, units: bytes, end: int) -> bool:
        """Return whether no part of the text up to `end` can be tokenized by itself."""
        if not isinstance(self.tokenizer, Tokenizer):
            return True
        normalizer = self.tokenizer.normalizer
        return not normalizer.is_plain and normalizer.changes(decoded_units(units, 0, end))


def catch_up_together(followers: Sequence[Follower]) -> StateAndChange:
    """Bring the followers of one document to one state of it; return that, and what had changed for the first."""
    with followers[0].document.lock:
        latest = [follower.state_and_change() for follower in followers]
    for follower, each in zip(followers, latest, strict=True):
        follower.catch_up(each)
    return latest[0]


def _changes_of_beginning(change: Change, old_end: int, end: int) -> list[Change]:
    """Return a change of a text as changes of its beginning, which used to end at `old_end` and now ends at `end`.

    >>> _changes_of_beginning(Change(2, 2, 3), 10, 11), _changes_of_beginning(Change(2, 2, 3), 10, 10)
    ([Change(start=2, old_stop=2, new_stop=3)], [Change(start=2, old_stop=2, new_stop=3), \
Change(start=10, old_stop=11, new_stop=10)])
    """
    if change.old_stop > old_end or change.new_stop > end:
        start = min(change.start, old_end, end)
        return [Change(start, old_end, end)] if start < max(old_end, end) else []
    moved = old_end + change.shift
    rest = Change(min(moved, end), moved, end)
    return [change] if moved == end else [change, rest]
