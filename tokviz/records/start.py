"""The tokenizer that a training continued from, as a part of the trained one's record.

One that ships is its name; of any other the record has all tokens with their ids, which is the same for one that was
trained, opened or extended before.
"""

from collections.abc import Mapping
from typing import Any

from tokviz import Tokenizer, load
from tokviz.core.bpe import check_weights
from tokviz.core.pretokens import well_formed
from tokviz.core.special_tokens import special_ids
from tokviz.formats.pretrained import PRETRAINED
from tokviz.training.training import check_start


def start_record(start: Tokenizer) -> str | dict[str, Any]:
    """Return a tokenizer as plain JSON; its split pattern is that of the trained one, and stands there.

    >>> import tokviz
    >>> start_record(tokviz.load("gpt2"))
    'gpt2'
    """
    if start.name in PRETRAINED:
        return start.name
    ordered = sorted(start.mergeable_ranks.items(), key=lambda item: item[1])
    ids = [token_id for _, token_id in ordered]
    return {
        "name": start.name,
        "tokens": [token.decode("latin-1") for token, _ in ordered],
        "skipped": [later - earlier - 1 for earlier, later in zip([-1, *ids], ids, strict=False)],  # mostly 0
        "special_tokens": start.special_tokens,
        "always_special": sorted(start.always_special),
    }


def start_of_record(record: Any, split_pattern: str) -> Tokenizer:
    """Return the tokenizer of a part of a record; ValueError, KeyError or TypeError for one that is damaged.

    >>> tokenizer = Tokenizer("a", "none", {bytes([i]): 2 * i for i in range(256)}, {"<s>": 9})
    >>> start_of_record(start_record(tokenizer), "none") == tokenizer
    True
    """
    if isinstance(record, str):
        return load(record)
    if not isinstance(record, Mapping):
        raise ValueError("what training began with is neither a name nor a tokenizer")
    tokens = [str(token).encode("latin-1") for token in record["tokens"]]
    check_weights(tokens)
    ranks: dict[bytes, int] = {}
    token_id = -1
    for token, skipped in zip(tokens, record["skipped"], strict=True):
        token_id += 1 + max(int(skipped), 0)
        ranks[token] = token_id
    special = special_ids(record["special_tokens"], first=0)
    always = [*map(str, record.get("always_special", ()))]
    start = Tokenizer(well_formed(str(record["name"])), split_pattern, ranks, special, always)
    check_start(start)
    return start
