"""Write a byte-level BPE tokenizer as a tokenizer.json that the `tokenizers` library loads with identical ids.

The library has another regex engine, so named split patterns are written in a form that cuts the same there, and a
pattern of the user's own is tried on probe texts. Special tokens stand in the vocabulary too, or would be renumbered.
"""

import json

import tokenizers

from tokviz.core.patterns import shortened
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.byte_alphabet import written
from tokviz.formats.equivalence_texts import probe_texts
from tokviz.formats.regex_dialects import to_oniguruma
from tokviz.system import sandbox

CHECK_SECONDS = 30.0  # for all probe texts; o200k_base takes two seconds


def tokenizer_json(tokenizer: Tokenizer) -> str:
    """Return a tokenizer.json with the ids of this tokenizer, special tokens included.

    Raises ValueError for a split pattern by which the library cuts differently, and for a special token
    with the same name as a token of the vocabulary.
    """
    vocab = {written(token): i for token, i in sorted(tokenizer.mergeable_ranks.items(), key=lambda item: item[1])}
    name_of = {token_id: token for token, token_id in vocab.items()}
    for token, token_id in tokenizer.special_tokens.items():
        if token in vocab:
            raise ValueError(
                f"a tokenizer.json cannot hold the special token {token!r}: the token {vocab[token]} has that name"
            )
        vocab[token] = token_id
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    special = sorted(tokenizer.special_tokens.items(), key=lambda item: item[1])
    text = json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [
                {"id": token_id, "content": token, **flags, "special": token not in tokenizer.always_special}
                for token, token_id in special
            ],
            "normalizer": None,
            "pre_tokenizer": _pre_tokenizer(tokenizer.split_pattern),
            "post_processor": None,
            "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False},
            "model": {
                "type": "BPE",
                "dropout": None,
                "unk_token": None,
                "continuing_subword_prefix": None,
                "end_of_word_suffix": None,
                "fuse_unk": False,
                "byte_fallback": False,
                "ignore_merges": False,
                "vocab": vocab,
                "merges": [[name_of[part] for part in pair] for pair in tokenizer.merges],
            },
        },
        ensure_ascii=False,
    )
    sandbox.call(_check, tokenizer, text, seconds=CHECK_SECONDS, what="trying the file in the tokenizers library")
    return text


def _pre_tokenizer(split_pattern: str) -> dict[str, object]:
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    try:
        expression = to_oniguruma(split_pattern)
    except ValueError as e:
        raise ValueError(f"a tokenizer.json cannot hold the split pattern {shortened(split_pattern)}: {e}") from e
    if not expression:
        return byte_level
    split = {"type": "Split", "pattern": {"Regex": expression}, "behavior": "Isolated", "invert": False}
    return {"type": "Sequence", "pretokenizers": [split, byte_level]}


def _check(tokenizer: Tokenizer, text: str) -> None:
    """Raise ValueError if the library gives other ids for a probe text."""
    library = tokenizers.Tokenizer.from_str(text)
    marked = "".join(f" {token}{token}x" for token in tokenizer.special_tokens)
    for probe in (*probe_texts(), marked):
        for plain in (True, False):
            library.encode_special_tokens = plain
            if library.encode(probe).ids != tokenizer.encode(probe, allowed_special=() if plain else "all"):
                raise ValueError(
                    f"a tokenizer.json cannot hold the split pattern {shortened(tokenizer.split_pattern)}: the regex "
                    f"engine of the tokenizers library cuts {shortened(probe, 40)} differently"
                )
