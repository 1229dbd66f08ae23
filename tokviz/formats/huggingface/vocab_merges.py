"""vocab.json and merges.txt, the two files that GPT-2 was published with: byte-level BPE in two halves.

Together they are a tokenizer.json without its rules, which come from the class that a tokenizer_config.json beside
them names; without one they are GPT-2's. Tokens that no merge makes are special.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tokviz.core.normalizer import PLAIN, Normalizer
from tokviz.core.patterns import short_repr
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.vocabulary import NEVER_IN_UTF8
from tokviz.formats.format import OTHER, Format, Source, naming
from tokviz.formats.huggingface.bpe_spec import added_token_entry, byte_level_spec
from tokviz.formats.huggingface.byte_alphabet import CHARACTER_OF
from tokviz.formats.huggingface.regex_dialects import oniguruma_parts
from tokviz.formats.huggingface.tokenizer import parsed_json
from tokviz.formats.huggingface.tokenizer_config import parsed_config
from tokviz.formats.huggingface.tokenizer_json import read_tokenizer_json
from tokviz.formats.wrong_files import BOM

_ENTRY = rb'\s*+"(?:[^"\\]|\\.)*+"\s*+:\s*+[0-9]{1,10}\s*+'
VOCAB = re.compile(rb"\s*+\{" + _ENTRY + rb"(?:\}|," + _ENTRY + rb"[,}])", re.DOTALL)  # two tokens with their ids
MERGES = b"#version"
HALVES = {"vocab.json": "merges.txt", "merges.txt": "vocab.json"}
# Classes of transformers that cut, or normalise, in another way than GPT-2's.
_CLASSES = {"Qwen2Tokenizer": ("qwen2", Normalizer("NFC"))}


def which_half(data: bytes) -> str | None:
    """Return which half a file is by its beginning, "vocab.json" or "merges.txt"; None for any other file.

    >>> which_half(b'{"!": 0, "a": 1}'), which_half(b"#version: 0.2\\n"), which_half(b'{"version": "1.0"}')
    ('vocab.json', 'merges.txt', None)
    """
    data = data.removeprefix(BOM)
    if data.startswith(MERGES):
        return "merges.txt"
    return "vocab.json" if VOCAB.match(data[:200_000]) else None


def joined_spec(
    data: bytes, file_name: str, beside: Mapping[str, bytes], *, split_pattern: str | None = None
) -> dict[str, Any]:
    """Return the JSON of a tokenizer.json made of one half and the other, which is among the files `beside` it.

    `split_pattern` replaces the one of the class. Raises ValueError if the other half is missing, and for one that is
    damaged or not byte-level.
    """
    kind = which_half(data) or "vocab.json"
    other_name = next((name for name, one in beside.items() if which_half(one) == HALVES[kind]), None)
    if other_name is None:
        if kind == "vocab.json":
            _parsed_vocab(data, file_name)  # raises for names with numbers that are neither half
        raise ValueError(
            f"{file_name}: a {kind}, which is half a tokenizer; give the {HALVES[kind]} that belongs to it too, or "
            "open the tokenizer.json beside it"
        )
    opened, other = (data, file_name), (beside[other_name], other_name)
    vocab_file, merges_file = (opened, other) if kind == "vocab.json" else (other, opened)
    vocab, merges = _parsed_vocab(*vocab_file), _parsed_merges(*merges_file)
    config = parsed_config(beside)
    pattern, normalizer = _CLASSES.get(str(config.get("tokenizer_class")).removesuffix("Fast"), ("gpt2", PLAIN))
    if split_pattern is not None:
        pattern, normalizer = split_pattern, PLAIN
    if config.get("add_prefix_space"):
        normalizer = replace(normalizer, prefix="each", prefix_if_missing=True)
    made = {left + right for left, right in merges}
    special = {token: i for token, i in vocab.items() if len(token) != 1 and token not in made}
    with naming(file_name):
        return byte_level_spec(
            vocab,
            merges,
            oniguruma_parts(pattern),
            [added_token_entry(token, i) for token, i in sorted(special.items(), key=lambda item: item[1])],
            normalizer=normalizer,
        )


def _parsed_vocab(data: bytes, name: str) -> dict[str, int]:
    vocab = parsed_json(data, name, "a vocab.json")
    if not isinstance(vocab, dict) or not all(type(i) is int for i in vocab.values()):
        raise ValueError(f"{name}: JSON, but not a vocab.json, which has tokens with their ids")
    if any(token.endswith("</w>") for token in vocab):
        raise ValueError(
            f"{name}: its vocabulary is not byte-level: its tokens are marked at the end of a word; open the "
            "tokenizer.json beside it"
        )
    needed = (character for byte, character in CHARACTER_OF.items() if byte not in NEVER_IN_UTF8)
    if n_missing := sum(character not in vocab for character in needed):
        raise ValueError(
            f"{name}: names with numbers, but not byte-level BPE, which has a token for each byte of UTF-8: "
            f"{n_missing} are missing; open a tokenizer.json, or a vocab.json with its merges.txt"
        )
    return vocab


def _parsed_merges(data: bytes, name: str) -> list[tuple[str, str]]:
    """Return the merges; the first line, and only that, is a version."""
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as e:
        raise ValueError(f"{name}: its merges are not UTF-8 at byte {e.start:,}; fetch it again") from e
    merges = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or (number == 1 and line.startswith("#version")):
            continue
        left, _, right = line.partition(" ")
        if not left or not right or " " in right:
            raise ValueError(f"{name}: line {number} of its merges is {short_repr(line)}, not two tokens")
        merges.append((left, right))
    return merges


def is_vocab(data: bytes) -> bool:
    """Return whether a file begins as a vocab.json does."""
    return which_half(data) == "vocab.json"


def read_halves(source: Source) -> AnyTokenizer:
    """Return the tokenizer in a vocab.json or merges.txt, with the other half beside it."""
    spec = joined_spec(source.data, source.file_name, source.beside, split_pattern=source.split_pattern)
    return read_tokenizer_json(replace(source, data=json.dumps(spec).encode()))


VOCAB_JSON = Format(
    "vocab.json",
    is_vocab,
    read_halves,
    takes=("split_pattern",),
    words="a vocab.json with its merges.txt",
    names=("vocab.json",),
    place=2,  # or added_tokens.json, which is shorter
)
MERGES_TXT = Format("merges.txt", re.compile(MERGES).match, read_halves, takes=("split_pattern",), place=OTHER)
