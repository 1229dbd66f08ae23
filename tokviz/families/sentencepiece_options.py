"""How SentencePiece is trained: its options under its own names, its defaults, and what Llama 2 chose.

Llama 2's `tokenizer.model` holds every option it was trained with.
"""

from collections import Counter
from collections.abc import Sequence
from numbers import Real
from typing import Literal, TypedDict

from tokviz.core.pretokens import well_formed

ModelType = Literal["bpe", "unigram"]
NormalizationRule = Literal["identity", "nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf"]
MODEL_TYPES: tuple[ModelType, ...] = ("bpe", "unigram")
NORMALIZATION_RULES: tuple[NormalizationRule, ...] = ("identity", "nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf")


class SentencePieceOptions(TypedDict, total=False):
    """Options of a training, named as SentencePiece names them."""

    # "bpe" merges pairs of characters; "unigram" begins with many pieces, and drops those that the likelihood of
    # the text needs least.
    model_type: ModelType
    # What happens to a text first: "identity" leaves it alone, "nfkc" gives Unicode's compatibility form; with "nmt_"
    # other white space becomes a space and most control characters go; with "_cf" capitals become small.
    normalization_rule_name: NormalizationRule
    remove_extra_whitespaces: bool  # several spaces become one, and those at both ends of a line go
    # The share of the text's characters, by count, that get a token of their own; the rare others are unknown, or
    # with byte_fallback written in 256 tokens for bytes, which the vocabulary size includes.
    character_coverage: float
    byte_fallback: bool
    split_digits: bool  # each digit is a token of its own
    split_by_unicode_script: bool  # no token holds letters of two scripts
    allow_whitespace_only_pieces: bool  # several spaces may be a token
    max_sentencepiece_length: int  # characters of the longest token
    user_defined_symbols: Sequence[str]  # tokens whatever the text holds, found in a text before all others
    # -1 leaves <s>, </s> or <pad> out; <unk> is always there.
    unk_id: int
    bos_id: int
    eos_id: int
    pad_id: int
    num_threads: int  # the scores of "unigram" depend on it in their last digits


# SentencePiece's own, except for bytes in place of unknown characters, and one thread.
DEFAULTS: SentencePieceOptions = {
    "model_type": "bpe",
    "normalization_rule_name": "nmt_nfkc",
    "remove_extra_whitespaces": True,
    "character_coverage": 0.9995,
    "byte_fallback": True,
    "split_digits": False,
    "split_by_unicode_script": True,
    "allow_whitespace_only_pieces": False,
    "max_sentencepiece_length": 16,
    "user_defined_symbols": (),
    "unk_id": 0,
    "bos_id": 1,
    "eos_id": 2,
    "pad_id": -1,
    "num_threads": 1,
}
# All other options of Llama 2's tokenizer are the defaults.
LLAMA_2: SentencePieceOptions = {
    "model_type": "bpe",
    "normalization_rule_name": "identity",
    "remove_extra_whitespaces": False,
    "character_coverage": 0.99995,
    "byte_fallback": True,
    "split_digits": True,
    "allow_whitespace_only_pieces": True,
}

CHOICES: dict[str, tuple[str, ...]] = {"model_type": MODEL_TYPES, "normalization_rule_name": NORMALIZATION_RULES}
# SentencePiece's own limits.
COVERAGE = (0.98, 1.0)
LENGTH = (1, 512)
RANGES = {"character_coverage": COVERAGE, "max_sentencepiece_length": LENGTH, "num_threads": (1, 1024)}
IDS = ("unk_id", "bos_id", "eos_id", "pad_id")


def all_options(options: SentencePieceOptions, *, vocab_size: int) -> SentencePieceOptions:
    """Return the options with defaults for the rest; ValueError for a value that SentencePiece cannot use.

    >>> all_options({"split_digits": True}, vocab_size=300)["max_sentencepiece_length"]
    16
    """
    if unknown := options.keys() - DEFAULTS.keys():
        raise TypeError(f"{min(unknown)!r} is not an option of SentencePiece here; there are {', '.join(DEFAULTS)}")
    every: SentencePieceOptions = {**DEFAULTS, **options}
    for name, value in every.items():
        _check(name, value, vocab_size)
    for token_id, count in Counter(every[name] for name in IDS).items():
        if count > 1 and token_id >= 0:
            names = " and ".join(name for name in IDS if every[name] == token_id)
            raise ValueError(
                f"{names} are the same, {token_id}; give each an id of its own, or -1 to leave a token out"
            )
    _check_symbols(every["user_defined_symbols"], byte_fallback=every["byte_fallback"])
    return every | {"user_defined_symbols": list(every["user_defined_symbols"])}  # a tuple is one symbol to the library


def _check(name: str, value: object, vocab_size: int) -> None:
    """Check one option; its default tells its type."""
    default = DEFAULTS[name]
    if name in CHOICES:
        if value not in CHOICES[name]:
            raise ValueError(f"{name} must be one of {', '.join(CHOICES[name])}, not {value!r}")
    elif isinstance(default, bool):
        if not isinstance(value, bool):
            raise ValueError(f"{name} must be True or False, not {value!r}")
    elif isinstance(default, int | float):
        least, most = RANGES.get(name, (0 if name == "unk_id" else -1, vocab_size - 1))
        kind = Real if isinstance(default, float) else int
        if isinstance(value, bool) or not isinstance(value, kind) or not least <= value <= most:
            number = "a number" if kind is Real else "a whole number"
            raise ValueError(f"{name} must be {number} between {least:g} and {most:g}, not {value!r}")


def _check_symbols(symbols: object, *, byte_fallback: bool) -> None:
    """Check that user-defined symbols can be found in a text, and that each stands for one token only."""
    if isinstance(symbols, str) or not isinstance(symbols, Sequence):
        raise ValueError(f"user_defined_symbols must be a list of names, not {symbols!r}")
    taken = {"<unk>", *(f"<0x{byte:02X}>" for byte in range(256) if byte_fallback)}
    for symbol in symbols:
        if not isinstance(symbol, str) or not symbol or "\0" in symbol or symbol != well_formed(symbol):
            raise ValueError(f"a user-defined symbol must be a str that is not empty and holds no NUL, not {symbol!r}")
        if " " in symbol:
            raise ValueError(f"SentencePiece writes a space as ▁; write {symbol.replace(' ', '▁')!r}, not {symbol!r}")
        if symbol in taken:
            raise ValueError(f"the user-defined symbol {symbol!r} is a token already; give each once, under a new name")
        taken.add(symbol)
