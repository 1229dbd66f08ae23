"""Engine: pieces of text into ids, and ids into bytes, by tiktoken, which lets other threads run meanwhile.

A text is cut by `pretokens`, with a timeout, and tiktoken merges each pretoken. It takes up to half a second to make
ready, so the first pretokens are merged without it. Under a pattern whose cut is proven to be tiktoken's own
(tests/core/test_engine.py), tiktoken cuts and merges in one call once there has been enough text to pay for that.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import tiktoken

from tokviz.core import bpe
from tokviz.core.cut_places import is_divisible
from tokviz.core.ordered_ranks import OrderedRanks, n_bytes_of_character
from tokviz.core.patterns import short_repr, single_pattern
from tokviz.core.pretokens import pretokens, well_formed_text

_UNKNOWN, _REACHED, _UNREACHED = 0, 1, 2


class EngineRanks:
    """A table for tiktoken and its ids turned into those of the tokenizer.

    tiktoken begins with bytes, merges in the order of ids, and takes a pretoken whole that is in its table. Where a
    tokenizer does otherwise, the bytes of a character are merged before anything else, by way of the beginnings of
    characters, then come the merges in their order. What is left of a beginning becomes bytes again.

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


# tiktoken's regular expressions run out of stack at a million characters of white space; these leave three quarters.
LONGEST_PART = 2**18
MERGES_AFTER = 2**13  # bytes of pretokens, after which it pays for itself to merge; they take a tenth of a second here
CUTS_AFTER = 2**16  # characters, after which it pays for itself: with o200k, 146 ms and 40 MB
# Stands between short texts that tiktoken is given together. Without any special token, tiktoken stops at every
# character to look for one; where this one is not allowed, it is plain text.
_BETWEEN = "<|between texts|>"


class Engine:
    """What encodes and decodes for one split pattern and one set of mergeable ranks; both are checked already.

    takes_whole is as in `Tokenizer`.

    >>> engine = Engine("gpt2", {bytes([i]): i for i in range(256)} | {b"ab": 256})
    >>> engine.ids("ab b").tolist(), engine.decode_bytes([256, 98])
    ([256, 32, 98], b'abb')
    """

    def __init__(self, split_pattern: str, mergeable_ranks: dict[bytes, int], *, takes_whole: bool = True) -> None:
        self.split_pattern, self._n_before, self._n_merged = split_pattern, 0, 0
        self._mergeable_ranks, self._takes_whole = mergeable_ranks, takes_whole

    @cached_property
    def _ranks(self) -> EngineRanks:
        return EngineRanks(self._mergeable_ranks, takes_whole=self._takes_whole)

    @cached_property
    def _merging_encoding(self) -> tiktoken.Encoding:
        # What it is given is one pretoken, as a whole.
        return tiktoken.Encoding("pretokens", pat_str="(?s:.+)", mergeable_ranks=self._ranks.table, special_tokens={})

    @cached_property
    def _cutting_encoding(self) -> tiktoken.Encoding:
        pattern, ranks = single_pattern(self.split_pattern), self._ranks.table
        special_tokens = {_BETWEEN: max(ranks.values()) + 1}
        return tiktoken.Encoding("texts", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special_tokens)

    def pretoken_ids(self, pretoken: str) -> list[int]:
        """Return the ids of a pretoken, which is not cut again; ValueError if it cannot be encoded."""
        if self._n_merged < MERGES_AFTER:
            piece = well_formed_text(pretoken).encode()
            self._n_merged += len(piece)
            if self._n_merged < MERGES_AFTER:
                ranks = self._mergeable_ranks
                is_whole = self._takes_whole and piece in ranks
                return [ranks[token] for token in ([piece] if is_whole else bpe.tokens(piece, ranks)) if token]
        try:
            ids = self._merging_encoding.encode_ordinary(pretoken)
        except BaseException as e:
            # A panic in Rust arrives as a BaseException; anything else of that kind is not ours.
            if isinstance(e, (KeyboardInterrupt, SystemExit, GeneratorExit)):
                raise
            piece = pretoken.encode()
            raise ValueError(f"the pretoken {short_repr(piece)} of {len(piece):,} bytes cannot be encoded: {e}") from e
        return ids if self._ranks.is_same else self._ranks.tokenizer_ids(np.array(ids, np.uint32)).tolist()

    def ids(self, part: str) -> np.ndarray:
        """Return the ids of a part of a text, uint32; ValueError where the split pattern does not end.

        The part has no lone surrogates. That of a proven pattern is as `safely_cut_parts` gives it.
        """
        cuts = is_divisible(self.split_pattern) and self._n_before >= CUTS_AFTER and len(part) <= LONGEST_PART
        self._n_before += len(part)
        if cuts:
            # A copy, since the memory of tiktoken must not be written to.
            found: np.ndarray = self._cutting_encoding.encode_to_numpy(part, disallowed_special=())
            return self._ranks.tokenizer_ids(found).copy()
        cut = pretokens(part, self.split_pattern)
        ids_of = {pretoken: self.pretoken_ids(pretoken) for pretoken in dict.fromkeys(cut)}
        return np.array([token_id for pretoken in cut for token_id in ids_of[pretoken]], np.uint32)

    def ids_of_each(self, parts: Sequence[str]) -> list[np.ndarray]:
        """Return the ids of each part, as `ids`, in arrays not to be written into.

        tiktoken is given short ones together, so that it takes most of the time, and other threads run meanwhile.
        """
        joined = _BETWEEN.join(parts)
        if (
            not is_divisible(self.split_pattern)
            or self._n_before < CUTS_AFTER
            or len(joined) > LONGEST_PART
            or joined.count(_BETWEEN) != len(parts) - 1
        ):
            return [self.ids(part) for part in parts]
        self._n_before += len(joined)
        ids = self._cutting_encoding.encode_to_numpy(joined, allowed_special={_BETWEEN}, disallowed_special=())
        ends = np.flatnonzero(ids == self._cutting_encoding.encode_single_token(_BETWEEN)).tolist()
        bounds = zip([0, *(end + 1 for end in ends)], [*ends, len(ids)], strict=True)
        return [self._ranks.tokenizer_ids(ids[begin:end]) for begin, end in bounds]

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """Return the bytes of the tokens joined; KeyError, OverflowError or TypeError for what is not in the ranks."""
        if not self._ranks.is_same:
            raise KeyError("its ids are not those of tiktoken")
        return self._merging_encoding.decode_bytes(ids)
