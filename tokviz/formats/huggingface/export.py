"""Write a byte-level BPE tokenizer as a tokenizer.json that the `tokenizers` library loads with identical ids.

The library has another regex engine, so named split patterns are written in a form that cuts the same there, and a
pattern of the user's own is tried on probe texts. Special tokens stand in the vocabulary too, or would be renumbered.
"""

import json
from functools import partial

import tokenizers

from tokviz.core.patterns import shortened
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.equivalence import differing_text
from tokviz.formats.huggingface.byte_alphabet import written
from tokviz.formats.huggingface.byte_level import added_token, byte_level_spec, oniguruma_patterns
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
    special = sorted(tokenizer.special_tokens.items(), key=lambda item: item[1])
    spec = byte_level_spec(
        vocab,
        ((name_of[left], name_of[right]) for left, right in tokenizer.merges),
        _patterns(tokenizer.split_pattern),
        [added_token(token, i, special=token not in tokenizer.always_special) for token, i in special],
    )
    text = json.dumps(spec, ensure_ascii=False)
    sandbox.call(_check, tokenizer, text, seconds=CHECK_SECONDS, what="trying the file in the tokenizers library")
    return text


def _patterns(split_pattern: str) -> tuple[str, ...]:
    try:
        return oniguruma_patterns(split_pattern)
    except ValueError as e:
        raise ValueError(f"a tokenizer.json cannot hold the split pattern {shortened(split_pattern)}: {e}") from e


def _check(tokenizer: Tokenizer, text: str) -> None:
    """Raise ValueError if the library gives other ids for a probe text."""
    library = tokenizers.Tokenizer.from_str(text)
    for allowed in ((), "all") if tokenizer.special_tokens else ((),):
        library.encode_special_tokens = not allowed
        differs = differing_text(
            partial(tokenizer.encode, allowed_special=allowed),
            lambda probe: library.encode(probe).ids,
            tokenizer.special_tokens,
        )
        if differs is not None:
            raise ValueError(
                f"a tokenizer.json cannot hold the split pattern {shortened(tokenizer.split_pattern)}: the regex "
                f"engine of the tokenizers library cuts {shortened(differs, 40)} differently"
            )
