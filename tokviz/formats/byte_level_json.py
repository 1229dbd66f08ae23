"""A tokenizer.json of byte-level BPE made of parts that another format gives, for the `tokenizers` library to run."""

from collections.abc import Iterable, Mapping
from typing import Any

from tokviz.core.patterns import pattern_name
from tokviz.formats.regex_dialects import BYTE_LEVEL, to_oniguruma

FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}


def added_token(token: str, token_id: int, *, special: bool = True, **flags: bool) -> dict[str, Any]:
    """Return an added token as a tokenizer.json has it; one that is not special always matches.

    >>> added_token("<s>", 1)["special"]
    True
    """
    return {"id": token_id, "content": token, "special": special, **FLAGS, **flags}


def byte_level_spec(
    vocab: Mapping[str, int],
    merges: Iterable[str | tuple[str, str]],
    patterns: tuple[str, ...],
    added_tokens: Iterable[Mapping[str, Any]],
    *,
    ignores_merges: bool = False,
    adds_space: bool = False,
    normalizer: str | None = None,
) -> dict[str, Any]:
    """Return the JSON of a tokenizer.json.

    vocab, merges: in the alphabet of bytes. patterns: regular expressions for Oniguruma that cut a text in turn, or
    none. ignores_merges: whether a pretoken that is a token is taken whole. adds_space: whether a space is put before
    a text. normalizer: NFC or the like.

    >>> byte_level_spec({"a": 0}, [], (), [])["model"]["vocab"]
    {'a': 0}
    """
    is_gpt2 = patterns == (BYTE_LEVEL,)
    byte_level = {"type": "ByteLevel", "add_prefix_space": adds_space, "trim_offsets": False, "use_regex": is_gpt2}
    splits = [
        {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
        for pattern in (() if is_gpt2 else patterns)
    ]
    model = {"type": "BPE", "vocab": dict(vocab), "merges": list(merges), "ignore_merges": ignores_merges}
    return {
        "version": "1.0",
        "added_tokens": list(added_tokens),
        "normalizer": normalizer and {"type": normalizer},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [*splits, byte_level]},
        "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False},
        "model": model,
    }


def oniguruma_patterns(split_pattern: str) -> tuple[str, ...]:
    """Return the patterns for `byte_level_spec` of a split pattern, given by name or as a regular expression.

    Raises ValueError for a pattern that does not compile, or that Oniguruma may read differently.

    >>> oniguruma_patterns("none"), oniguruma_patterns("gpt2") == (BYTE_LEVEL,)
    ((), True)
    """
    name = pattern_name(split_pattern)
    if name == "none":
        return ()
    return (BYTE_LEVEL if name == "gpt2" else to_oniguruma(name),)
