"""OrderedRanks: ids of tokens whose merges have an order of their own, and may begin with characters.

In tiktoken's vocabularies a token's id is also the rank of its merge. In SentencePiece's the scores order the merges
(Kudo and Richardson 2018), in a tokenizer.json a list does, and merging begins with the characters that are tokens:
only the other characters become bytes, which nothing merges.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

FROM_START = -2  # in place of a rank: the gap is inside a character or a special token, whole from the start


class OrderedRanks(dict[bytes, int]):
    """The id of each token by its bytes, and the order of the merges apart from the ids.

    order: for each token that a merge makes, its place among the merges from 0 on. Equal ones, whose merges are made
    from the left, all have the last place of theirs. tied: the tokens that have another's place.
    starts_with_characters: whether merging begins with characters. byte_ids: the ids of the 256 bytes, of which those
    of ASCII characters that are tokens themselves are never used; None where a byte has one id.
    """

    def __init__(
        self,
        ids: Mapping[bytes, int],
        merges: Iterable[Sequence[bytes]],
        *,
        starts_with_characters: bool = False,
        byte_ids: Sequence[int] | None = None,
    ) -> None:
        """Keep ids, and the tokens that merges make, in order; those of one sequence are equals.

        >>> ranks = OrderedRanks({b"ab": 0, b"bc": 1, b"cd": 2}, [[b"bc"], [b"ab", b"cd"]])
        >>> ranks.order, ranks.tied
        ({b'bc': 0, b'ab': 2, b'cd': 2}, frozenset({b'ab'}))
        """
        super().__init__(ids)
        self.starts_with_characters = starts_with_characters
        self.byte_ids = None if byte_ids is None else tuple(byte_ids)
        groups = [*merges]
        self.merge_tokens = [*chain.from_iterable(groups)]
        self.order = dict(zip(self.merge_tokens, range(len(self.merge_tokens)), strict=True))
        ties = [group for group in groups if len(group) > 1] if max(map(len, groups), default=0) > 1 else []
        self.order.update((token, self.order[group[-1]]) for group in ties for token in group)
        self.tied = frozenset(token for group in ties for token in group[:-1])

    def with_ids(self, ids: Mapping[bytes, int], new_ids: Mapping[int, int] | None = None) -> "OrderedRanks":
        """Return ranks for other tokens or ids; the merges that make them keep their order.

        new_ids: the new id of each byte by its old one; None if those of the bytes stay.

        >>> ranks = OrderedRanks({b"ab": 0, b"bc": 1}, [[b"bc"], [b"ab"]])
        >>> ranks.with_ids({b"ab": 7}).order
        {b'ab': 0}
        """
        groups: dict[int, list[bytes]] = {}
        for token in self.merge_tokens:
            if token in ids:
                groups.setdefault(self.order[token], []).append(token)
        byte_ids = self.byte_ids
        if byte_ids is not None and new_ids is not None:
            byte_ids = tuple(new_ids[old] for old in byte_ids)
        return OrderedRanks(ids, groups.values(), starts_with_characters=self.starts_with_characters, byte_ids=byte_ids)

    def merge_tokens_with_ties_broken(self) -> list[bytes]:
        """Return the tokens that merges make in order, of equals the longest first, so that a run grows from the left.

        >>> OrderedRanks({}, [[b"aa", b"aaa"], [b"bb"]]).merge_tokens_with_ties_broken()
        [b'aaa', b'aa', b'bb']
        """
        if not self.tied:
            return self.merge_tokens
        return sorted(self.merge_tokens, key=lambda token: (self.order[token], -len(token)))

    def is_symbol(self, token: bytes) -> bool:
        """Return whether merging can begin with this token: a byte, or where it begins with characters, a character."""
        return len(token) == 1 or (self.starts_with_characters and len(token) == n_bytes_of_character(token[0]))

    def symbol_ends(self, piece: bytes) -> list[int]:
        """Return where the tokens end that merging begins with, in bytes of a piece that is UTF-8."""
        if not self.starts_with_characters:
            return [*range(1, len(piece) + 1)]
        ends: list[int] = []
        at, n = 0, len(piece)
        while at < n:
            stop = at + n_bytes_of_character(piece[at])
            at = stop if stop <= n and piece[at:stop] in self else at + 1
            ends.append(at)
        return ends

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OrderedRanks):
            return False
        facts = (self.order, self.starts_with_characters, self.byte_ids)
        return facts == (other.order, other.starts_with_characters, other.byte_ids) and dict.__eq__(self, other)

    __hash__ = None  # type: ignore[assignment]  # as of any dict


def n_bytes_of_character(lead: int) -> int:
    """Return how many bytes a character of UTF-8 has that begins with this byte; 1 for a byte that begins none.

    >>> n_bytes_of_character("é".encode()[0]), n_bytes_of_character("é".encode()[1])
    (2, 1)
    """
    return 1 if lead < 0xC0 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def symbol_ends(piece: bytes, ranks: Mapping[bytes, int]) -> list[int]:
    """Return where the tokens end that merging begins with, in bytes of a piece.

    >>> symbol_ends("né".encode(), {}), symbol_ends("né".encode(), OrderedRanks({"é".encode(): 5}, [],
    ...     starts_with_characters=True))
    ([1, 2, 3], [1, 3])
    """
    return ranks.symbol_ends(piece) if isinstance(ranks, OrderedRanks) else [*range(1, len(piece) + 1)]
