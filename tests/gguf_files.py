"""GGUF files as llama.cpp's converter writes them, made with the `gguf` package from tokenizers trained on the spot."""

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGUFEndian, GGUFWriter, TokenType
from sentencepiece import sentencepiece_model_pb2


def gguf_file(
    model: str,
    tokens: Iterable[str | bytes],
    types: Iterable[int],
    *,
    endian: GGUFEndian = GGUFEndian.LITTLE,
    tensors: int = 0,
    scores: Iterable[float] | None = None,
    merges: Iterable[str] | None = None,
    values: Mapping[str, Any] | None = None,
) -> bytes:
    """Return a GGUF file with a tokenizer and so many bytes of tensors; `values` are further keys of any type."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.gguf"
        writer = GGUFWriter(path, "llama", endianess=endian)
        writer.add_name("made for a test")
        writer.add_tokenizer_model(model)
        writer.add_token_list(list(tokens))
        writer.add_token_types(list(types))
        if scores is not None:
            writer.add_token_scores(list(scores))
        if merges is not None:
            writer.add_token_merges(list(merges))
        for key, value in (values or {}).items():
            _add(writer, key, value)
        if tensors:
            writer.add_tensor("weights", np.zeros(tensors, np.int8))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        return path.read_bytes()


def _add(writer: GGUFWriter, key: str, value: Any) -> None:
    if isinstance(value, bool):
        writer.add_bool(key, value)
    elif isinstance(value, int):
        writer.add_uint32(key, value)
    elif isinstance(value, str):
        writer.add_string(key, value)
    else:
        writer.add_array(key, value)


def byte_level_gguf(spec: Mapping[str, Any], pre: str = "gpt-2", *, padding: int = 4, **options: Any) -> bytes:
    """Return the GGUF file of the byte-level BPE in a tokenizer.json, with so many unused tokens at the end."""
    vocab = dict(spec["model"]["vocab"])
    types = dict.fromkeys(vocab.values(), TokenType.NORMAL)
    for token in spec["added_tokens"]:
        vocab[token["content"]] = token["id"]
        types[token["id"]] = TokenType.CONTROL if token["special"] else TokenType.USER_DEFINED
    token_of = {token_id: token for token, token_id in vocab.items()}
    n_tokens = max(token_of) + 1 + padding  # the table of a model is often longer than its vocabulary
    tokens = [token_of.get(i, f"[PAD{i}]") for i in range(n_tokens)]
    values = {"tokenizer.ggml.pre": pre} | options.pop("values", {})
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in spec["model"]["merges"]]
    all_types = [types.get(i, TokenType.UNUSED) for i in range(n_tokens)]
    return gguf_file("gpt2", tokens, all_types, merges=merges, values=values, **options)


def sentencepiece_gguf(data: bytes, model: str, **options: Any) -> bytes:
    """Return the GGUF file of a SentencePiece model: "llama" for BPE, "t5" for Unigram."""
    proto = sentencepiece_model_pb2.ModelProto.FromString(data)
    spec = proto.normalizer_spec
    values: dict[str, Any] = {
        "tokenizer.ggml.add_space_prefix": spec.add_dummy_prefix,
        "tokenizer.ggml.remove_extra_whitespaces": spec.remove_extra_whitespaces,
    }
    if model == "t5" and spec.precompiled_charsmap:
        values["tokenizer.ggml.precompiled_charsmap"] = spec.precompiled_charsmap
    is_user_defined = sentencepiece_model_pb2.ModelProto.SentencePiece.USER_DEFINED
    tokens = [p.piece.replace("▁", " ") if p.type == is_user_defined else p.piece for p in proto.pieces]
    types = [int(p.type) for p in proto.pieces]
    scores = [p.score for p in proto.pieces]
    return gguf_file(model, tokens, types, scores=scores, values=values | options.pop("values", {}), **options)


def wordpiece_gguf(spec: Mapping[str, Any], **options: Any) -> bytes:
    """Return the GGUF file of the WordPiece in a tokenizer.json: words begin with ▁, and nothing else has a mark."""
    vocab, special = spec["model"]["vocab"], {token["content"] for token in spec["added_tokens"]}
    tokens, types = [], []
    for token in sorted(vocab, key=vocab.__getitem__):
        is_special = token in special
        tokens.append(token if is_special else token[2:] if token.startswith("##") else f"▁{token}")
        types.append(TokenType.CONTROL if is_special else TokenType.NORMAL)
    values = {"tokenizer.ggml.unknown_token_id": vocab[spec["model"]["unk_token"]]} | options.pop("values", {})
    return gguf_file("bert", tokens, types, values=values, **options)
