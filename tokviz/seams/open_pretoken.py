"""The tokens of a pretoken that may still grow, worked out again only near its end.

Two facts about byte pair encoding make that exact (both are tested). A merge never looks beyond the two tokens it
joins, so if a token ends at a place in an encoding, what is before that place is encoded as if it were alone. And
tokens in a row are an encoding if, and only if, each two neighbours are: both stay as they are where they are encoded
together. So an encoding is taken up again at any token end behind which the first new token does not touch the last old
one. See "Formalizing BPE Tokenization" (Berglund and van der Merwe 2023), and the crate `bpe` of github/rust-gems.

Most tokenizers take a pretoken that is a token as a whole, whatever the merges say; so
`shared_end_and_later_encoded_ends` asks for that first.
"""

from bisect import bisect_right
from contextlib import suppress
from functools import cached_property
from itertools import accumulate, pairwise

from tokviz.core import bpe
from tokviz.core.tokenizer import Tokenizer

LONG = 40  # bytes, from which tiktoken is worth asking


class OpenPretoken:
    """What is known of a pretoken so far: its bytes, and where the merges alone end tokens in it.

    >>> import tokviz
    >>> pretoken = OpenPretoken(tokviz.load("gpt2"), " understan")
    >>> pretoken.ends, pretoken.shared_end_and_later_ends(b" understand"), pretoken.shared_end_and_later_ends(b" und")
    ([6, 10], (0, [11]), (0, [4]))
    """

    def __init__(self, tokenizer: Tokenizer, text: str) -> None:
        self.data, self._ranks, self._tokenizer = text.encode(), tokenizer.mergeable_ranks, tokenizer
        self.ends = list(accumulate(map(len, self._tokens(self.data))))

    def _tokens(self, data: bytes) -> list[bytes]:
        """Return the tokens that the merges make of bytes, which may end within a character."""
        if len(data) >= LONG and data not in self._ranks:
            with suppress(UnicodeDecodeError):
                return self._tokenizer.tokens_bytes(self._tokenizer.encode_pretoken(data.decode()))
        return bpe.tokens(data, self._ranks)

    @cached_property
    def spans(self) -> frozenset[tuple[int, int]]:
        """Where each token starts and ends, to look it up."""
        return frozenset(pairwise((0, *self.ends)))

    @property
    def encoded_ends(self) -> list[int]:
        """Where tokens end if this is all of the pretoken."""
        return [len(self.data)] if self._needs_whole_text(self.data) else self.ends

    def _needs_whole_text(self, data: bytes) -> bool:
        return self._tokenizer.takes_whole and data in self._ranks

    def token_before(self, place: int) -> bytes:
        """Return the token that ends at one of `ends`, no bytes for 0."""
        i = bisect_right(self.ends, place) - 1
        return self.data[self.ends[i - 1] if i > 0 else 0 : place]

    def shared_end_and_later_ends(self, data: bytes) -> tuple[int, list[int]]:
        """Return where the merges end tokens in bytes that begin as these do, or are their beginning.

        A pair: a place up to which the ends are the same, and the ends after it.
        """
        i = bisect_right(self.ends, min(len(data), len(self.data)))
        step = 1
        while True:
            place = self.ends[i - 1] if i > 0 else 0
            if place == len(data):
                return place, []
            found = self._tokens(data[place:])
            if not place or self.stay_apart(self.token_before(place), found[0]):
                return place, list(accumulate(map(len, found), initial=place))[1:]
            i, step = i - step, 2 * step

    def shared_end_and_later_encoded_ends(self, data: bytes) -> tuple[int, list[int]]:
        """Return where tokens end in a whole pretoken that begins as this one does, as `shared_end_and_later_ends`."""
        return (0, [len(data)]) if self._needs_whole_text(data) else self.shared_end_and_later_ends(data)

    def stay_apart(self, left: bytes, right: bytes) -> bool:
        """Return whether two tokens can be neighbours in an encoding."""
        return self._tokens(left + right) == [left, right]
