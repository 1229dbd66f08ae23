"""Vocabulary: the tokens of a tokenizer, their ids, and the merges that make them.

It knows no text: turning one into ids is the job of `Tokenizer`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from operator import index
from typing import SupportsIndex, cast

import numpy as np

from tokviz.core import bpe
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.patterns import short_repr

NEVER_IN_UTF8 = frozenset((0xC0, 0xC1, *range(0xF5, 0x100)))
SPECIAL_CHARACTERS_MAX = 1_000_000  # in total; tokenizers in use have some ten thousand


class UnknownTokenError(ValueError, KeyError):
    """An id without a token: an unsuitable value, and a key that is not there."""

    def __str__(self) -> str:
        """Return the message; a KeyError would quote it."""
        return str(self.args[0])


class Vocabulary:
    """Tokens with their ids and merges; `name` is a label that errors use.

    >>> vocabulary = Vocabulary("toy", bpe.ranks_from_merges([(97, 97)]), {"<end>": 300})
    >>> vocabulary.tokens_bytes([256, 300]), vocabulary.merge_pair(0), vocabulary.n_vocab
    ([b'aa', b'<end>'], (b'a', b'a'), 301)
    """

    unknown_id = None  # every byte of UTF-8 is a token, so no text is unknown
    reason = None  # its merges are known

    def __init__(
        self,
        name: str,
        mergeable_ranks: Mapping[bytes, int],
        special_tokens: Mapping[str, int] | None = None,
    ) -> None:
        """Check and keep tokens and ids.

        Raises ValueError for ranks that lack a byte of UTF-8, an empty special token, and an id given twice.
        """
        self.name = name
        self.mergeable_ranks: dict[bytes, int] = (
            mergeable_ranks if isinstance(mergeable_ranks, OrderedRanks) else dict(mergeable_ranks)
        )
        self.special_tokens = dict(special_tokens or {})
        missing = [i for i, token_id in enumerate(self.single_byte_ids) if token_id < 0 and i not in NEVER_IN_UTF8]
        if missing:
            raise ValueError(
                f"the vocabulary lacks the byte {missing[0]} (and {len(missing) - 1} more): "
                "BPE of any text needs all 243 of UTF-8"
            )
        if "" in self.special_tokens:
            raise ValueError(f"the special token with the id {self.special_tokens['']} is empty: give it a text")
        n_characters = sum(map(len, self.special_tokens))
        if n_characters > SPECIAL_CHARACTERS_MAX:
            raise ValueError(
                f"the special tokens have {n_characters:,} characters in total; at most {SPECIAL_CHARACTERS_MAX:,} are "
                "allowed"
            )
        if len(self._token_bytes) < len(self.unused_bytes) + len(self.mergeable_ranks) + len(self.special_tokens):
            self._refuse_repeated_ids()

    def _refuse_repeated_ids(self) -> None:
        """Raise ValueError that names the first id given twice."""
        seen: dict[int, object] = {}
        unused = ((byte, token_id) for token_id, byte in self.unused_bytes.items())
        for token, token_id in [*self.mergeable_ranks.items(), *unused, *self.special_tokens.items()]:
            if token_id in seen:
                raise ValueError(
                    f"id {token_id} is given to {seen[token_id]!r} and to {token!r}: each token "
                    "needs its own id, special tokens one outside the vocabulary"
                )
            seen[token_id] = token

    @property
    def kind(self) -> str:
        """The family, in a few words."""
        return "BPE with byte fallback" if self.starts_with_characters else "byte-level BPE"

    @property
    def starts_with_characters(self) -> bool:
        """Whether merging begins with characters, and with bytes only of those that are not tokens."""
        return isinstance(self.mergeable_ranks, OrderedRanks) and self.mergeable_ranks.starts_with_characters

    @cached_property
    def single_byte_ids(self) -> list[int]:
        """The id of each of the 256 bytes as a token; -1 for those that UTF-8 never has, where they are none."""
        return [self.mergeable_ranks.get(bytes([i]), -1) for i in range(256)]

    @cached_property
    def unused_bytes(self) -> dict[int, bytes]:
        """The bytes whose characters are tokens themselves, by their ids: no text becomes these."""
        ranks = self.mergeable_ranks
        byte_ids = ranks.byte_ids if isinstance(ranks, OrderedRanks) else None
        return {i: bytes([byte]) for byte, i in enumerate(byte_ids or ()) if ranks[bytes([byte])] != i}

    def __contains__(self, token_id: object) -> bool:
        """Whether this is the id of a token."""
        return token_id in self._token_bytes

    @property
    def n_vocab(self) -> int:
        """The highest id plus one, special tokens included, as in tiktoken."""
        return max(self._token_bytes) + 1

    @cached_property
    def merge_tokens(self) -> list[bytes]:
        """The tokens that merges make, or that are only taken whole, in rank order; `merge_ids` are their ids."""
        ranks = self.mergeable_ranks
        if not isinstance(ranks, OrderedRanks):
            return sorted((token for token in ranks if len(token) > 1), key=ranks.__getitem__)
        rest = (token for token in ranks.keys() - ranks.order.keys() if not ranks.is_symbol(token))
        return [*ranks.merge_tokens, *sorted(rest, key=ranks.__getitem__)]

    @cached_property
    def merge_ids(self) -> np.ndarray:
        """The id that each merge makes, int32: merge_ids[k] is made by merge k."""
        return np.array([self.mergeable_ranks[token] for token in self.merge_tokens], np.int32)

    @cached_property
    def _order_of_ids(self) -> np.ndarray | None:
        """The merges in the order of their ids; None if they are made in that order."""
        return np.argsort(self.merge_ids) if isinstance(self.mergeable_ranks, OrderedRanks) else None

    @cached_property
    def merges(self) -> list[bpe.Pair]:
        """The merges as pairs of (left id, right id) in rank order, recovered from the ranks.

        The first use takes about half a second for 100,000 merges. Tokens that no merge makes are left out.
        """
        return bpe.merges_from_ranks(self.mergeable_ranks, self.merge_tokens)

    @cached_property
    def unmerged(self) -> frozenset[bytes]:
        """The tokens of more than one byte that no merge makes; the first use takes as long as that of `merges`."""
        token_of = {token_id: token for token, token_id in self.mergeable_ranks.items()}
        made = {token_of[left] + token_of[right] for left, right in self.merges}
        return frozenset(made ^ {*self.merge_tokens})

    def merge_pair(self, rank: int) -> tuple[bytes, bytes] | None:
        """Return the two tokens that the merge of this rank joins, without recovering the others.

        None for a token that no merge makes, but that is taken whole, if anything.
        """
        return bpe.parents(self.merge_tokens[rank], self.mergeable_ranks)

    def merge_rank(self, token_id: int) -> int | None:
        """Return the rank of the merge that makes a token, None for a byte or a special token."""
        place = int(np.searchsorted(self.merge_ids, token_id, sorter=self._order_of_ids))
        if place == len(self.merge_ids):
            return None
        rank = place if self._order_of_ids is None else int(self._order_of_ids[place])
        return rank if self.merge_ids[rank] == token_id else None

    def pair_rank(self, left: bytes, right: bytes) -> int | None:
        """Return the rank of the merge that would join two tokens, None if the vocabulary has none."""
        token_id = self.mergeable_ranks.get(left + right)
        return None if token_id is None else self.merge_rank(token_id)

    @property
    def ordinary_tokens(self) -> dict[int, bytes]:
        """The bytes of each token that is not special, by its id; the `unused_bytes` are among them."""
        return {token_id: token for token, token_id in self.mergeable_ranks.items()} | self.unused_bytes

    @cached_property
    def _token_bytes(self) -> dict[int, bytes]:
        return self.ordinary_tokens | {i: special.encode() for special, i in self.special_tokens.items()}

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of a token.

        Raises UnknownTokenError for an id that is not in the vocabulary, ValueError for anything but an integer.
        """
        return self.tokens_bytes([token_id])[0]

    def tokens_bytes(self, ids: Iterable[int]) -> list[bytes]:
        """Return the bytes of each token; errors as in `token_bytes`."""
        table = self._token_bytes
        ids = ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
        try:
            if bool in set(map(type, ids)):
                raise TypeError
            return [table[index(i)] for i in ids]
        except (KeyError, TypeError):
            raise self._id_error(ids) from None

    def _id_error(self, ids: Sequence[object]) -> Exception:
        """Return the error that names the first id that is unknown or not an integer."""
        for place, token_id in enumerate(ids):
            if isinstance(token_id, bool) or not hasattr(token_id, "__index__"):
                return ValueError(f"{short_repr(token_id)} (number {place}) is not a token id: expected an integer")
            if index(cast(SupportsIndex, token_id)) not in self._token_bytes:
                return unknown_id_error(self.name, token_id, self._token_bytes, place=place)
        raise AssertionError("all ids are known")

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Return the bytes of the tokens joined; errors as in `token_bytes`."""
        return b"".join(self.tokens_bytes(ids))


def unknown_id_error(
    name: str, token_id: object, ids: Collection[int], *, place: int | None = None
) -> UnknownTokenError:
    """Return the error for an id that is not among a tokenizer's `ids`; `place` is its number in a list.

    It names the lowest and the highest id, or the neighbours where the ids have a gap.

    >>> unknown_id_error("toy", 3, [0, 1, 5])
    UnknownTokenError('toy has no token 3; the ids next to it are 1 and 5')
    >>> unknown_id_error("toy", 6, [0, 1, 5], place=2)
    UnknownTokenError('toy has no token 6 (number 2); ids run from 0 to 5')
    """
    number = "" if place is None else f" (number {place})"
    wanted = index(cast(SupportsIndex, token_id)) if hasattr(token_id, "__index__") else -1
    below = [i for i in ids if i < wanted]
    if below and len(below) < len(ids):
        known = f"the ids next to it are {max(below)} and {min(i for i in ids if i > wanted)}"
    else:
        known = f"ids run from {min(ids, default=0)} to {max(ids, default=-1)}"
    return UnknownTokenError(f"{name} has no token {short_repr(token_id)}{number}; {known}")
