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
from tokviz.live.recut import Recut, decoded_units
from tokviz.text.unknown_text import unknown_text_figures

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

    def data_for_new_pretokens(self, new: Recut) -> tuple[TokenColumns, int, int]:
        """Return the tokens of new pretokens, and how many characters and bytes they have in the text."""
        tokenizer = self.tokenizer
        assert isinstance(tokenizer, Tokenizer)
        ids: list[int] = []
        known: dict[str, list[int]] = {}
        firsts: list[int] = []  # the tokens that begin with a space which is not in the text
        prefixed = {*new.prefixed}
        for i, pretoken in enumerate(new.pretokens):
            if i in prefixed:
                firsts.append(len(ids))
            if pretoken in self.special:
                known[pretoken] = [tokenizer.special_tokens[pretoken]]
            elif pretoken not in known:
                known[pretoken] = tokenizer.encode_pretoken(pretoken)
            ids += known[pretoken]
        spans = token_spans(tokenizer, np.array(ids, np.int32))
        columns = TokenColumns.of_spans(spans, int(new.starts[0]) if len(new.starts) else 0)
        n_characters = sum(map(len, new.pretokens)) - len(firsts)
        return columns.without_prefix_spaces(firsts), n_characters, len(spans.data) - len(firsts)

    def replace_data_of_pretokens(
        self, first: int, last: int, made: list[tuple[TokenColumns, int, int]], shift: int
    ) -> None:
        """Put tokens in place of the tokens of old pretokens."""
        begin, old_stop = self.cuts[[first, last]].tolist()
        # A pretoken begins with a token, so cuts in the text are cuts between tokens.
        first, last = np.searchsorted(self.tokens.starts, [begin, old_stop]).tolist()
        columns, n_characters, n_bytes = zip(*made, strict=True)
        self.n_characters += sum(n_characters) - len(decoded_units(self.units, begin, old_stop))
        self.n_bytes += sum(n_bytes) - int(self.tokens.sizes[first:last].sum())
        self._spans = None
        self._splice(first, last, TokenColumns.concatenation(columns), shift)

    def process_whole_text(self, text: str) -> None:
        """Tokenize a whole text."""
        self._spans = text_spans(self.tokenizer, text, allowed_special=self.special)
        self.n_characters, self.n_bytes = len(text), len(self._spans.data)
        self._splice(0, len(self.tokens), TokenColumns.of_spans(self._spans), 0)

    def _splice(self, first: int, last: int, new: TokenColumns, shift: int) -> None:
        """Put new tokens in place of the old ones first..last-1; later ones move by `shift` units."""
        gone = id_counts(self.tokens.ids[first:last])
        self.tokens = self.tokens.with_replacement(Change(first, last, first + len(new)), new, shift)
        self.occurrences.subtract(gone)
        self.occurrences.update(id_counts(new.ids))
        for token_id in gone:
            if not self.occurrences[token_id]:
                del self.occurrences[token_id]

    def normalized_tokens_cuts_and_units(self) -> tuple[TokenColumns, np.ndarray, bytes]:
        """Return the tokens in the text as it is split, where its pretokens begin and the last one ends, and its units.

        Otherwise as `tokens`, `cuts` and `units`, which it returns unless the tokenizer has changed the text.
        """
        assert isinstance(self.tokenizer, Tokenizer)
        if not self.is_whole and not self.tokenizer.normalizer.prefix:
            return self.tokens, self.cuts, self.units
        text = decoded_units(self.units, 0, self.covered)
        units = [piece.encode("utf-16-le") for piece, _ in self.tokenizer.pieces(text, allowed_special=self.special)]
        cuts = np.cumsum([0, *(len(each) // 2 for each in units)], dtype=np.int32)
        columns = TokenColumns.of_spans(token_spans(self.tokenizer, self.tokens.ids))
        return columns, cuts, b"".join(units)

    def tokens_differing_from_text(self) -> dict[int, bytes]:
        """Return the tokens that are not in the text as it was typed, by id; of a tokenizer that may change texts."""
        assert isinstance(self.tokenizer, Tokenizer)
        ids = self.tokens.ids
        if self.is_whole:
            return tokens_differing_from_text(self.tokenizer, self.spans())
        after = np.flatnonzero(np.isin(ids, [self.tokenizer.special_tokens[name] for name in self.special])) + 1
        firsts = [i for i in (0, *after.tolist()) if i < len(ids)] if self.tokenizer.normalizer.prefix else []
        found = dict(zip(ids[firsts].tolist(), self.tokenizer.tokens_bytes(ids[firsts]), strict=True))
        sizes = dict(zip(ids[firsts].tolist(), self.tokens.sizes[firsts].tolist(), strict=True))
        return {i: token for i, token in found.items() if sizes[i] != len(token)}

    def spans(self) -> TokenSpans:
        """Return the tokens with all their offsets."""
        if self._spans is None:
            if isinstance(self.tokenizer, Tokenizer) and self.tokenizer.normalizer.prefix:
                text = decoded_units(self.units, 0, self.covered)
                self._spans = text_spans(self.tokenizer, text, allowed_special=self.special)
            else:
                self._spans = token_spans(self.tokenizer, self.tokens.ids)
        return self._spans

    def notice_if_characters_left_out(self) -> str | None:
        """Return in words how many characters are in no token, not even an unknown one; None if all are in one."""
        if isinstance(self.tokenizer, Tokenizer) or self.tokenizer.unknown_id is not None:
            return None
        found = unknown_text_figures(self.tokenizer, self.spans())
        if not found.n_unknown:
            return None
        verb = "is" if found.n_unknown == 1 else "are"
        return (
            f"{found.n_unknown:,} of {found.n_chars:,} characters, not counting white space, {verb} in no token: "
            "this vocabulary has none for such characters."
        )


def tokens_differing_from_text(tokenizer: Tokenizer, spans: TokenSpans) -> dict[int, bytes]:
    """Return the tokens that are not in the text as it was typed, by id."""
    known = dict(zip(spans.ids.tolist(), tokenizer.tokens_bytes(spans.ids), strict=True))
    places = zip(spans.ids.tolist(), spans.byte_starts.tolist(), spans.byte_ends.tolist(), strict=True)
    return {i: known[i] for i, start, end in places if known[i] != spans.data[start:end]}


def id_counts(ids: np.ndarray) -> Mapping[int, int]:
    """Return how often each id occurs.

    >>> id_counts(np.array([3, 1, 3]))
    Counter({3: 2, 1: 1})
    """
    if len(ids) < FEW:
        return Counter(ids.tolist())
    values, counts = np.unique(ids, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))
