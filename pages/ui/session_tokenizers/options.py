"""The options of the tokenizers of a session, with their defaults."""

from typing import Any

from pages.ui.shared.options import add_options
from tokviz.families.sentencepiece_options import DEFAULTS, IDS
from tokviz.formats.pretrained import PRETRAINED

# The options of SentencePiece that the form shows, under its own names; symbols are separated by spaces.
SENTENCEPIECE: dict[str, Any] = {
    f"sentencepiece_{name}": DEFAULTS[name]
    for name in (
        "normalization_rule_name",
        "remove_extra_whitespaces",
        "character_coverage",
        "byte_fallback",
        "split_digits",
        "split_by_unicode_script",
        "allow_whitespace_only_pieces",
        "max_sentencepiece_length",
        "num_threads",
        *IDS,
    )
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
