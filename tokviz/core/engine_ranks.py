"""EngineRanks: the ranks that tiktoken merges by, and what the ids it gives stand for.

tiktoken begins with bytes, merges in the order of ids, and takes a pretoken whole that is in its table. Where a
tokenizer does otherwise, tiktoken gets another table: the bytes of a character are merged before anything else, by way
of the beginnings of characters, then come the merges in their order. What is left of a beginning becomes bytes again.
"""

from collections.abc import Mapping

import numpy as np

from tokviz.core import bpe
from tokviz.core.ordered_ranks import OrderedRanks, n_bytes_of_character

_UNKNOWN, _REACHED, _UNREACHED = 0, 1, 2


class EngineRanks:
    """A table for tiktoken and its ids turned into those of the tokenizer.

    >>> table = EngineRanks({bytes([i]): i for i in range(256)} | {b"aba": 256}, takes_whole=False)
    >>> table.is_same, table.tokenizer_ids(np.array([256, 98], np.uint32)).tolist()
    (False, [97, 98, 97, 98])
    """

    def __init__(self, ranks: dict[bytes, int], *, takes_whole: bool) -> None:
        self._ranks = ranks
        self.is_same = takes_whole and not isinstance(ranks, OrderedRanks)  # then the ids are those of the tokenizer
        if self.is_same:
            self.table = ranks
            return
        beginnings, symbols, made = _character_beginnings_symbols_and_merged_tokens(ranks)
        self._tokens = [*beginnings, *symbols, *made]
        self.table = dict(zip(self._tokens, range(len(self._tokens)), strict=True))
        self._ids: np.ndarray = np.array([ranks.get(token, 0) for token in self._tokens], np.uint32)
        self._state = np.full(len(self._tokens), _REACHED if takes_whole else _UNKNOWN, np.uint8)
        self._state[: len(beginnings)] = _UNREACHED
        self._state[len(beginnings) : len(beginnings) + len(symbols)] = _REACHED
        # The ids that stand in place of what is not reached: of a beginning, those of its bytes.
        self._spelled = {i: [ranks[bytes([byte])] for byte in token] for i, token in enumerate(beginnings)}

    def tokenizer_ids(self, ids: np.ndarray) -> np.ndarray:
        """Return the ids of the tokenizer, uint32, for those that tiktoken gave for a text."""
        if self.is_same or not len(ids):
            return ids
        states = self._state[ids]
        if (states == _UNKNOWN).any():
            for i in np.unique(ids[states == _UNKNOWN]).tolist():
                self._record_whether_reached(i)
            states = self._state[ids]
        wrong = np.flatnonzero(states == _UNREACHED)
        if not len(wrong):
            return np.asarray(self._ids[ids])
        parts: list[np.ndarray] = []
        begin = 0
        for place in wrong.tolist():
            parts += [self._ids[ids[begin:place]], np.array(self._spelled[int(ids[place])], np.uint32)]
            begin = place + 1
        spelled: np.ndarray = np.concatenate([*parts, self._ids[ids[begin:]]])
        return spelled

    def _record_whether_reached(self, i: int) -> None:
        """Find out whether merges lead to a token, which tiktoken gives for a pretoken that equals it in any case."""
        token = self._tokens[i]
        parts = bpe.tokens(token, self._ranks)
        if parts != [token]:
            self._spelled[i] = [self._ranks[part] for part in parts]
        self._state[i] = _REACHED if parts == [token] else _UNREACHED


def _character_beginnings_symbols_and_merged_tokens(
    ranks: Mapping[bytes, int],
) -> tuple[list[bytes], list[bytes], list[bytes]]:
    """Return the beginnings of characters, what merging begins with, and what merges make, in their order."""
    symbols = [bytes([i]) for i in range(256)]
    if not isinstance(ranks, OrderedRanks):
        return [], symbols, sorted((token for token in ranks if len(token) > 1), key=ranks.__getitem__)
    beginnings: dict[bytes, None] = {}
    if ranks.starts_with_characters:
        characters = [token for token in ranks if len(token) > 1 and len(token) == n_bytes_of_character(token[0])]
        symbols += characters
        for size in (2, 3):
            beginnings |= dict.fromkeys(character[:size] for character in characters if len(character) > size)
    return [*beginnings], symbols, ranks.merge_tokens_with_ties_broken()
