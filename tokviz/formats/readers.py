"""The tokenizer in a file of each kind; `files` tells the kind by the table and calls this in a child process.

Byte-level BPE becomes a `Tokenizer` if that class can express its rules; anything else runs through the library of its
format. A tokenizer.json becomes a `Tokenizer` only if the library gives the same ids.
"""

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from tokviz.core.patterns import SPLIT_PATTERNS
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.spans import text_spans
from tokviz.core.special_tokens import special_ids
from tokviz.core.tokenizer import Tokenizer
from tokviz.formats import minbpe
from tokviz.formats.equivalence import differing_text
from tokviz.formats.format import Format, Source
from tokviz.formats.gguf import key_values, library_file
from tokviz.formats.gguf.split_patterns import NOT_BYTE_LEVEL, PATTERNS
from tokviz.formats.gguf.vocabulary import KEY
from tokviz.formats.huggingface.byte_level import byte_level_parts
from tokviz.formats.huggingface.tokenizer import HFTokenizer, parsed_json, parsed_spec
from tokviz.formats.huggingface.tokenizer_config import config_added_tokens, parsed_config
from tokviz.formats.huggingface.vocab_merges import joined_spec
from tokviz.formats.nanochat import encoding_parts
from tokviz.formats.sentencepiece import SentencePieceTokenizer
from tokviz.formats.tekken import tekken_parts
from tokviz.formats.tiktoken import parse_ranks
from tokviz.formats.tiktoken_rules import known_rules
from tokviz.formats.wrong_files import BOM, refuse_wrong_files, refused_by_library, unknown_file

PROBE_SECONDS = 10.0  # for all probe texts; they take half a second


def tokenizer_in(source: Source, kind: Format | None, expected: str) -> AnyTokenizer:
    """Return the tokenizer in a file that nobody has checked further; `expected` says which files are read."""
    refuse_wrong_files(source.data, source.file_name)
    if kind is None or kind.read is None:
        raise unknown_file(source.data, source.file_name, expected)
    takes_pattern = "split_pattern" in kind.takes
    if (source.split_pattern is not None and not takes_pattern) or (
        source.special_tokens is not None and "special_tokens" not in kind.takes
    ):
        own = "special tokens are" if takes_pattern else "split pattern and special tokens are"
        raise ValueError(f"{source.file_name}: this is {kind.name}, whose {own} its own")
    return kind.read(source)


def from_gguf(source: Source) -> AnyTokenizer:
    """Return the tokenizer in the header of a GGUF file."""
    kind, data = library_file(
        key_values(source.data, source.file_name), source.file_name, split_pattern=source.split_pattern
    )
    read = from_json if kind == "tokenizer.json" else from_sentencepiece
    return read(replace(source, data=data))


def gguf_lacks_pattern(data: bytes, file_name: str) -> bool:
    """Return whether a GGUF file holds byte-level BPE and names a pre-tokenizer that is not known."""
    try:
        values = key_values(data, file_name)
    except ValueError:
        return False
    known = {*PATTERNS, *NOT_BYTE_LEVEL}
    return values.get(f"{KEY}model") == "gpt2" and str(values.get(f"{KEY}pre", "default")) not in known


def from_halves(source: Source) -> AnyTokenizer:
    """Return the tokenizer in a vocab.json or merges.txt, with the other half beside it."""
    spec = joined_spec(source.data, source.file_name, source.beside, split_pattern=source.split_pattern)
    return from_json(replace(source, data=json.dumps(spec).encode()))


def from_sentencepiece(source: Source) -> SentencePieceTokenizer:
    """Return the tokenizer in a .model of SentencePiece."""
    return SentencePieceTokenizer(source.name, source.data)


def from_tekken(source: Source) -> Tokenizer:
    """Return the tokenizer in a tekken.json."""
    spec = parsed_json(source.data, source.file_name, "a tekken.json")
    return _checked(source, *tekken_parts(spec, source.file_name))


def from_nanochat(source: Source) -> Tokenizer:
    """Return the tokenizer in a pickled encoding of tiktoken."""
    return _checked(source, *encoding_parts(source.data, source.file_name))


