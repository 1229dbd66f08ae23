"""Tell the kind of a tokenizer file by its content, and read the tokenizer in it.

`readers` reads each kind, in a child process with limits. Nothing in a file is executed.
"""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from tokviz.core.protocol import AnyTokenizer
from tokviz.core.special_tokens import SpecialTokens
from tokviz.formats.folders import TokenizerFile, opened
from tokviz.formats.gguf import MAGIC
from tokviz.formats.minbpe import MAX_FILE_BYTES
from tokviz.formats.nanochat import PICKLED_ENCODING
from tokviz.formats.readers import needs_split_pattern, tokenizer_in
from tokviz.formats.tekken import TEKKEN
from tokviz.formats.tiktoken import LINE
from tokviz.formats.vocab_merges import half
from tokviz.formats.wrong_files import BOM, too_large
from tokviz.system import sandbox

MINBPE = re.compile(rb"(?:minbpe|bpe|thai tokenizer) v[0-9.]+\s*\n")
READ_SECONDS = 30.0  # of processor time; a tokenizer.json of 256,000 tokens takes six


def file_format(data: bytes) -> str:
    """Return the format of a file, of which the beginning is enough.

    It is "minbpe", "tokenizer.json", "tekken.json", "vocab.json", "merges.txt", "tiktoken", "SentencePiece", "GGUF" or
    "nanochat"; "" if the beginning is that of none. JSON of any other kind counts as a tokenizer.json, whose reader
    then says what is wrong.

    >>> file_format(b"YQ== 0\\n"), file_format(b'{"model": {}}'), file_format(b"minbpe v1\\n"), file_format(b"GGUF")
    ('tiktoken', 'tokenizer.json', 'minbpe', 'GGUF')
    """
    data = data.removeprefix(BOM)
    if MINBPE.match(data):
        return "minbpe"
    if data.startswith(MAGIC):
        return "GGUF"
    if PICKLED_ENCODING.match(data):
        return "nanochat"
    if which := half(data):
        return which
    if data.lstrip()[:1] == b"{":
        return "tekken.json" if TEKKEN.search(data[:5_000]) else "tokenizer.json"
    if LINE.fullmatch(data[:10_000].split(b"\n", 1)[0]):
        return "tiktoken"
    return "SentencePiece" if data[:1] == b"\n" else ""


def lacks_split_pattern(data: bytes, file_name: str) -> bool:
    """Return whether a file can only be read with a split pattern that the caller gives.

    So it is with a .tiktoken file whose ranks are not well known, and with byte-level BPE in a GGUF file that names a
    pre-tokenizer that is not known. A file of another kind lacks nothing, whatever else is wrong with it.

    >>> lacks_split_pattern(b"YQ== 0\\n", "mine.tiktoken"), lacks_split_pattern(b"{}", "tokenizer.json")
    (True, False)
    """
    kind = file_format(data)
    if kind not in ("tiktoken", "GGUF") or len(data) > MAX_FILE_BYTES:
        return False
    key = hashlib.sha256(data).hexdigest()
    return sandbox.call(needs_split_pattern, data, file_name, kind, seconds=READ_SECONDS, what=file_name, key=key)


def read_file(
    path: Path,
    *,
    name: str | None = None,
    split_pattern: str | None = None,
    special_tokens: SpecialTokens | None = None,
) -> AnyTokenizer:
    """Return the tokenizer in a file, or in a folder, such as a repository of Hugging Face, which gives it its name.

    The options are as in `read_tokenizer`. Files beside it that belong to it are read with it. Of a GGUF file, which
    may be gigabytes, only the header is read.
    """
    return tokenizer_of_file(opened(path), name=name, split_pattern=split_pattern, special_tokens=special_tokens)


def tokenizer_of_file(
    file: TokenizerFile,
    *,
    name: str | None = None,
    split_pattern: str | None = None,
    special_tokens: SpecialTokens | None = None,
) -> AnyTokenizer:
    """Return the tokenizer in a file that is read already; the options are as in `read_tokenizer`."""
    return read_tokenizer(
        file.data,
        file.name,
        name=name or file.folder,
        split_pattern=split_pattern,
        special_tokens=special_tokens,
        beside=file.beside,
    )


def read_tokenizer(
    data: bytes,
    file_name: str,
    *,
    name: str | None = None,
    split_pattern: str | None = None,
    special_tokens: SpecialTokens | None = None,
    beside: Mapping[str, bytes] = {},
) -> AnyTokenizer:
    """Return the tokenizer in the bytes of a file; without a name it has the file's stem.

    `split_pattern` and `special_tokens` replace what a file of the minbpe family says, and complete a .tiktoken file
    whose ranks are not known. A GGUF file of byte-level BPE takes a split pattern too, and needs one if the name of its
    own is not known; its header is enough. A vocab.json with its merges.txt takes one. Files of other kinds take
    neither. `beside` has other files given together with it, by name: a merges.txt, a tokenizer_config.json. Raises
    ValueError for a file that is damaged, or that takes more time or memory than any tokenizer needs.
    """
    for given, given_name in ((data, file_name), *((one, name) for name, one in beside.items())):
        if len(given) > MAX_FILE_BYTES:
            raise too_large(given_name)
    data = data.removeprefix(BOM)
    return sandbox.call(
        tokenizer_in,
        data,
        file_name,
        file_format(data),
        name,
        split_pattern,
        special_tokens,
        dict(beside),
        seconds=READ_SECONDS,
        what=file_name,
        key=hashlib.sha256(data).hexdigest(),
    )
