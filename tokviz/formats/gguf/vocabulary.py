"""The tokens of a GGUF file with their types, scores and merges, checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tokviz.core.bpe import check_tokens_within_limits
from tokviz.core.patterns import short_repr

KEY = "tokenizer.ggml."
# Types of tokens, with the numbers that SentencePiece gives them too.
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)


@dataclass(frozen=True)
class GGUFVocabulary:
    """What a GGUF file says about its tokenizer; `values` has the rest under its keys.

    tokens: by id. types: of each token. scores: of each, or none. merges: two tokens with a space between. named: the
    ids of BOS, EOS and the like by "bos", "eos", …. charsmap: SentencePiece's rules for normalising, as bytes.
    """

    model: str
    tokens: list[str]
    types: list[int]
    scores: list[float]
    merges: list[str]
    charsmap: list[int]
    named: Mapping[str, int]
    values: Mapping[str, Any]

    def option(self, key: str, default: bool) -> bool:
        """Return a setting that is true or false."""
        return bool(self.values.get(f"{KEY}{key}", default))


def gguf_vocabulary(values: Mapping[str, Any]) -> GGUFVocabulary:
    """Return what the key-value pairs of a GGUF file say about its tokenizer.

    Raises ValueError for a file that has none, or a damaged one.

    >>> values = {"tokenizer.ggml.model": "llama", "tokenizer.ggml.tokens": ["<unk>", "a"]}
    >>> gguf_vocabulary(values | {"tokenizer.ggml.unknown_token_id": 0}).types
    [2, 1]
    """
    model = values.get(f"{KEY}model")
    if model is None:
        raise ValueError(
            "a GGUF file without a tokenizer, such as an adapter, a projector or a later part of a model; "
            "open the model itself, or its first part"
        )
    tokens = _list_of_type_or_empty(values, "tokens", str)
    if not tokens:
        raise ValueError("damaged: it has no tokens")
    check_tokens_within_limits(tokens)
    named = {
        key.removeprefix(KEY).removesuffix("_token_id"): value
        for key, value in values.items()
        if key.startswith(KEY) and key.endswith("_token_id") and isinstance(value, int) and 0 <= value < len(tokens)
    }
    types = _list_of_type_or_empty(values, "token_type", int)
    if not types:  # as in files of 2023
        types = [NORMAL] * len(tokens)
        for role, token_id in named.items():
            types[token_id] = UNKNOWN if role == "unknown" else CONTROL
    scores = _list_of_type_or_empty(values, "scores", float)
    for what, found in (("types", types), ("scores", scores or tokens)):
        if len(found) != len(tokens):
            raise ValueError(f"damaged: it has {len(tokens):,} tokens, but {len(found):,} {what}")
    merges = _list_of_type_or_empty(values, "merges", str)
    charsmap = _list_of_type_or_empty(values, "precompiled_charsmap", int)
    return GGUFVocabulary(str(model), tokens, types, scores, merges, charsmap, named, values)


def _list_of_type_or_empty(values: Mapping[str, Any], key: str, type_: type) -> list[Any]:
    found = values.get(f"{KEY}{key}", [])
    if not isinstance(found, list) or not all(type(one) is type_ for one in found):
        raise ValueError(f"damaged: {KEY}{key} is {short_repr(found, 40)}, not a list of {type_.__name__}")
    return found
