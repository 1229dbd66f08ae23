"""Of several files that were given together, the one that holds the tokenizer."""

from collections.abc import Mapping

from tokviz.formats.format import OTHER
from tokviz.formats.table import file_format

FILES_MAX = 12  # a repository of a model has some eight beside its weights


def main_file(files: Mapping[str, bytes]) -> str:
    """Return the name of the file that holds the tokenizer, told by what is in it; the others may say more of it.

    Raises ValueError for none or for more than `FILES_MAX`.

    >>> main_file({"merges.txt": b"#version: 0.2", "special_tokens_map.json": b"{}", "vocab.json": b'{"a": 0, "b": 1}'})
    'vocab.json'
    """
    if not 1 <= len(files) <= FILES_MAX:
        raise ValueError(f"{len(files)} files; a tokenizer has at most {FILES_MAX}: give only those that belong to one")
    return min(files, key=lambda name: (_place(files[name]), -len(files[name])))


def holds_tokenizer(data: bytes) -> bool:
    """Return whether a file seems to hold a tokenizer, or half of one, and not just what may lie beside it.

    >>> holds_tokenizer(b"YQ== 0\\n"), holds_tokenizer(b'{"chat_template": ""}')
    (True, False)
    """
    return _place(data) < OTHER


def _place(data: bytes) -> int:
    """Return how surely a file holds a tokenizer, 0 being the surest."""
    kind = file_format(data)
    return kind.place if kind and kind.mark.search(data) else OTHER
