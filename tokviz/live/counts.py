"""How many tokens a document has under other tokenizers than the one on view, of a long text counted in pieces."""

from typing import Any

import numpy as np

from tokviz import AnyTokenizer, Tokenizer
from tokviz.live.document import Document
from tokviz.live.follower import QUICK_EDIT, Follower, StateAndChange
from tokviz.live.memory import FOLLOWED_MAX
from tokviz.live.recut import Recut
from tokviz.live.tokens import TokenFollower

PIECE = 50_000  # UTF-16 units. Counting as many takes at most about 50 ms.


class CountFollower(Follower):
    """A follower with the number of tokens of each pretoken, as of the last `catch_up`.

    Special tokens are plain text. Of a long text it follows the beginning, further with every `count_more`.
    """

    def __init__(self, document: Document, tokenizer: AnyTokenizer) -> None:
        super().__init__(document, tokenizer, units_max=PIECE)

    def clear(self) -> None:
        """Forget the numbers."""
        self.counts = np.zeros(0, np.int32)

    @property
    def is_behind(self) -> bool:
        """Whether some of the text, as it is now, is not counted."""
        state, change = self.state_and_change()
        is_short = self.units_max < min(state.length, FOLLOWED_MAX)
        return change is None or state.changes != self.followed_changes or (is_short and self.problem is None)

    def n_uncounted_units(self) -> int:
        """Return how many units of the text, as it is now, are not counted."""
        latest = self.state_and_change()
        return min(latest[0].length, FOLLOWED_MAX) - self._n_units_still_counted(latest) if self.is_behind else 0

    def can_finish_in_one_step(self) -> bool:
        """Return whether one `count_more` counts all that is left."""
        return self.document.state.length <= PIECE or self.n_uncounted_units() <= QUICK_EDIT

    def count_more(self) -> None:
        """Count the text as it is now, or a piece more of it; all of it at once where it cannot be cut in pieces."""
        latest = self.state_and_change()
        in_pieces = self.is_local and not self.is_whole
        self.units_max = min(self._n_units_still_counted(latest) + PIECE, FOLLOWED_MAX) if in_pieces else FOLLOWED_MAX
        self.catch_up(latest)

    def _n_units_still_counted(self, latest: StateAndChange) -> int:
        """Return how many units from the beginning need not be counted again, but for a short edit among them."""
        change = latest[1]
        if change is None or self.problem is not None or not self.is_local:
            return 0
        is_long = change.new_stop - change.start > QUICK_EDIT or change.old_stop > self.covered
        return min(change.start, self.covered) if is_long else self.covered + change.shift

    def data_for_new_pretokens(self, new: Recut) -> np.ndarray:
        """Return the number of tokens of each pretoken."""
        assert isinstance(self.tokenizer, Tokenizer)
        encode = self.tokenizer.encode_pretoken
        known = {pretoken: 1 if pretoken in self.special else len(encode(pretoken)) for pretoken in {*new.pretokens}}
        return np.fromiter(map(known.__getitem__, new.pretokens), np.int32, len(new.pretokens))

    def replace_data_of_pretokens(self, first: int, last: int, made: list[np.ndarray], shift: int) -> None:
        """Put numbers in place of the numbers of old pretokens."""
        self.counts = np.concatenate([self.counts[:first], *made, self.counts[last:]])

    def process_whole_text(self, text: str) -> None:
        """Count a whole text."""
        self.counts = np.array([self.tokenizer.count(text)], np.int32)


class OtherCounts:
    """The numbers for the tokenizers that a page names beside its own.

    waits: whether one of them cannot tokenize the text for now.
    """

    def __init__(self, own: TokenFollower, counted: tuple[tuple[str, AnyTokenizer], ...]) -> None:
        self.own = own
        self.followers = {
            name: None if each is own.tokenizer and not own.special else CountFollower(own.document, each)
            for name, each in counted
        }
        self.has_news = False  # whether a number has come since they were sent
        self.waits = False

    @property
    def first_behind(self) -> CountFollower | None:
        """The first follower that has some of the text to count."""
        return next((each for each in self.followers.values() if each and each.is_behind), None)

    def is_update_quick(self) -> bool:
        """Return whether `updated_counts_data` takes at most about 5 ms."""
        return all(
            each.n_uncounted_units() <= QUICK_EDIT or not each.can_finish_in_one_step()
            for each in self.followers.values()
            if each
        )

    def count_more_of_first_behind(self) -> None:
        """Count a piece more under the first tokenizer that is behind."""
        if follower := self.first_behind:
            follower.count_more()
            self.has_news |= not follower.is_behind

    def updated_counts_data(self) -> dict[str, Any]:
        """Return the number of tokens under each tokenizer, and in words why there is none under some."""
        counts, counting, problems = [], [], []
        self.has_news = self.waits = False
        for name, follower in self.followers.items():
            if follower and follower.can_finish_in_one_step():
                follower.count_more()
            self.waits |= bool(follower and follower.waits)
            if follower and follower.is_behind:
                counting.append(name)
            elif problem := (follower or self.own).problem:
                problems.append(f"{name}: {problem}.")
            else:
                counts.append([name, int(follower.counts.sum()) if follower else len(self.own.tokens)])
        if counting:
            problems.append(f"{', '.join(counting)}: still counting.")
        return {"counted": counts, "uncounted": " ".join(problems) or None}
