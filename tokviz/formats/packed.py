"""The tokenizers that come with tokviz, each in few bytes: rules in JSON, tokens as lengths and bytes, all under xz.

One that is not a `Tokenizer` is a tokenizer.json under xz. tests/bench/shelf.py writes them.
"""

import json
import lzma
from collections.abc import Mapping
from io import BytesIO
from itertools import chain, pairwise
from typing import Any

import numpy as np

from tokviz.core.normalizer import Normalizer
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import Tokenizer

LENGTH, INDEX = np.dtype("<u2"), np.dtype("<u4")  # of a token in bytes, and among the tokens


def packed_rules(data: bytes) -> dict[str, Any]:
    """Return the rules in one of these files, without the tokens."""
    with lzma.open(BytesIO(data)) as file:
        rules: dict[str, Any] = json.loads(file.readline())
    return rules


def tokenizer_in_pack(data: bytes, name: str) -> AnyTokenizer:
    """Return the tokenizer in one of these files, under a name."""
    words, _, rest = lzma.decompress(data).partition(b"\n")
    found = json.loads(words)
    if rest:
        return _unpacked_tokenizer(found, rest, name)
    from tokviz.formats.huggingface.tokenizer import HFTokenizer  # which imports a library that BPE does not need

    return HFTokenizer(name, words, reason=f"its model is {found['model']['type']}, not BPE")


def _unpacked_tokenizer(rules: Mapping[str, Any], rest: bytes, name: str) -> Tokenizer:
    """Return a tokenizer by its rules and tokens, under a name."""
    merges = rules["merges"]
    ids = [*chain.from_iterable(range(first, first + n) for first, n in rules["ids"])]
    lengths = np.frombuffer(rest, LENGTH, len(ids))
    indexes = np.frombuffer(rest, INDEX, merges["n"] if merges else 0, lengths.nbytes).tolist()
    begin = lengths.nbytes + len(indexes) * INDEX.itemsize
    ends = np.cumsum(lengths, dtype=np.int64) + begin
    tokens = [rest[start:end] for start, end in pairwise([begin, *ends.tolist()])]
    ranks = dict(zip(tokens, ids, strict=True))
    if merges:
        made = [tokens[index] for index in indexes]
        ends = merges["ends_of_equals"]
        groups = (made[a:b] for a, b in pairwise([0, *ends])) if ends else zip(made)
        options = {option: merges[option] for option in ("starts_with_characters", "byte_ids")}
        ranks = OrderedRanks(ranks, groups, **options)
    return Tokenizer(
        name,
        rules["split_pattern"],
        ranks,
        rules["special_tokens"],
        rules["always_special"],
        rules["takes_whole"],
        Normalizer(*rules["normalizer"]),
    )
