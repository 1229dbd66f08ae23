"""Files of the Hugging Face kind, made with the `tokenizers` library as its users make them."""

import json
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

from tokviz.core.samples import sample

LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN2 = LLAMA3.replace("{1,3}", "")
TEXTS = [sample("english"), sample("thai"), sample("mixed"), sample("python")]


def splitting(pattern: str, behavior: str = "isolated", *, invert: bool = False) -> pre_tokenizers.PreTokenizer:
    """Return a Split and a ByteLevel, as Llama 3 and Qwen 2 have them."""
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), behavior, invert=invert), byte_level])


def byte_level(
    pre_tokenizer: pre_tokenizers.PreTokenizer | None = None,
    *,
    special: tuple[str | AddedToken, ...] = ("<|endoftext|>",),
    later: tuple[str | AddedToken, ...] = (),
    normalizer: normalizers.Normalizer | None = None,
    processor: processors.PostProcessor | None = None,
    **model: Any,
) -> dict[str, Any]:
    """Return the JSON of byte-level BPE trained on the samples; special tokens first, or added later."""
    tokenizer = Tokenizer(models.BPE(**model))
    tokenizer.pre_tokenizer = pre_tokenizer or pre_tokenizers.ByteLevel(add_prefix_space=False)
    if normalizer:
        tokenizer.normalizer = normalizer
    trainer = trainers.BpeTrainer(
        vocab_size=700,
        special_tokens=list(special),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    tokenizer.add_special_tokens(list(later))
    if processor:
        tokenizer.post_processor = processor
    return json.loads(tokenizer.to_str())


def every_way(spec: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON with every pair of tokens that makes a token among the merges, as Llama 3's file has."""
    vocab = spec["model"]["vocab"]
    made = ["".join(pair) for pair in spec["model"]["merges"]]
    merges = [
        [token[:i], token[i:]]
        for token in made
        for i in range(1, len(token))
        if token[:i] in vocab and token[i:] in vocab
    ]
    return spec | {"model": spec["model"] | {"merges": merges}}


def library_of(spec: dict[str, Any], *, plain_special: bool = False) -> Tokenizer:
    """Return the library's tokenizer of a JSON."""
    tokenizer = Tokenizer.from_str(json.dumps(spec))
    tokenizer.encode_special_tokens = plain_special
    return tokenizer
