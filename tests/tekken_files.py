"""A small tekken.json, laid out as Mistral's are."""

import base64
import json
from typing import Any

from tokviz import Tokenizer


def tekken_file(
    tokenizer: Tokenizer, *, n_special: int = 30, spare: int = 20, version: str = "v3", **parts: Any
) -> bytes:
    """Return the tekken.json of a tokenizer whose ids are its ranks; `spare` of its last tokens are not to be used."""
    vocab = [
        {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
        for token, rank in sorted(tokenizer.mergeable_ranks.items(), key=lambda item: item[1])
    ]
    config = {
        "pattern": r" ?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        "num_vocab_tokens": len(vocab),
        "default_vocab_size": len(vocab) + n_special - spare,
        "default_num_special_tokens": n_special,
        "version": version,
    }
    return json.dumps({"config": config, "vocab": vocab, **parts}, indent=1).encode()
