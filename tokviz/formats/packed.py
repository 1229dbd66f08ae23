"""The tokenizers that come with tokviz, each in few bytes: rules in JSON, tokens as lengths and bytes, all under xz.

One that is not a `Tokenizer` is a tokenizer.json under xz.
"""

import json
import lzma
from collections.abc import Mapping
from dataclasses import astuple
from io import BytesIO
from itertools import accumulate, chain, groupby, pairwise
from typing import Any

import numpy as np

from tokviz.core.normalizer import Normalizer
from tokviz.core.ordered_ranks import OrderedRanks
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.runs import consecutive_runs
from tokviz.core.tokenizer import Tokenizer

_LENGTH, _INDEX = np.dtype("<u2"), np.dtype("<u4")  # of a token in bytes, and among the tokens


def packed_tokenizer(tokenizer: Tokenizer) -> bytes:
    """Return a tokenizer without its name as bytes. Its tokens have at most 65,535 bytes each; OverflowError otherwise.

    >>> toy = Tokenizer("toy", "gpt2", {bytes([i]): i for i in range(256)} | {b"th": 256}, {"<s>": 257})
    >>> data = packed_tokenizer(toy)
    >>> tokenizer_in_pack(data, "toy") == toy, len(data) < 800
    (True, True)
    """
    ranks = tokenizer.mergeable_ranks
    tokens = sorted(ranks, key=ranks.__getitem__)
    rules: dict[str, Any] = {
        "split_pattern": tokenizer.split_pattern,
        "special_tokens": tokenizer.special_tokens,
        "always_special": sorted(tokenizer.always_special),
        "takes_whole": tokenizer.takes_whole,
        "normalizer": astuple(tokenizer.normalizer),
        "ids": [*consecutive_runs(ranks[token] for token in tokens)],
        "merges": None,
    }
    indexes: list[int] = []
    if isinstance(ranks, OrderedRanks):
        index_of = {token: index for index, token in enumerate(tokens)}
        indexes = [index_of[token] for token in ranks.merge_tokens]
        sizes = [len([*equals]) for _, equals in groupby(ranks.merge_tokens, key=ranks.order.__getitem__)]
        rules["merges"] = {
            "n": len(indexes),
            "ends_of_equals": [*accumulate(sizes)] if len(sizes) < len(indexes) else None,
            "starts_with_characters": ranks.starts_with_characters,
            "byte_ids": ranks.byte_ids,
        }
    lengths = np.array([*map(len, tokens)], _LENGTH).tobytes()
    parts = json.dumps(rules).encode(), b"\n", lengths, np.array(indexes, _INDEX).tobytes(), *tokens
    return lzma.compress(b"".join(parts), preset=9 | lzma.PRESET_EXTREME)


def packed_rules(data: bytes) -> dict[str, Any]:
    """Return the rules in what `packed_tokenizer` made, without the tokens."""
    with lzma.open(BytesIO(data)) as file:
        rules: dict[str, Any] = json.loads(file.readline())
    return rules


def tokenizer_in_pack(data: bytes, name: str) -> AnyTokenizer:
    """Return the tokenizer in one of these files, under a name."""
    words, _, rest = lzma.decompress(data).partition(b"\n")
    found = json.loads(words)
    if rest:
        return unpacked_tokenizer(found, rest, name)
    from tokviz.formats.huggingface.tokenizer import HFTokenizer  # which imports a library that BPE does not need

    return HFTokenizer(name, words, reason=f"its model is {found['model']['type']}, not BPE")


def unpacked_tokenizer(rules: Mapping[str, Any], rest: bytes, name: str) -> Tokenizer:
    """Return a tokenizer by its rules and tokens, as `packed_tokenizer` writes them, under a name."""
    merges = rules["merges"]
    ids = [*chain.from_iterable(range(first, first + n) for first, n in rules["ids"])]
    lengths = np.frombuffer(rest, _LENGTH, len(ids))
    indexes = np.frombuffer(rest, _INDEX, merges["n"] if merges else 0, lengths.nbytes).tolist()
    begin = lengths.nbytes + len(indexes) * _INDEX.itemsize
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
