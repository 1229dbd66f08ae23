"""Trained tokenizers as records of plain JSON, and JSON packed into a short text.

In: what a session holds. Out: what a browser's tab keeps or a link carries; and back, with every
record checked, since a link may come from anyone.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tokviz import Tokenizer, TrainStep, bpe
from tokviz.pair_history import PairHistory

UNPACKED_MAX = 40_000_000  # bytes; the largest text of a link, with room
MERGES_MAX = 100_000
NAME_MAX = 40  # characters
CORPUS_BYTES_MAX = 500_000  # of distinct pretokens; counting the pairs of so many takes about 50 ms


@dataclass(frozen=True)
class Trained:
    """A tokenizer trained in this session, with its steps and the size of its text in bytes.

    counts: the pretoken counts it was trained on, in the order of first occurrence. They are no part of
    the packed record: a tokenizer that comes back from a browser or a link has none.
    """

    tokenizer: Tokenizer
    steps: tuple[TrainStep, ...]
    n_bytes: int
    counts: Mapping[str, int] | None = field(default=None, compare=False, repr=False)

    @cached_property
    def corpus(self) -> PairHistory | None:
        """The pairs of the training text at any step; None where its counts are unknown or too many."""
        if self.counts is None or sum(len(pretoken.encode()) for pretoken in self.counts) > CORPUS_BYTES_MAX:
            return None
        return PairHistory.of_counts(self.counts, self.tokenizer)

    @cached_property
    def packed(self) -> str:
        """The record of this tokenizer, packed."""
        return pack(
            {
                "name": self.tokenizer.name,
                "split_pattern": self.tokenizer.split_pattern,
                "special_tokens": self.tokenizer.special_tokens,
                "pairs": [step.pair for step in self.steps],
                "counts": [step.count for step in self.steps],
                "n_tokens": [step.n_tokens for step in self.steps],
                "n_merges": self.steps[0].n_merges if self.steps else 0,
                "n_bytes": self.n_bytes,
            }
        )


def unpack_trained(packed: str) -> Trained:
    """Return the trained tokenizer of a packed record; ValueError for one that is damaged.

    >>> import tokviz
    >>> steps = tuple(tokviz.train_steps("low lower", vocab_size=258))
    >>> trained = Trained(Tokenizer.from_steps(steps, split_pattern="gpt2", name="low"), steps, 9)
    >>> unpack_trained(trained.packed) == trained
    True
    """
    record = unpack(packed)
    try:
        pairs = [(int(left), int(right)) for left, right in record["pairs"]]
        counts, n_tokens = ([int(n) for n in record[field]] for field in ("counts", "n_tokens"))
        if len(pairs) > MERGES_MAX or not len(pairs) == len(counts) == len(n_tokens):
            raise ValueError("the numbers of pairs and counts differ, or are too many")
        ranks = bpe.ranks_from_merges(pairs)
        made = list(ranks)[256:]
        steps = tuple(
            TrainStep(rank, pair, 256 + rank, token, count, n, int(record["n_merges"]))
            for rank, (pair, token, count, n) in enumerate(zip(pairs, made, counts, n_tokens, strict=True))
        )
        name = str(record["name"])[:NAME_MAX]
        special = {str(token): int(token_id) for token, token_id in record["special_tokens"].items()}
        tokenizer = Tokenizer(name, str(record["split_pattern"]), ranks, special)
        return Trained(tokenizer, steps, int(record["n_bytes"]))
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as e:
        raise ValueError(f"the record of a tokenizer is damaged ({e})") from e


def pack(value: Any) -> str:
    """Return plain JSON as a text that is short and may stand in an address.

    >>> unpack(pack({"text": "ภาษาไทย" * 99})) == {"text": "ภาษาไทย" * 99}
    True
    """
    plain = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return base64.urlsafe_b64encode(zlib.compress(plain, 9)).decode().rstrip("=")


def unpack(packed: str) -> Any:
    """Return what `pack` was given; ValueError for a text that is damaged or unpacks to too much."""
    try:
        squeezed = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        plain = unpacking.decompress(squeezed, UNPACKED_MAX)
        if unpacking.unconsumed_tail or not unpacking.eof:
            raise ValueError("it is cut short, or too large")
        return json.loads(plain.decode("utf-8", "surrogatepass"))
    except (ValueError, binascii.Error, zlib.error, RecursionError) as e:
        raise ValueError(f"what was packed is damaged ({e})") from e
