"""Tokenizers on disk: which of several files holds one, which belong to it, and what is read of a file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tokviz.core.patterns import short_repr
from tokviz.formats.format import OTHER
from tokviz.formats.gguf.header import MAGIC, header_bytes
from tokviz.formats.huggingface.vocab_merges import HALVES
from tokviz.formats.minbpe import MAX_FILE_BYTES
from tokviz.formats.table import file_format_if_known, file_names, suffixes
from tokviz.formats.wrong_files import too_large_error
from tokviz.system.input_file import open_file

PATH_SHOWN = 1_000  # characters of a path that an error quotes: its end says which file it is
FILES_MAX = 12  # given together; a repository of a model has some eight beside its weights
COMPANIONS = ("tokenizer_config.json", "special_tokens_map.json", "chat_template.jinja", "chat_template.json")


@dataclass(frozen=True)
class TokenizerFile:
    """A file with a tokenizer, read once: its name, what is needed of it, and the files that belong to it, by name.

    folder: the name of its folder, if that was given, or the file has a usual name, such as tokenizer.json.
    """

    name: str
    data: bytes
    beside: Mapping[str, bytes]
    folder: str | None


def read_tokenizer_file(path: Path) -> TokenizerFile:
    """Return the file with the tokenizer at a path: `path` itself, or the one in a folder.

    In a folder it is the first of `file_names` that is there, or the only file with one of the `suffixes`. Raises
    ValueError if there is none, or several of these, and as `needed_bytes`; OSError for what is missing or unreadable.

    >>> read_tokenizer_file(Path("gpt5.json"))
    Traceback (most recent call last):
    FileNotFoundError: there is no file 'gpt5.json': name a tokenizer file, or a folder with one
    """
    if "\0" in str(path):
        raise ValueError(f"{short_repr(str(path))} is not a path: it contains a NUL")
    try:
        file = _tokenizer_path(path)
        folder = file.parent.resolve().name if path.is_dir() or file.name in file_names() else None
        return TokenizerFile(file.name, needed_bytes(file), companion_file_contents(file), folder)
    except OSError as e:
        raise type(e)(_reason_unreadable(path, e)) from e


def _reason_unreadable(path: Path, error: OSError) -> str:
    """Return why a path cannot be read."""
    name = short_repr(error.filename or str(path), PATH_SHOWN)
    if isinstance(error, FileNotFoundError):
        return f"there is no file {name}: name a tokenizer file, or a folder with one"
    return f"{name} cannot be read ({error.strerror or error}): name another file, or let this program read it"


def _tokenizer_path(path: Path) -> Path:
    if not path.is_dir():
        return path
    names = file_names()
    for name in names:
        if (path / name).is_file():
            return path / name
    found = sorted(one for one in path.iterdir() if one.suffix in suffixes() and one.is_file())
    if len(found) == 1:
        return found[0]
    words = f"several tokenizers, {', '.join(one.name for one in found[:5])}; name one" if found else (
        f"no tokenizer; expected is {', '.join(names[:-1])}, {names[-1]} with merges.txt, or a file that ends in "
        f"{', '.join(suffixes())}"
    )  # fmt: skip
    raise ValueError(f"the folder {path.resolve().name} holds {words}")


def companion_file_contents(path: Path) -> dict[str, bytes]:
    """Return the files that belong to one, by name: those of its repository, if it has a name that they have there.

    The other half of gpt2-vocab.json is gpt2-merges.txt. Files too large to belong to a tokenizer are left out.
    """
    names = {*COMPANIONS} if path.name in (*file_names(), *HALVES) else set()
    names |= {path.name.removesuffix(half) + other for half, other in HALVES.items() if path.name.endswith(half)}
    files = (path.with_name(name) for name in sorted(names - {path.name}))
    return {one.name: needed_bytes(one) for one in files if one.is_file() and one.stat().st_size <= MAX_FILE_BYTES}


def needed_bytes(path: Path) -> bytes:
    """Return what is needed of a file: of a GGUF file its header, of any other all.

    Raises ValueError for a file that is too large, and for what `open_file` refuses.
    """
    with open_file(path) as file:
        if file.peek(len(MAGIC)).startswith(MAGIC):
            return header_bytes(file, path.name)
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise too_large_error(path.name)
    return data


def likeliest_tokenizer_file_name(files: Mapping[str, bytes]) -> str:
    """Return the name of the file that holds the tokenizer, recognised by what is in it; the others may say more of it.

    Raises ValueError for none or for more than `FILES_MAX`.

    >>> likeliest_tokenizer_file_name({"merges.txt": b"#version: 0.2", "vocab.json": b'{"a": 0, "b": 1}', "x": b"{}"})
    'vocab.json'
    """
    if not 1 <= len(files) <= FILES_MAX:
        raise ValueError(f"{len(files)} files; a tokenizer has at most {FILES_MAX}: give only those that belong to one")
    return min(files, key=lambda name: (_certainty_rank(files[name]), -len(files[name])))


def seems_to_hold_tokenizer(data: bytes) -> bool:
    """Return whether a file seems to have a tokenizer in it, or half of one, and not just what may be beside it.

    >>> seems_to_hold_tokenizer(b"YQ== 0\\n"), seems_to_hold_tokenizer(b'{"chat_template": ""}')
    (True, False)
    """
    return _certainty_rank(data) < OTHER


def _certainty_rank(data: bytes) -> int:
    """Return how surely a file holds a tokenizer, 0 being the surest."""
    kind = file_format_if_known(data)
    return kind.place if kind and kind.mark.search(data) else OTHER
