"""Tokenizers that tiktoken, tokenizers, transformers or sentencepiece hold in memory: as ours, and ours as theirs."""

from collections.abc import Mapping
from typing import Any

import tiktoken
import tokenizers

from tokviz.core.patterns import as_one_part_pattern, short_repr, single_pattern
from tokviz.core.protocol import AnyTokenizer, family_error
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats.equivalence import first_differing_probe_if_any
from tokviz.formats.files import read_tokenizer, tokenizer_file_text
from tokviz.formats.pretrained import ENCODINGS, load
from tokviz.formats.python_code import WHOLE, check_runs_in_tiktoken
from tokviz.system.recent import recent


def tokenizer_of_object_if_known(given: object) -> AnyTokenizer | None:
    """Return a tokenizer of another library as ours; None for any other object. No library is imported to know it."""
    libraries = {kind.__module__.partition(".")[0] for kind in type(given).__mro__}
    if "tiktoken" in libraries:
        return from_tiktoken(given)
    if "sentencepiece" in libraries:
        return from_sentencepiece(given)
    return from_huggingface(given) if libraries & {"tokenizers", "transformers"} else None


def from_tiktoken(encoding: Any, *, split_pattern: str | None = None) -> Tokenizer:
    """Return the tokenizer of a `tiktoken.Encoding`, with the same ids.

    split_pattern: by default its own. An encoding that a plugin of tiktoken registers does not say its own, and needs
    it. Raises ValueError where it is missing, and for a pattern that cuts differently here; FamilyError for another
    object.

    >>> mine = tiktoken.Encoding("mine", pat_str=r"\\w+|\\W", mergeable_ranks=load("gpt2").mergeable_ranks,
    ...                          special_tokens={"<|end|>": 50256})
    >>> from_tiktoken(mine).encode("hello world"), mine.encode("hello world")
    ([31373, 220, 6894], [31373, 220, 6894])
    """
    if not hasattr(encoding, "token_byte_values"):
        raise family_error(encoding, "from_tiktoken", needs="a tiktoken.Encoding")
    return _tokenizer_of_encoding(encoding, split_pattern)


@recent(maxsize=4)  # to compare all tokens takes up to a second
def _tokenizer_of_encoding(encoding: tiktoken.Encoding, split_pattern: str | None) -> Tokenizer:
    state = encoding.__getstate__()  # as it is pickled: the name alone of one that is registered
    if isinstance(state, Mapping):
        ranks, special = state["mergeable_ranks"], state["special_tokens"]
        own_pattern = as_one_part_pattern(state["pat_str"])
    else:
        ranks = {token: encoding.encode_single_token(token) for token in encoding.token_byte_values()}
        special = {token: encoding.encode_single_token(token) for token in encoding.special_tokens_set}
        # The o200k_harmony of tiktoken has an id under two names: the first of them is kept.
        special = {token: i for i, token in {i: token for token, i in sorted(special.items(), reverse=True)}.items()}
        known = load(encoding.name) if encoding.name in ENCODINGS else None
        if split_pattern is None and known and (known.mergeable_ranks, known.special_tokens) == (ranks, special):
            return known
        own_pattern = ""
    pattern = own_pattern if split_pattern is None else split_pattern
    if not pattern:
        raise ValueError(f"{encoding.name} is registered in tiktoken without its split pattern: give split_pattern")
    tokenizer = Tokenizer(encoding.name, pattern, ranks, special)
    differs = first_differing_probe_if_any(tokenizer.encode, encoding.encode_ordinary)
    if differs is not None:
        found = f"by the split pattern {short_repr(pattern)}, {short_repr(differs, 40)} has other tokens here than in"
        raise ValueError(f"{encoding.name}: {found} tiktoken, which drops what nothing matches")
    return tokenizer


def from_huggingface(tokenizer: Any, *, name: str | None = None) -> AnyTokenizer:
    """Return the tokenizer of a `tokenizers.Tokenizer`, or of a fast tokenizer of transformers, as `tokviz.read` does.

    name: by default the last part of its `name_or_path`. Post-processor, truncation and padding are left out. Raises
    ValueError for one with parts written in Python, which no tokenizer.json holds; FamilyError for another object.

    >>> library = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0, "?": 1}, unk_token="?"))
    >>> from_huggingface(library, name="mine").encode("b")
    [1]
    """
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if not hasattr(backend, "to_str"):
        needs = "a tokenizers.Tokenizer, or a fast tokenizer of transformers"
        raise family_error(tokenizer, "from_huggingface", needs=needs)
    name = name or str(getattr(tokenizer, "name_or_path", "")).rstrip("/").rpartition("/")[2] or "huggingface"
    try:
        data = backend.to_str().encode()
    except Exception as e:  # the library has no class of its own for it
        raise ValueError(f"{name} cannot be written as a tokenizer.json: {e}") from e
    return _read(data, "tokenizer.json", name)


def from_sentencepiece(processor: Any, *, name: str = "sentencepiece") -> AnyTokenizer:
    """Return the tokenizer of a `sentencepiece.SentencePieceProcessor` with a model, as `tokviz.read` does.

    Raises FamilyError for another object, and ValueError as `tokviz.read`.

    >>> import sentencepiece, tokviz
    >>> model = tokviz.train_sentencepiece("low lower lowest " * 9, vocab_size=275).data
    >>> from_sentencepiece(sentencepiece.SentencePieceProcessor(model_proto=model)).decode([0, 1])
    ' ⁇ '
    """
    if not hasattr(processor, "serialized_model_proto"):
        raise family_error(processor, "from_sentencepiece", needs="a sentencepiece.SentencePieceProcessor")
    data = processor.serialized_model_proto()
    if not data:
        raise ValueError(f"the processor {name} has no model: load one into it first")
    return _read(data, "tokenizer.model", name)


@recent(maxsize=4)  # reading a large file takes seconds, and each function that is given an object reads it
def _read(data: bytes, file_name: str, name: str) -> AnyTokenizer:
    return read_tokenizer(data, file_name, name=name)


def tiktoken_encoding(tokenizer: Tokenizer) -> tiktoken.Encoding:
    """Return what `Tokenizer.to_tiktoken` says."""
    try:
        check_runs_in_tiktoken(tokenizer, tokenizer.special_tokens)
    except ValueError as e:
        needs = "byte-level BPE by its rules"
        raise family_error(tokenizer, "an encoding of tiktoken", needs=needs, reason=str(e)) from e
    pattern, ranks = single_pattern(tokenizer.split_pattern) or WHOLE, tokenizer.mergeable_ranks
    special = tokenizer.special_tokens
    return tiktoken.Encoding(tokenizer.name, pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)


def huggingface_tokenizer(tokenizer: Tokenizer) -> tokenizers.Tokenizer:
    """Return what `Tokenizer.to_huggingface` says."""
    try:
        return tokenizers.Tokenizer.from_str(tokenizer_file_text(tokenizer, ".json"))
    except ValueError as e:
        needs = "what a tokenizer.json can hold"
        raise family_error(tokenizer, "a tokenizer of Hugging Face", needs=needs, reason=str(e)) from e
