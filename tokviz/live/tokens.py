"""TokenFollower: the tokens of a document under one tokenizer, kept up to date edit by edit.

They are exactly the tokens of encoding the whole text.
"""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from tokviz import Tokenizer, TokenSpans, text_spans, token_spans
from tokviz.live.columns import NO_TOKENS, TokenColumns
from tokviz.live.edit import Change
from tokviz.live.follower import Follower
from tokviz.live.recut import decoded_units

FEW = 1_000  # tokens, which are counted faster without sorting them


class TokenFollower(Follower):
    """A follower with tokens, as of the last `catch_up`.

    occurrences: how often each id occurs in the text. n_characters, n_bytes: the size of the text that is followed.
    """

    tokens: TokenColumns = NO_TOKENS

    def clear(self) -> None:
        """Forget the tokens."""
        self.tokens = NO_TOKENS
        self.occurrences: Counter[int] = Counter()
        self.n_characters = self.n_bytes = 0
        self._spans: TokenSpans | None = None

    def pretoken_data(self, pretokens: list[str], begin: int) -> tuple[TokenColumns, int, int]:
        """Return the tokens of pretokens, and how many characters and bytes they have."""
        tokenizer = self.tokenizer
        assert isinstance(tokenizer, Tokenizer)
        ids: list[int] = []
        known: dict[str, list[int]] = {}
        for pretoken in pretokens:
            if pretoken in self.special:
                known[pretoken] = [tokenizer.special_tokens[pretoken]]
            elif pretoken not in known:
                known[pretoken] = tokenizer.encode_pretoken(pretoken)
            ids += known[pretoken]
        spans = token_spans(tokenizer, np.array(ids, np.int32))
        return TokenColumns.of_spans(spans, begin), sum(map(len, pretokens)), len(spans.data)

    def replace_pretokens(self, first: int, last: int, made: list[tuple[TokenColumns, int, int]], shift: int) -> None:
        """Put tokens in place of the tokens of old pretokens."""
        begin, old_stop = self.cuts[[first, last]].tolist()
        # A pretoken begins with a token, so cuts in the text are cuts between tokens.
        first, last = np.searchsorted(self.tokens.starts, [begin, old_stop]).tolist()
        columns, n_characters, n_bytes = zip(*made, strict=True)
        self.n_characters += sum(n_characters) - len(decoded_units(self.units, begin, old_stop))
        self.n_bytes += sum(n_bytes) - int(self.tokens.sizes[first:last].sum())
        self._spans = None
        self._splice(first, last, TokenColumns.concatenation(columns), shift)

    def process_whole_text(self, text: str, shift: int) -> None:
        """Tokenize a whole text."""
        self._spans = text_spans(self.tokenizer, text, allowed_special=self.special)
        self.n_characters, self.n_bytes = len(text), len(self._spans.data)
        self._splice(0, len(self.tokens), TokenColumns.of_spans(self._spans), shift)

    def _splice(self, first: int, last: int, new: TokenColumns, shift: int) -> None:
        """Put new tokens in place of the old ones first..last-1; later ones move by `shift` units."""
        gone = id_counts(self.tokens.ids[first:last])
        self.tokens = self.tokens.with_replacement(Change(first, last, first + len(new)), new, shift)
        self.occurrences.subtract(gone)
        self.occurrences.update(id_counts(new.ids))
        for token_id in gone:
            if not self.occurrences[token_id]:
                del self.occurrences[token_id]

    def spans(self) -> TokenSpans:
        """Return the tokens with all their offsets."""
        if self._spans is None:
            self._spans = token_spans(self.tokenizer, self.tokens.ids)
        return self._spans


def id_counts(ids: np.ndarray) -> Mapping[int, int]:
    """Return how often each id occurs.

    >>> id_counts(np.array([3, 1, 3]))
    Counter({3: 2, 1: 1})
    """
    if len(ids) < FEW:
        return Counter(ids.tolist())
    values, counts = np.unique(ids, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))
