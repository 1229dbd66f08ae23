"""Which tokens of a text change when it grows, each with a continuation that changes it.

1. Pretokens. A split pattern reads only so far ahead, so all but the last pretokens are final, and the end of the text
   can be cut in a handful of ways (`tokviz.seams.endings`).
2. Merges in a pretoken that can still grow. Where a longer one has a token that reaches beyond the end of the text,
   that token starts at some byte `a`; what precedes `a` is encoded as if it were alone, and its last token must
   be able to precede the new one (`tokviz.seams.open_pretoken`). So for every `a` only the tokens matter that
   begin with the bytes from `a` to the end. Where none of them can be there, nothing changes what they would change.

Every candidate is tried. A token changes only with a continuation after which it is gone, and it stays only if no
candidate was left. If another token fits but no text with it was found, it counts as one that changes, without a
continuation. `tiktoken.Encoding.encode_with_unstable` lists such candidates too, but begins with the last pretoken.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice, pairwise

from tokviz.core.relatives import n_bytes_of_longest_token, tokens_extending
from tokviz.core.tokenizer import Tokenizer
from tokviz.seams.characters import some_texts_beginning_with
from tokviz.seams.endings import Ending, possible_endings, pretoken_ends
from tokviz.seams.open_pretoken import OpenPretoken

# What may have to follow a new token so that its pretoken goes on as far. Several characters of a kind, since the first
# may merge with that token.
_CLOSERS = (
    "", " a", "\n", "s", "l", "e", "a", "ɐ", "ա", "ꭰ", "𝐚", "ก", "\u0301", "1", "!",
    "\t\n", "\r", "\u3000\n", "\x0b\n", "\t\ta", "\u3000\u3000a", "A", "ω", "€", "ß", "٣",
    "t", "d", "m", "D", "M", "ſ", "ll", "ve", "re", "VE", "/", "</", "\u0e31",
)  # fmt: skip

Span = tuple[int, int]  # where a token starts and ends, in bytes
_SORTED = 500  # tokens, of up to a third of the vocabulary


def changes_by_token_end(
    tokenizer: Tokenizer, text: str, *, is_possible: Callable[[str], bool] = lambda more: True
) -> dict[int, str | None]:
    """Return where the tokens end that may change, in bytes, and what changes each: a text, or None if none was found.

    The text starts with a pretoken, and is normalized. Lone surrogates and special tokens must not be in it.
    is_possible: whether a text that follows is left as it is where both are normalized; only such ones are tried.

    >>> import tokviz
    >>> changes_by_token_end(tokviz.load("gpt2"), "the cat"), changes_by_token_end(tokviz.load("cl100k_base"), "a 123")
    ({7: 'eg'}, {})
    """
    if not text:
        return {}
    search = _Search(tokenizer, text, is_possible)
    for ending in possible_endings(text, tokenizer.split_pattern):
        if after := tuple(filter(is_possible, ending.after)):
            search.try_ending(Ending(ending.cuts, after))
    return dict.fromkeys(search.doubtful) | search.changed


class _Search:
    """The tokens of a text, by where they end: those found to change, and those that may though no text was found."""

    def __init__(self, tokenizer: Tokenizer, text: str, is_possible: Callable[[str], bool]) -> None:
        self._tokenizer, self._text, self._is_possible = tokenizer, text, is_possible
        # What is known of a pretoken, or of its beginning; from one character to another.
        self._open_pretoken = cache(lambda start, stop: OpenPretoken(tokenizer, text[start:stop]))
        self.changed: dict[int, str | None] = {}
        self.doubtful: set[int] = set()
        self._tokens = sorted(self._token_spans(pretoken_ends(text, tokenizer.split_pattern)))
        self._ends = [end for _, end in self._tokens]

    def _byte_offset(self, char: int) -> int:
        return len(self._text[:char].encode())

    def _token_spans(self, cuts: Sequence[int]) -> set[Span]:
        """Return the tokens of whole pretokens, which end at these characters."""
        found: set[Span] = set()
        for start, stop in pairwise((0, *cuts)):
            begin = self._byte_offset(start)
            found.update(
                (begin + a, begin + b) for a, b in pairwise((0, *self._open_pretoken(start, stop).encoded_ends))
            )
        return found

    def _unchanged_tokens(self, start: int) -> list[Span]:
        """Return the tokens that end after a byte and that nothing has changed yet."""
        return [token for token in self._tokens[bisect_right(self._ends, start) :] if token[1] not in self.changed]

    def try_ending(self, ending: Ending) -> None:
        """Find what changes where the text is cut in this way."""
        whole, last = self._token_spans(ending.cuts), (0, *ending.cuts)[-1]
        begin, size = self._byte_offset(last), len(self._text)
        gone = [token for token in self._unchanged_tokens(0) if token[0] < begin and token not in whole]
        self.changed |= {end: ending.after[0] for _, end in gone}
        if last == size:
            return
        pretoken = self._open_pretoken(last, size)
        n_bytes = len(pretoken.data)
        merged = [
            token
            for token in self._unchanged_tokens(begin)
            if (token[0] - begin, token[1] - begin) not in pretoken.spans
        ]
        for start in range(max(n_bytes - n_bytes_of_longest_token(self._tokenizer) + 1, 0), n_bytes + 1):
            fitting = self._tokens_beginning_with(pretoken.data[start:])
            token = next(fitting, None)
            if token is None:
                continue
            same, ends = pretoken.shared_end_and_later_ends(pretoken.data[:start])
            kept = {(begin + a, begin + b) for a, b in pairwise((same, *ends))}
            stake = {token for token in self._unchanged_tokens(begin + same) if token not in kept}
            stake |= {token for token in merged if token[1] <= begin + same and token[1] not in self.changed}
            if stake:
                left = pretoken.data[(same, *ends)[-2] : start] if ends else pretoken.token_before(start)
                self._try_continuations(ending, stake, left, chain([token], fitting), n_bytes - start)

    def _tokens_beginning_with(self, begun: bytes) -> Iterator[bytes]:
        """Yield the tokens that begin with some bytes and are longer, some frequent ones first; no bytes for none."""
        found = tokens_extending(self._tokenizer, begun) if begun else iter([begun])
        yield from sorted(islice(found, _SORTED), key=self._tokenizer.mergeable_ranks.__getitem__) if begun else found
        yield from found

    def _try_continuations(
        self, ending: Ending, stake: set[Span], left: bytes, fitting: Iterable[bytes], n_known: int
    ) -> None:
        """Try tokens that may follow `left`, with their first `n_known` bytes in the text."""
        last, may_follow = (0, *ending.cuts)[-1], False
        closers = _CLOSERS if n_known else (*ending.after, *_CLOSERS)
        for token in fitting:
            if left and token and not self._open_pretoken(last, len(self._text)).stay_apart(left, token):
                continue
            for more in some_texts_beginning_with(token[n_known:]):
                for closer in filter(self._is_possible, filter(None, (more + closer for closer in closers))):
                    kept, reaches = self._kept_test_and_reach_after(closer, last, len(self._text) + len(more))
                    may_follow |= reaches
                    self.changed |= {token[1]: closer for token in stake if not kept(token)}
                    if all(end in self.changed for _, end in stake):
                        return
        if may_follow:
            self.doubtful |= {end for _, end in stake}

    def _kept_test_and_reach_after(self, more: str, last: int, stop: int) -> tuple[Callable[[Span], bool], bool]:
        """Return which tokens are kept where `more` follows, and whether a pretoken reaches from `last` to `stop`."""
        text, size = self._text + more, len(self._text)
        cuts = (0, *pretoken_ends(text, self._tokenizer.split_pattern))
        n_whole = bisect_right(cuts, size)
        whole, start = self._token_spans(cuts[1:n_whole]), cuts[n_whole - 1]
        if start == size:
            return whole.__contains__, False
        pretoken, begin = self._open_pretoken(start, size), self._byte_offset(start)
        same, ends = pretoken.shared_end_and_later_encoded_ends(text[start : cuts[n_whole]].encode())
        new = set(pairwise((same, *ends)))

        def is_kept(token: Span) -> bool:
            place = (token[0] - begin, token[1] - begin)
            return token in whole or place in new or (place[1] <= same and place in pretoken.spans)

        return is_kept, start == last and cuts[n_whole] >= stop
