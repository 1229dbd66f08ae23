"""The tokenizer of a GGUF file in the format of its own library: a tokenizer.json, or a .model of SentencePiece.

llama.cpp knows a vocabulary by the name in `tokenizer.ggml.model`: "gpt2" is byte-level BPE, "llama" the BPE and "t5"
the Unigram of SentencePiece, "gemma4" BPE with byte fallback and merges, "bert" WordPiece. What it changed when it
converted a model is undone here.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import tokenizers
from sentencepiece import sentencepiece_model_pb2
from tokenizers import decoders, models, normalizers, pre_tokenizers

from tokviz.core.patterns import short_repr
from tokviz.core.protocol import AnyTokenizer
from tokviz.formats.format import Format, Source, naming
from tokviz.formats.gguf.header import MAGIC, tokenizer_values
from tokviz.formats.gguf.vocabulary import (
    BYTE,
    CONTROL,
    KEY,
    NORMAL,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    GGUFVocabulary,
    gguf_vocabulary,
)
from tokviz.formats.huggingface.bpe_spec import (
    BYTE_FALLBACK_DECODER,
    added_token_entry,
    bpe_spec,
    byte_level_spec,
)
from tokviz.formats.huggingface.byte_tokens import BYTE_TOKENS
from tokviz.formats.huggingface.normalizer_steps import MARKS
from tokviz.formats.huggingface.pre_tokenizer import Json
from tokviz.formats.huggingface.regex_dialects import oniguruma_parts
from tokviz.formats.huggingface.tokenizer_json import read_tokenizer_json
from tokviz.formats.llama_cpp_patterns import NOT_BYTE_LEVEL, PATTERNS, SplitRules, split_rules
from tokviz.formats.sentencepiece import read_sentencepiece

PIECE_TYPES = {"llama": 2, "t5": 1}  # BPE and Unigram, as SentencePiece numbers them


def _ids_by_token(tokens: Mapping[int, str]) -> dict[str, int]:
    """Return the ids of tokens; ValueError for a token that has two."""
    ids: dict[str, int] = {}
    for token_id, token in tokens.items():
        if ids.setdefault(token, token_id) != token_id:
            raise ValueError(f"damaged: its token {short_repr(token)} has the ids {ids[token]} and {token_id}")
    return ids


def _added_token_entries(tokens: Mapping[int, str], types: Sequence[int]) -> list[dict[str, Any]]:
    """Return the control and unknown tokens, which are special, and the user-defined ones, which always match."""
    return [
        added_token_entry(token, i, special=types[i] != USER_DEFINED)
        for i, token in tokens.items()
        if types[i] in (CONTROL, UNKNOWN, USER_DEFINED) and token
    ]


def _byte_level_json(given: GGUFVocabulary, split_pattern: str | None) -> Json:
    """Return the tokenizer.json of byte-level BPE; unused tokens, which fill up the table of a model, are left out."""
    pre = str(given.values.get(f"{KEY}pre", "default"))
    if split_pattern is None or pre in NOT_BYTE_LEVEL:
        rules = split_rules(pre)
    else:
        rules = SplitRules(oniguruma_parts(split_pattern))
    used = {i: token for i, token in enumerate(given.tokens) if token and given.types[i] != UNUSED}
    return byte_level_spec(
        _ids_by_token(used),
        given.merges,
        rules.patterns,
        _added_token_entries(dict(enumerate(given.tokens)), given.types),
        ignores_merges=rules.ignores_merges,
    )


def _byte_fallback_json(given: GGUFVocabulary) -> Json:
    """Return the tokenizer.json of Gemma; llama.cpp marks some of its special tokens as visible (user-defined)."""
    vocab = _ids_by_token(dict(enumerate(given.tokens)))
    special = ((token, i) for token, i in vocab.items() if given.types[i] in (CONTROL, USER_DEFINED))
    spec = bpe_spec(vocab, given.merges, [added_token_entry(*one) for one in special], byte_fallback=True)
    unknown = given.named.get("unknown")
    model = spec["model"] | {"unk_token": None if unknown is None else given.tokens[unknown], "fuse_unk": True}
    return spec | {"model": model, "normalizer": MARKS, "decoder": BYTE_FALLBACK_DECODER}


def _wordpiece_json(given: GGUFVocabulary) -> Json:
    """Return the tokenizer.json of WordPiece.

    llama.cpp writes the beginning of a word with ▁ and the rest of one without ##. Unless the file says so, text is
    lowercased if no token has a capital letter.
    """
    apart = (CONTROL, UNKNOWN, UNUSED)
    tokens = {
        i: token if type_ in apart else _wordpiece_token(token)
        for i, (token, type_) in enumerate(zip(given.tokens, given.types, strict=True))
    }
    first_unknown = given.types.index(UNKNOWN) if UNKNOWN in given.types else 0
    unknown = given.tokens[given.named.get("unknown", first_unknown)]
    is_lower = not any(one != one.lower() for i, one in tokens.items() if given.types[i] == NORMAL and one[:1] != "[")
    lowers = given.option("normalizer.lowercase", is_lower)
    strips = given.option("normalizer.strip_accents", lowers)
    library = tokenizers.Tokenizer(models.WordPiece(_ids_by_token(tokens), unk_token=unknown))
    library.normalizer = normalizers.BertNormalizer(strip_accents=strips, lowercase=lowers)
    library.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    library.decoder = decoders.WordPiece(cleanup=False)
    return json.loads(library.to_str()) | {"added_tokens": _added_token_entries(tokens, given.types)}


_OTHER_KINDS = {"gemma4": _byte_fallback_json, "bert": _wordpiece_json}


def _wordpiece_token(token: str) -> str:
    if token.startswith("▁"):
        return token[1:]
    # Files of 2024 have "[unused1]" and the like as they are, with the type of words.
    return token if token.startswith("[") and token.endswith("]") and len(token) > 2 else f"##{token}"


def _types_with_byte_tokens_marked(given: GGUFVocabulary) -> list[int]:
    """Return the types of tokens, with that of bytes for those which llama.cpp looks up by their text for BPE.

    SentencePiece falls back to bytes only if it has all of them.
    """
    if given.model != "llama" or not set(given.tokens).issuperset(BYTE_TOKENS):
        return given.types
    is_byte = set(BYTE_TOKENS)
    pairs = zip(given.tokens, given.types, strict=True)
    return [BYTE if type_ == NORMAL and token in is_byte else type_ for token, type_ in pairs]


def _sentencepiece_model(given: GGUFVocabulary) -> bytes:
    """Return the .model of SentencePiece; a space in a token, of user-defined ones alone, is a ▁ there."""
    proto = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]  # made as it is imported
    types = _types_with_byte_tokens_marked(given)
    if (unknown := given.named.get("unknown")) is not None:  # files of 2024 mark what fills up the table as unknown too
        types = [UNKNOWN if i == unknown else UNUSED if one == UNKNOWN else one for i, one in enumerate(types)]
    for i, (token, type_) in enumerate(zip(given.tokens, types, strict=True)):
        score = given.scores[i] if given.scores else 0.0
        type_ = type_ if NORMAL <= type_ <= BYTE else NORMAL
        proto.pieces.add(piece=token.replace(" ", "▁") if type_ != CONTROL else token, score=score, type=type_)
    is_bpe = given.model == "llama"
    proto.trainer_spec.model_type = PIECE_TYPES[given.model]
    proto.trainer_spec.byte_fallback = BYTE in types
    proto.trainer_spec.vocab_size = len(given.tokens)
    proto.normalizer_spec.add_dummy_prefix = given.option("add_space_prefix", is_bpe)
    proto.normalizer_spec.remove_extra_whitespaces = given.option("remove_extra_whitespaces", False)
    if not is_bpe:  # llama.cpp normalises nothing before BPE
        proto.normalizer_spec.precompiled_charsmap = bytes(one & 0xFF for one in given.charsmap)
    return proto.SerializeToString()


def read_gguf(source: Source) -> AnyTokenizer:
    """Return the tokenizer in the header of a GGUF file.

    `split_pattern` replaces the one of a byte-level vocabulary. Raises ValueError for a vocabulary that is damaged, of
    a kind that is not read, or whose split pattern is neither known nor given.
    """
    values = tokenizer_values(source.data, source.file_name)
    with naming(source.file_name):
        given = gguf_vocabulary(values)
        if source.split_pattern is not None and given.model != "gpt2":
            raise ValueError(f"its vocabulary is of the kind {given.model!r}, which takes no split pattern")
        if given.model in PIECE_TYPES:
            data = _sentencepiece_model(given)
        elif given.model == "gpt2":
            data = json.dumps(_byte_level_json(given, source.split_pattern)).encode()
        elif given.model in _OTHER_KINDS:
            data = json.dumps(_OTHER_KINDS[given.model](given)).encode()
        else:
            raise ValueError(
                f"its vocabulary is of the kind {short_repr(given.model)}; read are gpt2 (byte-level BPE), llama and "
                "t5 (SentencePiece), gemma4 (BPE with byte fallback) and bert (WordPiece)"
            )
    read = read_sentencepiece if given.model in PIECE_TYPES else read_tokenizer_json
    return read(replace(source, data=data))


def has_unknown_pretokenizer(data: bytes, file_name: str) -> bool:
    """Return whether a GGUF file holds byte-level BPE and names a pre-tokenizer that is not known."""
    try:
        values = tokenizer_values(data, file_name)
    except ValueError:
        return False
    known = {*PATTERNS, *NOT_BYTE_LEVEL}
    return values.get(f"{KEY}model") == "gpt2" and str(values.get(f"{KEY}pre", "default")) not in known


GGUF = Format(
    "GGUF",
    re.compile(MAGIC).match,
    read_gguf,
    suffix=".gguf",
    takes=("split_pattern",),
    words="a .gguf",
    lacks_pattern=has_unknown_pretokenizer,
)
