"""Small tokenizers that change texts before they split them, or whose merges begin with characters."""

from tokviz import Tokenizer, train
from tokviz.core.normalizer import Normalizer
from tokviz.core.ordered_ranks import OrderedRanks

SPECIAL = ["<|endoftext|>", "<s>", "<s>x"]
NORMALIZERS = {
    "nfc": Normalizer("NFC"),
    "small": Normalizer("NFKC", lowercase=True, prefix="first", prefix_if_missing=True),
    "gemma": Normalizer(marks_are_spaces=True),
    "llama": Normalizer(marks_are_spaces=True, prefix="each"),
    "mistral": Normalizer(marks_are_spaces=True, prefix="text"),
}


def tokenizer_of_kind(kind: str, text: str) -> Tokenizer:
    """Return a tokenizer trained on a text; its kind is one of NORMALIZERS."""
    has_fallback = kind in ("gemma", "llama", "mistral")
    trained = train(
        text, vocab_size=500, split_pattern="sentencepiece" if has_fallback else "cl100k", special_tokens=SPECIAL
    )
    always = ["<s>x"] if kind == "mistral" else ()
    ranks = with_fallback(trained, text) if has_fallback else trained.mergeable_ranks
    return Tokenizer(
        kind, trained.split_pattern, ranks, trained.special_tokens, always, not has_fallback, NORMALIZERS[kind]
    )


def with_fallback(trained: Tokenizer, text: str) -> OrderedRanks:
    """Return the merges of whole characters, every second character and all bytes."""
    characters = sorted({*text})[::2]
    tokens = []
    for token in trained.merge_tokens:
        word = token.decode(errors="ignore")
        if word.encode() == token and len(word) > 1 and {*word} <= {*characters, " "}:
            tokens.append(token)
    ids = {bytes([i]): 700 + i for i in range(256)} | {c.encode(): 1_000 + i for i, c in enumerate(characters)}
    ids |= {token: i for i, token in enumerate(tokens)}
    merges = [[token] for token in tokens]
    return OrderedRanks(ids, merges, starts_with_characters=True, byte_ids=range(700, 956))
