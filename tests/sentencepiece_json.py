"""The tokenizer.json of a SentencePiece model, in the shapes in which models are published."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from sentencepiece import sentencepiece_model_pb2
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

Piece = sentencepiece_model_pb2.ModelProto.SentencePiece
Sequence, Metaspace = pre_tokenizers.Sequence, pre_tokenizers.Metaspace
PREPENDED = [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
FIRST = Metaspace(prepend_scheme="first", split=False)
ALWAYS = Metaspace(prepend_scheme="always")
WORDS = Sequence([pre_tokenizers.WhitespaceSplit(), ALWAYS])
COLLAPSED = [normalizers.Strip(), normalizers.Replace(Regex(" {2,}"), "▁")]


def precompiled(data: bytes) -> normalizers.Normalizer:
    """Return the rules by which a model normalises characters."""
    proto = sentencepiece_model_pb2.ModelProto.FromString(data)
    return normalizers.Precompiled(proto.normalizer_spec.precompiled_charsmap)


def sentencepiece_json(
    data: bytes,
    steps: Iterable[normalizers.Normalizer] = (),
    pre_tokenizer: pre_tokenizers.PreTokenizer | None = None,
) -> dict[str, Any]:
    """Return the JSON with the tokens of a model, BPE or Unigram, under a normalizer of these steps."""
    proto = sentencepiece_model_pb2.ModelProto.FromString(data)
    falls_back = proto.trainer_spec.byte_fallback
    model: models.Model
    if proto.trainer_spec.model_type == 1:
        scores = [(each.piece, each.score) for each in proto.pieces]
        model = models.Unigram(scores, unk_id=proto.trainer_spec.unk_id, byte_fallback=falls_back)
    else:
        vocab = {each.piece: i for i, each in enumerate(proto.pieces)}
        merges = list(_merges(vocab, [each.piece for each in proto.pieces if each.type == Piece.NORMAL]))
        model = models.BPE(vocab, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=falls_back)
    tokenizer = Tokenizer(model)
    steps = list(steps)
    if steps:
        tokenizer.normalizer = normalizers.Sequence(steps)
    if pre_tokenizer:
        tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    return json.loads(tokenizer.to_str())


def _merges(vocab: dict[str, int], pieces: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield every way to make each piece of two others, by ascending ids, as transformers does."""
    for piece in pieces:
        ways = [(piece[:i], piece[i:]) for i in range(1, len(piece)) if piece[:i] in vocab and piece[i:] in vocab]
        yield from sorted(ways, key=lambda way: (vocab[way[0]], vocab[way[1]]))
