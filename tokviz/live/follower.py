"""TokenFollower: the tokens of a document under one tokenizer, kept up to date edit by edit.

In: a document and a tokenizer. Out: exactly the tokens that encoding the whole text gives, and which of them changed.
Of byte-level BPE with a named split pattern only the pretokens that an edit can change are cut and encoded again. Of
any other tokenizer nothing is known that would allow this: there the whole text is encoded, and what changed is found
by comparing.
"""

from collections import Counter
from collections.abc import Collection
from itertools import pairwise
from typing import Any

import numpy as np

from tokviz import AnyTokenizer, Tokenizer, TokenSpans, text_spans, token_spans
from tokviz.live.columns import NO_TOKENS, TokenColumns
from tokviz.live.document import Document
from tokviz.live.edit import Change
from tokviz.live.recut import cuts_locally, recut, well_formed_text, whole_characters
from tokviz.live.token_facts import facts_amid, token_facts
from tokviz.vocabulary import allowed_names

# UTF-16 units. Tokenizing so many takes about half a second, and a view that lags more than that feels broken.
FOLLOWED_MAX = 1_000_000
# What takes at most some 5 ms: an edit of so many units of a text of so many.
QUICK_EDIT = 5_000
QUICK_TEXT = 200_000


class TokenFollower:
    """Follows a document; not to be used by two threads at a time.

    tokens: as of the last `follow`. units: the text they are of, up to `units_max`. n_characters, n_bytes: of that
    text. spans: the tokens with all their offsets, of a tokenizer that is not byte-level. problem: words, where the
    text cannot be tokenized; there are no tokens then. changed: the tokens that changed since `news` was asked for.
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
        self.special = frozenset(allowed_names(tokenizer.name, tokenizer.special_tokens, allowed_special))
        self.is_local = cuts_locally(tokenizer)
        self.version = self.sequence = 0
        self._changes = -1  # nothing read yet
        self._told = 0  # what `covered` was when `news` was asked for
        self._forget()

    def _forget(self) -> None:
        self.tokens: TokenColumns = NO_TOKENS
        self.cuts = np.zeros(1, np.int32)  # where each pretoken begins, and where the last one ends
        self.units, self.covered = b"", 0
        self.occurrences: Counter[int] = Counter()
        self.n_characters = self.n_bytes = 0
        self.spans: TokenSpans | None = None
        self.problem: str | None = None
        self.changed: Change | None = None

    @property
    def is_behind(self) -> bool:
        """Whether the document has changed since the last `follow`."""
        return self.document.state.changes != self._changes

    def is_quick(self, *, whole: bool = False) -> bool:
        """Return whether `follow`, and telling what changed or all, takes no more than some 5 ms."""
        state, change = self.document.since(self._changes)
        size = state.length if whole or change is None or self.problem else change.new_stop - change.start
        return self.is_local and size <= QUICK_EDIT and state.length <= QUICK_TEXT

    def follow(self) -> None:
        """Take the text as it is now."""
        state, change = self.document.since(self._changes)
        if state.changes == self._changes:
            return
        self._changes, self.version, self.sequence = state.changes, state.version, state.sequence
        end = whole_characters(state.units, min(state.length, self.units_max))
        if end > self.units_max:
            end -= 2  # the character that goes over it
        whole = Change(0, self.covered, end)
        try:
            if not self.is_local:
                self._take_all(state.units, end)
            else:
                for part in _within(change, self.covered, end) if change and not self.problem else [whole]:
                    self._take(state.units, part)
        except ValueError as e:
            old = len(self.tokens)
            changed = (self.changed or Change(0, 0, 0)).then(Change(0, old, 0))
            self._forget()
            self.problem, self.changed = str(e), changed
        else:
            self.units, self.covered, self.problem = state.units, end, None

    def _take(self, units: bytes, change: Change) -> None:
        """Cut and encode again what a change of the text can have changed."""
        assert isinstance(self.tokenizer, Tokenizer)
        end = self.covered + change.shift
        new = recut(self.tokenizer, self.special, self.cuts, units, change, end)
        ids: list[int] = []
        known: dict[str, list[int]] = {}
        for pretoken in new.pretokens:
            if pretoken not in known:
                is_special = pretoken in self.special
                known[pretoken] = (
                    [self.tokenizer.special_tokens[pretoken]]
                    if is_special
                    else self.tokenizer.encode_pretoken(pretoken)
                )
            ids += known[pretoken]
        begin, old_stop = self.cuts[[new.first, new.last]].tolist()
        spans = token_spans(self.tokenizer, np.array(ids, np.int32))
        old_text = well_formed_text(self.units, begin, old_stop)
        self.n_characters += len(spans.text) - len(old_text)
        self.n_bytes += len(spans.data) - len(old_text.encode())
        # A pretoken begins with a token, so cuts in the text are cuts between tokens.
        first, last = np.searchsorted(self.tokens.starts, [begin, old_stop]).tolist()
        behind = self.cuts[new.last :] + np.int32(change.shift)
        self.cuts = np.concatenate([self.cuts[: new.first], new.starts, behind])
        self._replace(first, last, TokenColumns.of(spans, begin), change.shift)
        self.units, self.covered = units, end

    def _take_all(self, units: bytes, end: int) -> None:
        """Encode the whole text."""
        text = well_formed_text(units, 0, end)
        self.spans = text_spans(self.tokenizer, text, allowed_special=self.special)
        self.n_characters, self.n_bytes = len(text), len(self.spans.data)
        self._replace(0, len(self.tokens), TokenColumns.of(self.spans), end - self.covered)

    def _replace(self, first: int, last: int, new: TokenColumns, shift: int) -> None:
        """Put new tokens in the place of the old ones first..last-1, and note which of them are not the same."""
        old = self.tokens.cut(first, last)
        front, back = old.common_ends(new, shift)
        old, new = old.cut(front, len(old) - back), new.cut(front, len(new) - back)
        change = Change(first + front, last - back, first + front + len(new))
        self.tokens = self.tokens.replaced(change, new, shift)
        self.occurrences.subtract(old.ids.tolist())
        self.occurrences.update(new.ids.tolist())
        for token_id in {*old.ids.tolist()}:
            if not self.occurrences[token_id]:
                del self.occurrences[token_id]
        self.changed = change if self.changed is None else self.changed.then(change)

    def news(self) -> tuple[Change, int]:
        """Return which tokens have changed since this was last asked, and how far those behind them have moved."""
        news = self.changed or Change(0, 0, 0), self.covered - self._told
        self.changed, self._told = None, self.covered
        return news

    def facts(self, token: int) -> dict[str, Any]:
        """Return what the inspector says of a token; ValueError where the split pattern does not end."""
        tokenizer = self.tokenizer
        if not self.is_local:
            spans = self.spans
            assert spans is not None
            return token_facts(tokenizer, spans, token, allowed_special=self.special)
        assert isinstance(tokenizer, Tokenizer)
        own = int(np.searchsorted(self.cuts, self.tokens.starts[token], side="right")) - 1
        cuts = self.cuts[max(own - 1, 0) : own + 4]
        pretokens = [well_formed_text(self.units, *ends) for ends in pairwise(cuts.tolist())]
        first, last = np.searchsorted(self.tokens.starts, cuts[[0, -1]]).tolist()
        parts = [(pretoken, pretoken in self.special) for pretoken in pretokens]
        return facts_amid(tokenizer, parts, self.tokens.ids[first:last], token - first)


def _within(change: Change, old_end: int, end: int) -> list[Change]:
    """Return a change of a text as changes of its beginning, which ended at `old_end` and now ends at `end`.

    >>> _within(Change(2, 2, 3), 10, 11), _within(Change(2, 2, 3), 10, 10)
    ([Change(start=2, old_stop=2, new_stop=3)], [Change(start=2, old_stop=2, new_stop=3), \
Change(start=10, old_stop=11, new_stop=10)])
    """
    if change.old_stop > old_end or change.new_stop > end:
        start = min(change.start, old_end, end)
        return [Change(start, old_end, end)] if start < max(old_end, end) else []
    moved = old_end + change.shift
    rest = Change(min(moved, end), moved, end)
    return [change] if moved == end else [change, rest]
