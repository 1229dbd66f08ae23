"""The tokenizer in a file of each kind; `detect` tells the kind and calls this in a child process.

Byte-level BPE becomes a `Tokenizer` if that class can express its rules; anything else runs through the library of its
format. A tokenizer.json becomes a `Tokenizer` only if the library gives the same ids.
"""

import json
import time
from collections.abc import Mapping
from pathlib import Path

from tokviz.core.patterns import SPLIT_PATTERNS
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.spans import text_spans
from tokviz.core.special_tokens import SpecialTokens, special_ids
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats import minbpe
from tokviz.formats.equivalence_texts import probe_texts
from tokviz.formats.gguf import key_values, library_file
from tokviz.formats.gguf.split_patterns import NOT_BYTE_LEVEL, PATTERNS
from tokviz.formats.gguf.vocabulary import KEY
from tokviz.formats.hf_byte_level import byte_level_parts
from tokviz.formats.hf_tokenizer import HFTokenizer, parsed_json, parsed_spec
from tokviz.formats.nanochat import encoding_parts
from tokviz.formats.sentencepiece import SentencePieceTokenizer
from tokviz.formats.tekken import tekken_parts
from tokviz.formats.tiktoken import parse_ranks
from tokviz.formats.tiktoken_rules import known_rules
from tokviz.formats.tokenizer_config import config_added_tokens, parsed_config
from tokviz.formats.vocab_merges import HALVES, joined_spec
from tokviz.formats.wrong_files import BOM, refuse_wrong_files, refused_by_library, unknown_file

PROBE_SECONDS = 10.0  # for all probe texts; they take half a second
TAKES_PATTERN = ("minbpe", "tiktoken", "GGUF", *HALVES)
TAKES_SPECIAL_TOKENS = ("minbpe", "tiktoken")


def tokenizer_in(
    data: bytes,
    file_name: str,
    kind: str,
    name: str | None,
    split_pattern: str | None,
    special_tokens: SpecialTokens | None,
    beside: Mapping[str, bytes],
) -> AnyTokenizer:
    """Return the tokenizer in a file of a kind that nobody has checked further; the rest as in `read_tokenizer`."""
    refuse_wrong_files(data, file_name)
    if not kind:
        raise unknown_file(data, file_name)
    name = name or Path(file_name).stem
    if (split_pattern is not None and kind not in TAKES_PATTERN) or (
        special_tokens is not None and kind not in TAKES_SPECIAL_TOKENS
    ):
        own = "special tokens are" if kind in TAKES_PATTERN else "split pattern and special tokens are"
        raise ValueError(f"{file_name}: this is {kind}, whose {own} its own")
    if kind == "GGUF":
        kind, data = library_file(key_values(data, file_name), file_name, split_pattern=split_pattern)
    if kind in HALVES:
        data = json.dumps(joined_spec(data, file_name, beside, split_pattern=split_pattern)).encode()
        kind = "tokenizer.json"
    match kind:
        case "tokenizer.json":
            return _from_json(data, name, file_name, beside)
        case "SentencePiece":
            return SentencePieceTokenizer(name, data)
        case "tiktoken":
            return _from_ranks(data, name, file_name, split_pattern, special_tokens)
        case "tekken.json":
            parts = tekken_parts(parsed_json(data, file_name, "a tekken.json"), file_name)
            return _checked(file_name, name, *parts)
        case "nanochat":
            return _checked(file_name, name, *encoding_parts(data, file_name))
    return _from_minbpe(data, name, file_name, split_pattern, special_tokens)


def needs_split_pattern(data: bytes, file_name: str, kind: str) -> bool:
    """Return whether a file of the kind "tiktoken" or "GGUF" is read only with a split pattern; see `detect`."""
    if kind == "tiktoken":
        try:
            return known_rules(parse_ranks(data.removeprefix(BOM), file_name), file_name) is None
        except ValueError:  # it may have gaps for special tokens
            return True
    try:
        values = key_values(data, file_name)
    except ValueError:
        return False
    known = {*PATTERNS, *NOT_BYTE_LEVEL}
    return values.get(f"{KEY}model") == "gpt2" and str(values.get(f"{KEY}pre", "default")) not in known


