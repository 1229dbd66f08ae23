"""Tell the kind of a tokenizer file by its content, and read the tokenizer in it.

Byte-level BPE becomes a `Tokenizer` if that class can express its rules; anything else runs through the library of its
format. A tokenizer.json becomes a `Tokenizer` only if the library gives the same ids. Nothing in a file is executed.
"""

import hashlib
import re
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
from tokviz.formats.gguf import MAGIC, header_bytes, key_values, library_file
from tokviz.formats.hf_byte_level import byte_level_parts
from tokviz.formats.hf_tokenizer import HFTokenizer, parsed_spec
from tokviz.formats.sentencepiece import SentencePieceTokenizer
from tokviz.formats.tiktoken import LINE, parse_ranks
from tokviz.formats.wrong_files import BOM, refuse_wrong_files, refused_by_library, unknown_file
from tokviz.system import sandbox

MINBPE = re.compile(rb"(?:minbpe|bpe|thai tokenizer) v[0-9.]+\s*\n")
PROBE_SECONDS = 10.0  # for all probe texts; they take half a second
READ_SECONDS = 30.0  # of processor time; a tokenizer.json of 256,000 tokens takes six


def file_format(data: bytes) -> str:
    """Return the format of a file: "minbpe", "tokenizer.json", "tiktoken", "SentencePiece" or "GGUF".

    Any other file gets the name of the nearest format, whose reader then says what is wrong.

    >>> file_format(b"YQ== 0\\n"), file_format(b'{"model": {}}'), file_format(b"minbpe v1\\n")
    ('tiktoken', 'tokenizer.json', 'minbpe')
    """
    data = data.removeprefix(BOM)
    if MINBPE.match(data):
        return "minbpe"
    if data.startswith(MAGIC):
        return "GGUF"
    if data.lstrip()[:1] == b"{":
        return "tokenizer.json"
    if LINE.fullmatch(data[:10_000].split(b"\n", 1)[0]):
        return "tiktoken"
    return "SentencePiece" if data[:1] == b"\n" else "minbpe"


def read_file(
    path: Path, *, split_pattern: str | None = None, special_tokens: SpecialTokens | None = None
) -> AnyTokenizer:
    """Return the tokenizer in a file; the options are as in `read_tokenizer`.

    Of a GGUF file, which may be gigabytes, only the header is read.
    """
    data = _file_bytes(path)
    return read_tokenizer(data, path.name, split_pattern=split_pattern, special_tokens=special_tokens)


def _file_bytes(path: Path) -> bytes:
    """Return what is needed of a file; ValueError for one that is too large."""
    with path.open("rb") as file:
        if file.read(len(MAGIC)) == MAGIC:
            file.seek(0)
            return header_bytes(file, path.name)
    if path.stat().st_size > minbpe.MAX_FILE_BYTES:
        raise _too_large(path.name)
    return path.read_bytes()


def _too_large(file_name: str) -> ValueError:
    return ValueError(f"{file_name}: over {minbpe.MAX_FILE_BYTES:,} bytes; no tokenizer is so large")


def read_tokenizer(
    data: bytes,
    file_name: str,
    *,
    name: str | None = None,
    split_pattern: str | None = None,
    special_tokens: SpecialTokens | None = None,
) -> AnyTokenizer:
    """Return the tokenizer in the bytes of a file; without a name it has the file's stem.

    `split_pattern` and `special_tokens` replace what a file of the minbpe family says, and complete a .tiktoken file.
    A GGUF file of byte-level BPE takes a split pattern too, and needs one if the name of its own is not known; its
    header is enough. Files of other kinds take neither. Raises ValueError for a file that is damaged, or that takes
    more time or memory than any tokenizer needs.
    """
    if len(data) > minbpe.MAX_FILE_BYTES:
        raise _too_large(file_name)
    return sandbox.call(
        _read,
        data,
        file_name,
        name,
        split_pattern,
        special_tokens,
        seconds=READ_SECONDS,
        what=file_name,
        key=hashlib.sha256(data).hexdigest(),
    )


