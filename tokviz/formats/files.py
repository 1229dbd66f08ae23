"""Read a tokenizer from a file, known by its content, and save one to a file, in the format of its suffix.

A child process with limits reads. Nothing in a file is executed. The kinds are in `table`.
"""

import gc
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokviz.core.protocol import AnyTokenizer, as_tokenizer
from tokviz.core.special_tokens import SpecialTokens
from tokviz.core.tokenizer import Tokenizer, tokenizer_with_merges
from tokviz.formats import table
from tokviz.formats.folders import TokenizerFile, read_tokenizer_file
from tokviz.formats.format import Format, Source
from tokviz.formats.library_tokenizer import LibraryTokenizer
from tokviz.formats.minbpe import MAX_FILE_BYTES
from tokviz.formats.table import file_format_if_known, file_kinds_in_words
from tokviz.formats.wrong_files import BOM, refuse_wrong_file, too_large_error, unknown_file_error
from tokviz.system import sandbox
from tokviz.system.atomic_file import replace_text, replacement_file

READ_SECONDS = 30.0  # of processor time; a tokenizer.json of 256,000 tokens takes two to four


def needs_split_pattern(data: bytes, file_name: str) -> bool:
    """Return whether a file can only be read with a split pattern that the caller gives.

    So it is with a .tiktoken file whose ranks are not well known, and with byte-level BPE in a GGUF file that names a
    pre-tokenizer that is not known. A file of another kind lacks nothing, whatever else is wrong with it.

    >>> needs_split_pattern(b"YQ== 0\\n", "mine.tiktoken"), needs_split_pattern(b"{}", "tokenizer.json")
    (True, False)
    """
    kind = file_format_if_known(data)
    if kind is None or kind.lacks_pattern is None or len(data) > MAX_FILE_BYTES:
        return False
    key = hashlib.sha256(data).hexdigest()
    return sandbox.call(kind.lacks_pattern, data, file_name, seconds=READ_SECONDS, what=file_name, key=key)


def read(
    path: str | Path,
    *,
    name: str | None = None,
    split_pattern: str | None = None,
    special_tokens: SpecialTokens | None = None,
) -> AnyTokenizer:
    """Return the tokenizer in a file, known by its content, or in a folder, such as a repository of Hugging Face.

    Its name is the file's stem, or the folder's name if a folder is given or the file has a usual name, such as
    tokenizer.json. BPE that knows every text becomes a `Tokenizer` if that class can express its rules; anything else
    runs through the library of its format, and `reason` says why. The options are as in `read_tokenizer`. Files beside
    it that belong to it are read with it. Of a GGUF file, which may be gigabytes, only the header is read.
    """
    return tokenizer_of_file(
        read_tokenizer_file(Path(path)), name=name, split_pattern=split_pattern, special_tokens=special_tokens
    )


def tokenizer_of_file(file: TokenizerFile, *, name: str | None = None, **rules: Any) -> AnyTokenizer:
    """Return the tokenizer in a file that is read already; `rules` and errors are as in `read_tokenizer`."""
    return read_tokenizer(file.data, file.name, name=name or file.folder, beside=file.beside, **rules)


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
            raise too_large_error(given_name)
    data = data.removeprefix(BOM)
    return sandbox.call(
        _tokenizer_in,
        Source(data, file_name, name or Path(file_name).stem, split_pattern, special_tokens, dict(beside)),
        file_format_if_known(data),
        file_kinds_in_words(),
        seconds=READ_SECONDS,
        what=file_name,
        key=hashlib.sha256(data).hexdigest(),
    )


def _tokenizer_in(source: Source, kind: Format | None, expected: str) -> AnyTokenizer:
    """Return the tokenizer in an unchecked file; `expected` says which files are read."""
    refuse_wrong_file(source.data, source.file_name)
    if kind is None or kind.read is None:
        raise unknown_file_error(source.data, source.file_name, expected)
    takes_pattern = "split_pattern" in kind.takes
    if (source.split_pattern is not None and not takes_pattern) or (
        source.special_tokens is not None and "special_tokens" not in kind.takes
    ):
        own = "special tokens are" if takes_pattern else "split pattern and special tokens are"
        raise ValueError(f"{source.file_name}: this is {kind.name}, whose {own} its own")
    gc.disable()  # a large file makes millions of objects and hardly a cycle; the search takes a seventh of the time
    try:
        return kind.read(source)
    finally:
        gc.enable()


def tokenizer_file_text(tokenizer: Tokenizer, suffix: str, *, version: str | None = None) -> str:
    """Return what a file with this suffix holds.

    .model is for minbpe and classes modelled on it, .json for the `tokenizers` library, .tiktoken for tiktoken, and
    .vocab a listing for people. `version` is the first line of a .model file, by default "minbpe v1". Raises
    ValueError for another suffix or version, and for a tokenizer that the format cannot hold.

    >>> from tokviz.core.bpe import ranks_from_merges
    >>> tokenizer_file_text(Tokenizer("toy", "none", ranks_from_merges([(97, 97)])), ".model")
    'minbpe v1\\n\\n0\\n97 97\\n'
    """
    written = [one for one in table.FORMATS if one.write]
    kind = next((one for one in written if one.suffix == suffix), None)
    if version is not None and not (kind and "version" in kind.takes):
        having = ", ".join(one.suffix for one in written if "version" in one.takes)
        raise ValueError(f"a {suffix} file has no version {version!r}: only a {having} file has one")
    if kind is None or kind.write is None:
        raise ValueError(f"{suffix!r} is not one of {', '.join(one.suffix for one in written)}")
    return kind.write(tokenizer) if version is None else kind.write(tokenizer, version=version)


def save(tokenizer: Any, path: str | Path, *, version: str | None = None) -> None:
    """Write a tokenizer to a file in the format of its suffix, whole or not at all; else as `tokenizer_file_text`.

    One that a library runs has the format of its own file alone. Raises FamilyError for any other.
    """
    path, tokenizer = Path(path), as_tokenizer(tokenizer, "saving")
    if isinstance(tokenizer, LibraryTokenizer) and (path.suffix, version) == (Path(tokenizer.file_name).suffix, None):
        with replacement_file(path) as file:
            file.write(tokenizer.data)
        return
    tokenizer = tokenizer_with_merges(tokenizer, f"saving as {path.suffix or repr(path.name)}")
    text = tokenizer_file_text(tokenizer, path.suffix, version=version)
    replace_text(path, text)
