"""HistoryFollower: the merge history of a document, kept up to date edit by edit.

It holds exactly what `tokviz.trace` gives for the whole text. Only pretokens that an edit can change are traced again.
"""

import numpy as np

from tokviz import MergeTrace, Tokenizer
from tokviz.core.bpe import NEVER
from tokviz.core.trace import pieces_trace
from tokviz.live.follower import Follower


class HistoryFollower(Follower):
    """A follower with a history, as of the last `follow`.

    data: the text in UTF-8. gaps: for each byte the rank that closes the gap after it, as in `MergeTrace`. sizes: the
    size of each pretoken in bytes. is_special: for each pretoken, whether it is a special token.
    """

    data: bytes = b""
    sizes: np.ndarray = np.zeros(0, np.int32)

    def clear(self) -> None:
        """Forget the history."""
        self.data, self.gaps = b"", np.zeros(0, np.int32)
        self.sizes, self.is_special = np.zeros(0, np.int32), np.zeros(0, bool)

    def made_of(self, pretokens: list[str], begin: int) -> MergeTrace:
        """Return the history of pretokens."""
        assert isinstance(self.tokenizer, Tokenizer)
        return pieces_trace(self.tokenizer, [(pretoken.encode(), pretoken in self.special) for pretoken in pretokens])

    def replace(self, first: int, last: int, made: list[MergeTrace], shift: int) -> None:
        """Put histories in place of that of old pretokens."""
        begin, stop = int(self.sizes[:first].sum()), int(self.sizes[:last].sum())
        data = b"".join(new.data for new in made)
        sizes = [np.diff(new.pretoken_ends, prepend=np.int32(0)) for new in made]
        are_special = [np.isin(new.pretoken_ends, list(new.special_ends)) for new in made]
        gaps = [np.append(new.gaps, np.int32(NEVER)) for new in made if new.data]
        self.data = b"".join([self.data[:begin], data, self.data[stop:]])
        self.gaps = np.concatenate([self.gaps[:begin], *gaps, self.gaps[stop:]])
        self.sizes = np.concatenate([self.sizes[:first], *sizes, self.sizes[last:]])
        self.is_special = np.concatenate([self.is_special[:first], *are_special, self.is_special[last:]])

    def trace(self) -> MergeTrace:
        """Return the history of the whole text."""
        assert isinstance(self.tokenizer, Tokenizer)
        ends = np.cumsum(self.sizes, dtype=np.int32)
        return MergeTrace(self.tokenizer, self.data, self.gaps[:-1], ends, frozenset(ends[self.is_special].tolist()))