def _read(
    data: bytes,
    file_name: str,
    name: str | None,
    split_pattern: str | None,
    special_tokens: SpecialTokens | None,
) -> AnyTokenizer:
    """Return the tokenizer in a file that nobody has checked; runs in a child process."""
    data = data.removeprefix(BOM)
    refuse_wrong_files(data, file_name)
    name, kind = name or Path(file_name).stem, file_format(data)
    if kind == "GGUF":
        if special_tokens is not None:
            raise ValueError(f"{file_name}: this is GGUF, whose special tokens are its own")
        kind, data = library_file(key_values(data, file_name), file_name, split_pattern=split_pattern)
        split_pattern = None
    if kind in ("tokenizer.json", "SentencePiece") and (split_pattern, special_tokens) != (None, None):
        raise ValueError(f"{file_name}: this is {kind}, whose split pattern and special tokens are its own")
    if kind == "tokenizer.json":
        return _from_json(data, name, file_name)
    if kind == "SentencePiece":
        return SentencePieceTokenizer(name, data)
    if kind == "tiktoken":
        return _from_ranks(data, name, file_name, split_pattern, special_tokens or ())
    if not MINBPE.match(data):
        raise unknown_file(data, file_name)
    model = minbpe.parse_model(data, file_name)
    pattern = model.split_pattern if split_pattern is None else split_pattern
    special = model.special_tokens if special_tokens is None else special_tokens
    ranks = model.mergeable_ranks
    return Tokenizer(name, pattern, ranks, special_ids(special, first=len(ranks)))


def _from_ranks(
    data: bytes, name: str, file_name: str, split_pattern: str | None, special_tokens: SpecialTokens
) -> Tokenizer:
    """Return the tokenizer of a .tiktoken file."""
    if split_pattern is None:
        raise ValueError(
            f"{file_name}: a .tiktoken file holds no split pattern; give split_pattern, one of "
            f"{', '.join(SPLIT_PATTERNS)} or a regular expression"
        )
    given = special_tokens if isinstance(special_tokens, Mapping) else {}
    ranks = parse_ranks(data, file_name, special_ids=given.values())
    first = 0 if given else max(ranks.values(), default=-1) + 1
    tokenizer = Tokenizer(name, split_pattern, ranks, special_ids(special_tokens, first=first))
    try:
        tokenizer.merges  # noqa: B018  (a trace would be wrong for tokens that no merges lead to)
    except ValueError as e:
        raise ValueError(f"{file_name}: {e}") from e
    return tokenizer


def _from_json(data: bytes, name: str, file_name: str) -> AnyTokenizer:
    """Return a Tokenizer if it gives what the library gives, else the library's, with the reason."""
    spec = parsed_spec(data, file_name)
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


def _check_same(tokenizer: AnyTokenizer, library: HFTokenizer) -> None:
    """Raise ValueError if two tokenizers differ on a probe text, or take too long for all of them."""
    deadline = time.process_time() + PROBE_SECONDS
    if tokenizer.special_tokens != library.special_tokens:
        raise ValueError("its special tokens have other ids in the library than in the file")
    special = tokenizer.special_tokens
    marked = "".join(f" {token}{token}x" for token in list(special)[:100])
    for text in (*probe_texts(), marked):
        for allowed in ((), "all") if any(token in text for token in special) else ((),):
            if time.process_time() > deadline:
                raise ValueError(f"trying it on some texts did not end within {PROBE_SECONDS:.0f} seconds")
            ours, theirs = (text_spans(one, text, allowed_special=allowed) for one in (tokenizer, library))
            for column in ("ids", "byte_starts", "byte_ends"):
                if getattr(ours, column).tolist() != getattr(theirs, column).tolist():
                    raise ValueError(f"its tokens differ from those of its merges on {text[:40]!r}")
