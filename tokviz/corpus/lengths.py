"""How long the documents of a data set are under one tokenizer: exact figures from the counts of their lengths."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

LONGEST = 10  # documents that are named
WINDOW = 8_192  # tokens


@dataclass(frozen=True)
class LongDocument:
    """One of the longest documents: its file, its line, counted from 1, and its tokens."""

    file: str
    line: int
    n_tokens: int


@dataclass(frozen=True)
class Truncation:
    """How many documents have more tokens than a context window, and how many tokens come after it in all of them."""

    n_documents: int
    n_tokens: int


class DatasetTokens:
    """How many tokens documents have, added one by one.

    n_documents, n_tokens: of all documents so far. by_part: the tokens of each part that documents are made of. It
    holds the number of documents of each length, and the places of the longest, whatever the number of documents.

    >>> tokens = DatasetTokens()
    >>> for line, n_tokens in enumerate((3, 1, 4, 1, 5), 1):
    ...     tokens.add_document("a.jsonl", line, {"text": n_tokens})
    >>> tokens.n_tokens, tokens.shortest, tokens.length_percentile(50), tokens.longest
    (14, 1, 3, 5)
    >>> tokens.truncation(3), tokens.longest_documents()[0].line
    (Truncation(n_documents=2, n_tokens=3), 5)
    """

    def __init__(self) -> None:
        self.n_documents = self.n_tokens = 0
        self.by_part: Counter[str] = Counter()
        self._lengths: Counter[int] = Counter()
        self._longest: list[tuple[int, int, str, int]] = []  # in order

    def add_document(self, file: str, line: int, parts: Mapping[str, int]) -> None:
        """Add a document at a place by the tokens of its parts."""
        n_tokens = sum(parts.values())
        self.n_documents += 1
        self.n_tokens += n_tokens
        self._lengths[n_tokens] += 1
        for part, n in parts.items():
            self.by_part[part] += n
        entry = (n_tokens, -self.n_documents, file, line)
        self._longest = sorted([*self._longest, entry], reverse=True)[:LONGEST]

    @property
    def shortest(self) -> int | None:
        """The tokens of the shortest document; None without documents."""
        return min(self._lengths, default=None)

    @property
    def longest(self) -> int | None:
        """The tokens of the longest document; None without documents."""
        return max(self._lengths, default=None)

    def length_percentile(self, percent: int) -> int | None:
        """Return the smallest length, in tokens, that this percentage of the documents do not exceed.

        It is the length of a document: the nearest rank, without interpolation. None without documents.
        """
        rank, seen = max(1, -(-percent * self.n_documents // 100)), 0
        for length in sorted(self._lengths):
            seen += self._lengths[length]
            if seen >= rank:
                return length
        return None

    def truncation(self, window: int) -> Truncation:
        """Return what a context window of this many tokens cuts off the documents; ValueError for less than one."""
        if window < 1:
            raise ValueError(f"a context window must have at least 1 token, not {window}: {WINDOW:,} is usual")
        over = {length: n for length, n in self._lengths.items() if length > window}
        return Truncation(sum(over.values()), sum((length - window) * n for length, n in over.items()))

    def length_histogram(self) -> dict[tuple[int, int], int]:
        """Return how many documents there are in each bin of lengths, from the shortest one's to the longest one's.

        A bin is the pair of its first and last length: 0, 1, 2, 3 to 4, 5 to 8, and so on, each twice as wide as the
        one before, so that no bin reaches across a window of a power of two.
        """
        bins = Counter[int]()
        for length, n in self._lengths.items():
            bins[bin_number(length)] += n
        return {
            length_range_of_bin(number): bins[number]
            for number in range(min(bins, default=0), max(bins, default=-1) + 1)
        }

    def longest_documents(self) -> list[LongDocument]:
        """Return the ten longest documents, the longest first; of two with as many tokens, the first one."""
        return [LongDocument(file, line, n_tokens) for n_tokens, _, file, line in self._longest]


def bin_number(length: int) -> int:
    """Return the number of the bin of a length.

    >>> [bin_number(length) for length in (0, 1, 2, 3, 4, 5, 8, 9)]
    [0, 1, 2, 3, 3, 4, 4, 5]
    """
    return (length - 1).bit_length() + 1 if length else 0


def length_range_of_bin(number: int) -> tuple[int, int]:
    """Return the first and the last length of a bin.

    >>> [length_range_of_bin(number) for number in range(5)]
    [(0, 0), (1, 1), (2, 2), (3, 4), (5, 8)]
    """
    if number < 2:
        return number, number
    last = 2 ** (number - 1)
    return last // 2 + 1, last