def from_minbpe(source: Source) -> Tokenizer:
    """Return the tokenizer in a .model of the minbpe family; what is given replaces what it says."""
    model = minbpe.parse_model(source.data, source.file_name)
    pattern = model.split_pattern if source.split_pattern is None else source.split_pattern
    special = model.special_tokens if source.special_tokens is None else source.special_tokens
    ranks = model.mergeable_ranks
    return Tokenizer(source.name, pattern, ranks, special_ids(special, first=len(ranks)))


def from_ranks(source: Source) -> Tokenizer:
    """Return the tokenizer of a .tiktoken file; what is not given comes from the rules that are known for its ranks."""
    split_pattern, special_tokens = source.split_pattern, source.special_tokens
    given = special_tokens if isinstance(special_tokens, Mapping) else {}
    ranks = parse_ranks(source.data, source.file_name, special_ids=given.values())
    rules = known_rules(ranks, source.file_name) if split_pattern is None or special_tokens is None else None
    if rules is not None:
        split_pattern = rules.split_pattern if split_pattern is None else split_pattern
        special_tokens = rules.special_tokens if special_tokens is None else special_tokens
    if split_pattern is None:
        raise ValueError(
            f"{source.file_name}: a .tiktoken file holds no split pattern; give split_pattern, one of "
            f"{', '.join(SPLIT_PATTERNS)} or a regular expression"
        )
    first = 0 if isinstance(special_tokens, Mapping) else max(ranks.values(), default=-1) + 1
    return _checked(source, split_pattern, ranks, special_ids(special_tokens or (), first=first))


def ranks_lack_pattern(data: bytes, file_name: str) -> bool:
    """Return whether the ranks of a .tiktoken file are not well known."""
    try:
        return known_rules(parse_ranks(data.removeprefix(BOM), file_name), file_name) is None
    except ValueError:  # it may have gaps for special tokens
        return True


def _checked(
    source: Source, split_pattern: str, ranks: Mapping[bytes, int], special_tokens: Mapping[str, int]
) -> Tokenizer:
    """Return the tokenizer; ValueError, with the name of the file, for what cannot be one."""
    try:
        return Tokenizer(source.name, split_pattern, ranks, special_tokens)
    except ValueError as e:
        raise ValueError(f"{source.file_name}: {e}") from e


def from_json(source: Source) -> AnyTokenizer:
    """Return a Tokenizer if it gives what the library gives, else the library's, with the reason.

    Tokens that only the tokenizer_config.json beside it names are added, as transformers does.
    """
    data = source.data
    spec = parsed_spec(data, source.file_name)
    added = spec.get("added_tokens") or []
    known = {token["content"] for token in added}
    if more := [token for token in config_added_tokens(parsed_config(source.beside)) if token["content"] not in known]:
        spec["added_tokens"] = [*added, *more]
        data = json.dumps(spec).encode()
    try:
        library = HFTokenizer(source.name, data)
    except ValueError as e:
        if e.__cause__ is None:  # our own words already
            raise
        raise refused_by_library(e.__cause__, source.file_name) from e
    try:
        joined = Tokenizer(source.name, *byte_level_parts(spec))
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

    def tokens(one: AnyTokenizer, allowed: str | tuple[str, ...], text: str) -> list[list[int]]:
        if time.process_time() > deadline:
            raise ValueError(f"trying it on some texts did not end within {PROBE_SECONDS:.0f} seconds")
        spans = text_spans(one, text, allowed_special=allowed)
        return [column.tolist() for column in (spans.ids, spans.byte_starts, spans.byte_ends)]

    # The ids of tokens that always match are known from a text alone, so all of these are tried.
    tried = (*sorted(always), *list(not_always)[:100])
    for allowed in ((), "all") if special else ((),):
        differs = differing_text(partial(tokens, tokenizer, allowed), partial(tokens, library, allowed), tried)
        if differs is not None:
            raise ValueError(f"its tokens differ from those of its merges on {differs[:40]!r}")
