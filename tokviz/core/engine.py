"""Engine: pieces of text into ids, and ids into bytes, by tiktoken, which lets other threads run meanwhile.

A text is cut by `pretokens`, with a timeout, and tiktoken merges each pretoken. It takes up to half a second to make
ready, so the first pretokens are merged without it. Under a pattern whose cut is proven to be tiktoken's own
(tests/core/test_engine.py), tiktoken cuts and merges in one call once there has been enough text to pay for that.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
import tiktoken

from tokviz.core import bpe
from tokviz.core.cut_places import is_divisible, safely_cut_parts
from tokviz.core.engine_ranks import EngineRanks
from tokviz.core.patterns import short_repr, single_pattern
from tokviz.core.pretokens import pretokens, well_formed_text

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
        self._pattern, self._n_before, self._n_merged = split_pattern, 0, 0
        self._mergeable_ranks, self._takes_whole = mergeable_ranks, takes_whole

    @cached_property
    def _ranks(self) -> EngineRanks:
        return EngineRanks(self._mergeable_ranks, takes_whole=self._takes_whole)

    @property
    def lets_others_run(self) -> bool:
        """Whether other threads run while it encodes much: while tiktoken cuts, but not Python."""
        return is_divisible(self._pattern)

    @cached_property
    def _merging_encoding(self) -> tiktoken.Encoding:
        # What it is given is one pretoken, as a whole.
        return tiktoken.Encoding("pretokens", pat_str="(?s:.+)", mergeable_ranks=self._ranks.table, special_tokens={})

    @cached_property
    def _cutting_encoding(self) -> tiktoken.Encoding:
        special_tokens = {_BETWEEN: self._id_between_texts}
        pattern, ranks = single_pattern(self._pattern), self._ranks.table
        return tiktoken.Encoding("texts", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special_tokens)

    @cached_property
    def _id_between_texts(self) -> int:
        return max(self._ranks.table.values()) + 1

    def pretoken_ids(self, pretoken: str) -> list[int]:
        """Return the ids of a pretoken, which is not cut again; ValueError if it cannot be encoded."""
        if self._n_merged < MERGES_AFTER:
            piece = well_formed_text(pretoken).encode()
            self._n_merged += len(piece)
            if self._n_merged < MERGES_AFTER:
                return self._ids_merged_here(piece)
        try:
            ids = self._merging_encoding.encode_ordinary(pretoken)
        except BaseException as e:
            # A panic in Rust arrives as a BaseException; anything else of that kind is not ours.
            if isinstance(e, (KeyboardInterrupt, SystemExit, GeneratorExit)):
                raise
            piece = pretoken.encode()
            raise ValueError(f"the pretoken {short_repr(piece)} of {len(piece):,} bytes cannot be encoded: {e}") from e
        return ids if self._ranks.is_same else self._ranks.tokenizer_ids(np.array(ids, np.uint32)).tolist()

    def _ids_merged_here(self, piece: bytes) -> list[int]:
        ranks = self._mergeable_ranks
        is_whole = self._takes_whole and piece in ranks
        return [ranks[token] for token in ([piece] if is_whole else bpe.tokens(piece, ranks))] if piece else []

    def parts(self, text: str) -> Iterator[str]:
        """Yield a text in parts whose ids, one part after the other, are those of the text."""
        return safely_cut_parts(text, self._pattern) if is_divisible(self._pattern) else iter([text] if text else [])

    def ids(self, part: str) -> np.ndarray:
        """Return the ids of a part of a text, uint32; ValueError where the split pattern does not end.

        The part has no lone surrogates. That of a proven pattern is as `parts` gives it.
        """
        cuts = is_divisible(self._pattern) and self._n_before >= CUTS_AFTER and len(part) <= LONGEST_PART
        self._n_before += len(part)
        if cuts:
            # A copy, since the memory of tiktoken must not be written to.
            found: np.ndarray = self._cutting_encoding.encode_to_numpy(part, disallowed_special=())
            return self._ranks.tokenizer_ids(found).copy()
        ids: list[int] = []
        known: dict[str, list[int]] = {}
        for pretoken in pretokens(part, self._pattern):
            pretoken_ids = known.get(pretoken)
            if pretoken_ids is None:
                pretoken_ids = known[pretoken] = self.pretoken_ids(pretoken)
            ids += pretoken_ids
        return np.array(ids, np.uint32)

    def ids_of_each(self, parts: Sequence[str]) -> list[np.ndarray]:
        """Return the ids of each part, as `ids`, in arrays not to be written into.

        tiktoken is given short ones together, so that it takes most of the time, and other threads run meanwhile.
        """
        joined = _BETWEEN.join(parts)
        if (
            not self.lets_others_run
            or self._n_before < CUTS_AFTER
            or len(joined) > LONGEST_PART
            or joined.count(_BETWEEN) != len(parts) - 1
        ):
            return [self.ids(part) for part in parts]
        self._n_before += len(joined)
        ids = self._cutting_encoding.encode_to_numpy(joined, allowed_special={_BETWEEN}, disallowed_special=())
        ends = np.flatnonzero(ids == self._id_between_texts).tolist()
        bounds = zip([0, *(end + 1 for end in ends)], [*ends, len(ids)], strict=True)
        return [self._ranks.tokenizer_ids(ids[begin:end]) for begin, end in bounds]

    def decode_bytes(self, ids: Sequence[int]) -> bytes:
        """Return the bytes of the tokens joined; KeyError, OverflowError or TypeError for what is not in the ranks."""
        if not self._ranks.is_same:
            raise KeyError("its ids are not those of tiktoken")
        return self._merging_encoding.decode_bytes(ids)
