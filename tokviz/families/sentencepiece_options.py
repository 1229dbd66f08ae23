"""How SentencePiece is trained: every option of its trainer under its own name, and what Llama 2 chose.

The names, types and defaults are those that the library publishes with the format of its models, in which each model
says how it was trained. https://github.com/google/sentencepiece/blob/master/doc/options.md explains them all.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, Literal

from google.protobuf.descriptor import FieldDescriptor
from sentencepiece.sentencepiece_model_pb2 import DESCRIPTOR

from tokviz.core.pretokens import well_formed_text
from tokviz.formats.huggingface.byte_tokens import BYTE_TOKENS

ModelType = Literal["unigram", "bpe", "word", "char"]
Options = Mapping[str, Any]  # by the library's names

_RULE = "normalization_rule_name"  # the trainer's name for the field "name" of the normalizer
_MESSAGES = DESCRIPTOR.message_types_by_name
_FIELDS: dict[str, FieldDescriptor] = {field.name: field for field in _MESSAGES["TrainerSpec"].fields} | {
    _RULE if field.name == "name" else field.name: field for field in _MESSAGES["NormalizerSpec"].fields
}
_NO_FILE = "a training reads no files but the text it is given"
# What is not an option here, each with the reason.
NOT_TAKEN = {
    "input": "the text itself is the first argument",
    "model_prefix": "the model is returned, and its data is what a .model file holds",
    "vocab_size": "it is a separate argument",
    "seed_sentencepieces_file": _NO_FILE,
    "normalization_rule_tsv": _NO_FILE,
    "precompiled_charsmap": f"SentencePiece derives it from {_RULE}",
}

# Where we differ from the library: BPE in place of Unigram, bytes in place of unknown characters, and one thread, since
# the scores of "unigram" depend on the number of threads in their last digits. The rule is what the library takes where
# none is given. The longest line decides max_sentence_length, so that none is left out.
OURS: Options = {"model_type": "bpe", _RULE: "nmt_nfkc", "byte_fallback": True, "num_threads": 1}
# All other options of Llama 2's tokenizer are the defaults.
LLAMA_2: Options = {
    "model_type": "bpe",
    "normalization_rule_name": "identity",
    "remove_extra_whitespaces": False,
    "character_coverage": 0.99995,
    "byte_fallback": True,
    "split_digits": True,
    "allow_whitespace_only_pieces": True,
}


def _default_of(field: FieldDescriptor) -> Any:
    default = field.default_value
    return round(default, 6) if isinstance(default, float) else default


DEFAULTS: Options = {
    **{name: _default_of(field) for name, field in _FIELDS.items() if name not in NOT_TAKEN},
    **OURS,
}

MODEL_TYPES: tuple[ModelType, ...] = tuple(value.name.lower() for value in _FIELDS["model_type"].enum_type.values)
NORMALIZATION_RULES = ("identity", "nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf")
CHOICES = {"model_type": MODEL_TYPES, _RULE: NORMALIZATION_RULES, "input_format": ("", "text", "tsv")}
# SentencePiece's own limits.
COVERAGE = (0.98, 1.0)
LENGTH = (1, 512)
RANGES = {
    "character_coverage": COVERAGE,
    "max_sentencepiece_length": LENGTH,
    "max_sentence_length": (10, 2**30),
    "num_threads": (1, 1024),
    "num_sub_iterations": (1, 10),
    "shrinking_factor": (0.5, 0.95),
}
NUMBERS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_FLOAT: (float("-inf"), float("inf")),
}
IDS = ("unk_id", "bos_id", "eos_id", "pad_id")


def non_default_trainer_options(options: Options, *, vocab_size: int) -> dict[str, Any]:
    """Return the options to train with, ours where none are given, without those that have the library's defaults.

    A model says which options it was given, so that one that is left out and its default give the same file.

    Raises ValueError for a value that SentencePiece cannot use and for an option that is not taken here, TypeError for
    one that it does not have.

    >>> non_default_trainer_options({"split_digits": True}, vocab_size=300)["byte_fallback"]
    True
    """
    for name, value in options.items():
        if name in NOT_TAKEN:
            raise ValueError(f"{name} is not an option here: {NOT_TAKEN[name]}")
        if name not in DEFAULTS:
            raise TypeError(f"{name!r} is not an option of SentencePiece's trainer; there are {', '.join(DEFAULTS)}")
        _check_option(name, value, vocab_size)
    every = {**DEFAULTS, **options}
    for token_id, count in Counter(every[name] for name in IDS).items():
        if count > 1 and token_id >= 0:
            names = " and ".join(name for name in IDS if every[name] == token_id)
            raise ValueError(f"{names} are the same, {token_id}; give each its own id, or -1 to leave a token out")
    _check_symbols(every)
    # A tuple is one symbol to the library.
    chosen = {name: list(every[name]) if _FIELDS[name].is_repeated else every[name] for name in {**OURS, **options}}
    return {name: value for name, value in chosen.items() if value != _default_of(_FIELDS[name])}


def _check_option(name: str, value: object, vocab_size: int) -> None:
    """Check one option by its type in the library."""
    field = _FIELDS[name]
    if name in CHOICES:
        if value not in CHOICES[name]:
            raise ValueError(f"{name} must be one of {', '.join(filter(None, CHOICES[name]))}, not {value!r}")
    elif field.is_repeated:
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise ValueError(f"{name} must be a list of names, not {value!r}")
        for one in value:
            if not one or not _is_valid_text(one):
                raise ValueError(f"a name in {name} must be a str that is not empty and contains no NUL, not {one!r}")
    elif field.cpp_type == field.CPPTYPE_STRING:
        if not _is_valid_text(value):
            raise ValueError(f"{name} must be a str that contains no NUL, not {value!r}")
    elif field.cpp_type == field.CPPTYPE_BOOL:
        if not isinstance(value, bool):
            raise ValueError(f"{name} must be True or False, not {value!r}")
    else:
        ids = (0 if name == "unk_id" else -1, vocab_size - 1)
        least, most = ids if name in IDS else RANGES.get(name, NUMBERS[field.cpp_type])
        is_float = field.cpp_type == field.CPPTYPE_FLOAT
        if isinstance(value, bool) or not isinstance(value, Real if is_float else int) or not least <= value <= most:  # type: ignore[operator]  # Real is ordered
            number = "a number" if is_float else "a whole number"
            raise ValueError(f"{name} must be {number} between {least:.12g} and {most:.12g}, not {value!r}")


def _is_valid_text(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value and value == well_formed_text(value)


def _check_symbols(every: Options) -> None:
    """Check that user-defined symbols can be found in a text, and that each symbol is one token only."""
    taken = {every["unk_piece"], *(BYTE_TOKENS if every["byte_fallback"] else ())}
    for kind in ("control_symbols", "user_defined_symbols"):
        for symbol in every[kind]:
            if " " in symbol and kind == "user_defined_symbols":
                found = symbol.replace(" ", "▁")
                raise ValueError(f"SentencePiece writes a space as ▁; write {found!r}, not {symbol!r}")
            if symbol in taken:
                raise ValueError(f"the symbol {symbol!r} is a token already; give each once, under a new name")
            taken.add(symbol)
