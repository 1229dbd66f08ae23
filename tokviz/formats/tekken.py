"""tekken.json, the byte-level BPE of Mistral's models since 2024.

Special tokens have the first ids, as many as the config says; the id of any other token is that number plus its rank.
The file holds more ranks than are used: those beyond the size of the vocabulary are left out. This is what Tekkenizer
of mistral-common (Apache 2.0) does.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any

from tokviz.core.bpe import TOKENS_MAX, check_tokens_within_limits
from tokviz.core.patterns import as_one_part_pattern, short_repr
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.facts import FACTS
from tokviz.formats.format import Format, Source, is_json, naming
from tokviz.formats.huggingface.tokenizer import parsed_json

_KEYS = re.compile(rb'"(?:default_vocab_size|token_bytes)"\s*+:')  # near the beginning of such a file, and of no other
# The special tokens of files of 2024, which name none.
FIRST_SPECIAL_TOKENS = tuple(FACTS["first_special_tokens"]["tekken"]["special_tokens"])


def tekken_parts(spec: Mapping[str, Any]) -> tuple[str, dict[bytes, int], dict[str, int]]:
    """Return split pattern, ids by token, and special tokens of a parsed tekken.json; ValueError for a damaged one.

    >>> config = {"pattern": ".", "default_vocab_size": 4, "default_num_special_tokens": 2}
    >>> vocab = [{"rank": 0, "token_bytes": "YQ=="}, {"rank": 1, "token_bytes": "Yg=="}]
    >>> tekken_parts({"config": config, "vocab": vocab, "special_tokens": []})
    ('.', {b'a': 2, b'b': 3}, {'<SPECIAL_0>': 0, '<SPECIAL_1>': 1})
    """
    config, vocab = spec.get("config"), spec.get("vocab")
    if not isinstance(config, dict) or not isinstance(vocab, list):
        raise ValueError("damaged: a tekken.json has a config and a vocab")
    n_special, n_vocab = (_config_count(config, key) for key in ("default_num_special_tokens", "default_vocab_size"))
    if n_vocab > min(len(vocab) + n_special, TOKENS_MAX) or n_special > n_vocab:
        raise ValueError(
            f"damaged: its config asks for {n_vocab:,} tokens with {n_special:,} special ones, and it has "
            f"{len(vocab):,}"
        )
    if not isinstance(config.get("pattern"), str):
        raise ValueError("damaged: its config has no split pattern")
    ids: dict[bytes, int] = {}
    for rank, entry in enumerate(vocab[: n_vocab - n_special]):
        token = _token_bytes_of_entry(entry, rank)
        if token in ids:
            before = ids[token] - n_special
            raise ValueError(f"damaged: the token {short_repr(token)} has the ranks {before} and {rank}")
        ids[token] = n_special + rank
    check_tokens_within_limits(ids)
    return as_one_part_pattern(config["pattern"]), ids, _special_token_ids(spec.get("special_tokens"), n_special)


def _config_count(config: Mapping[str, Any], key: str) -> int:
    value = config.get(key)
    if type(value) is not int or value < 0:
        raise ValueError(f"damaged: {key} in its config is {short_repr(value)}, not a number of tokens")
    return value


def _token_bytes_of_entry(entry: Any, rank: int) -> bytes:
    """Return the bytes of an entry of the vocabulary, which must have the rank of its place."""
    try:
        if entry["rank"] == rank and (token := base64.b64decode(entry["token_bytes"], validate=True)):
            return token
    except (TypeError, KeyError, ValueError, binascii.Error):
        pass
    raise ValueError(f"damaged: expected the token of rank {rank} with its token_bytes, not {short_repr(entry)}")


def _special_token_ids(given: Any, n_special: int) -> dict[str, int]:
    """Return special tokens with their ids; those without a name are called <SPECIAL_20> and so on."""
    if not isinstance(given, list | None):
        raise ValueError(f"damaged: its special_tokens are {short_repr(given)}, not a list")
    names = {} if given is not None else dict(enumerate(FIRST_SPECIAL_TOKENS[:n_special]))
    for entry in given or []:
        try:
            rank, token = entry["rank"], entry["token_str"]
        except (TypeError, KeyError):
            rank = token = None
        if type(rank) is not int or not 0 <= rank < n_special or rank in names or not isinstance(token, str):
            raise ValueError(
                f"damaged: expected a special token with its own rank below {n_special:,} and its "
                f"token_str, not {short_repr(entry)}"
            )
        names[rank] = token
    special = {names.get(i, f"<SPECIAL_{i}>"): i for i in range(n_special)}
    if len(special) < n_special:
        raise ValueError("damaged: it has a special token twice")
    return special


def is_tekken(data: bytes) -> bool:
    """Return whether a file begins as a tekken.json does."""
    return is_json(data) and bool(_KEYS.search(data[:5_000]))


def read_tekken(source: Source) -> Tokenizer:
    """Return the tokenizer in a tekken.json; ValueError as in `tekken_parts`."""
    spec = parsed_json(source.data, source.file_name, "a tekken.json")
    with naming(source.file_name):
        return Tokenizer(source.name, *tekken_parts(spec))


TEKKEN = Format("tekken.json", is_tekken, read_tekken, words="a tekken.json", names=("tekken.json",))
