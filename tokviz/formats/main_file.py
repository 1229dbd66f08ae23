"""Of several files that were given together, the one that holds the tokenizer."""

import re
from collections.abc import Mapping

from tokviz.formats.detect import file_format

FILES_MAX = 12  # a repository of a model has some eight beside its weights
OTHER = 3  # the place of a file that may lie beside a tokenizer
MODEL = re.compile(rb'"model"\s*+:\s*+\{')  # in a tokenizer.json, and in no other JSON beside one
PIECE = re.compile(rb"\n.{1,9}\n.{1,200}\x15", re.DOTALL)  # SentencePiece's first one and its score; no text has that


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
    match file_format(data):
        case "GGUF" | "nanochat" | "tekken.json":
            return 0
        case "tokenizer.json" if MODEL.search(data):
            return 0
        case "minbpe" | "tiktoken":
            return 1
        case "SentencePiece" if PIECE.match(data):
            return 1
        case "vocab.json":
            return 2  # or added_tokens.json, which is shorter
    return OTHER
