"""The options of the tokenizers of a session, with their defaults."""

from typing import Any

from pages.ui.shared.options import add_options
from tokviz.families import sentencepiece_options
from tokviz.formats.pretrained import PRETRAINED

# SentencePiece's options under its own names; symbols are separated by spaces.
SENTENCEPIECE: dict[str, Any] = {
    f"sentencepiece_{name}": value for name, value in sentencepiece_options.DEFAULTS.items() if name != "model_type"
} | {"sentencepiece_user_defined_symbols": ""}

add_options(
    tokenizer="cl100k_base",
    merges_tokenizer="",  # the one that all pages share
    compared=list(PRETRAINED),
    allow_special=False,
    family="SentencePiece BPE",
    family_size=1_000,
    **SENTENCEPIECE,
)