def _from_minbpe(
    data: bytes, name: str, file_name: str, split_pattern: str | None, special_tokens: SpecialTokens | None
) -> Tokenizer:
    model = minbpe.parse_model(data, file_name)
    pattern = model.split_pattern if split_pattern is None else split_pattern
    special = model.special_tokens if special_tokens is None else special_tokens
    ranks = model.mergeable_ranks
    return Tokenizer(name, pattern, ranks, special_ids(special, first=len(ranks)))


def _from_ranks(
    data: bytes, name: str, file_name: str, split_pattern: str | None, special_tokens: SpecialTokens | None
) -> Tokenizer:
    """Return the tokenizer of a .tiktoken file; what is not given comes from the rules that are known for its ranks."""
    given = special_tokens if isinstance(special_tokens, Mapping) else {}
    ranks = parse_ranks(data, file_name, special_ids=given.values())
    rules = known_rules(ranks, file_name) if split_pattern is None or special_tokens is None else None
    if rules is not None:
        split_pattern = rules.split_pattern if split_pattern is None else split_pattern
        special_tokens = rules.special_tokens if special_tokens is None else special_tokens
    if split_pattern is None:
        raise ValueError(
            f"{file_name}: a .tiktoken file holds no split pattern; give split_pattern, one of "
            f"{', '.join(SPLIT_PATTERNS)} or a regular expression"
        )
    first = 0 if isinstance(special_tokens, Mapping) else max(ranks.values(), default=-1) + 1
    return _checked(file_name, name, split_pattern, ranks, special_ids(special_tokens or (), first=first))


def _checked(
    file_name: str, name: str, split_pattern: str, ranks: Mapping[bytes, int], special_tokens: Mapping[str, int]
) -> Tokenizer:
    """Return the tokenizer; ValueError, with the name of the file, for what cannot be one.

    Merges must lead to each of its tokens, or a trace would be wrong.
    """
    try:
        tokenizer = Tokenizer(name, split_pattern, ranks, special_tokens)
        tokenizer.merges  # noqa: B018
    except ValueError as e:
        raise ValueError(f"{file_name}: {e}") from e
    return tokenizer


def _from_json(data: bytes, name: str, file_name: str, beside: Mapping[str, bytes]) -> AnyTokenizer:
    """Return a Tokenizer if it gives what the library gives, else the library's, with the reason.

    Tokens that only the tokenizer_config.json beside it names are added, as transformers does.
    """
    spec = parsed_spec(data, file_name)
    added = spec.get("added_tokens") or []
    known = {token["content"] for token in added}
    if more := [token for token in config_added_tokens(parsed_config(beside)) if token["content"] not in known]:
        spec["added_tokens"] = [*added, *more]
        data = json.dumps(spec).encode()
    try:
        library = HFTokenizer(name, data)
    except ValueError as e:
        if e.__cause__ is None:  # our own words already
            raise
        raise refused_by_library(e.__cause__, file_name) from e
    try:
        joined = Tokenizer(name, *byte_level_parts(spec))
        _check_same(joined, library)
    except ValueError as e:
        library.reason = str(e)
        return library
    except (KeyError, TypeError, AttributeError) as e:  # the library reads forms of JSON that we do not
        library.reason = f"its JSON has an unusual form ({type(e).__name__}: {e})"
        return library
    return joined


def _check_same(tokenizer: Tokenizer, library: HFTokenizer) -> None:
    """Raise ValueError if two tokenizers differ on a probe text, or take too long for all of them."""
    deadline = time.process_time() + PROBE_SECONDS
    special, always = tokenizer.special_tokens, tokenizer.always_special
    not_always = {token: i for token, i in special.items() if token not in always}
    if not_always != library.special_tokens:
        raise ValueError("its special tokens have other ids in the library than in the file")
    # The ids of tokens that always match are known from a text alone, so all of these are tried.
    marked = "".join(f" {token}{token}x" for token in (*sorted(always), *list(not_always)[:100]))
    for text in (*probe_texts(), marked):
        for allowed in ((), "all") if any(token in text for token in special) else ((),):
            if time.process_time() > deadline:
                raise ValueError(f"trying it on some texts did not end within {PROBE_SECONDS:.0f} seconds")
            ours, theirs = (text_spans(one, text, allowed_special=allowed) for one in (tokenizer, library))
            for column in ("ids", "byte_starts", "byte_ends"):
                if getattr(ours, column).tolist() != getattr(theirs, column).tolist():
                    raise ValueError(f"its tokens differ from those of its merges on {text[:40]!r}")
