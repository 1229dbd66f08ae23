"""Files that people open and that hold no tokenizer: known by how they begin, refused with the way out.

In: the bytes of a file. Out: nothing, or a ValueError that says what was found and what to open instead.
"""

import re
from collections.abc import Callable

from tokviz.core.patterns import shortened
from tokviz.formats.minbpe import VERSIONS

BOM = b"\xef\xbb\xbf"
KINDS = (
    "a tokenizer.json, a .tiktoken, a .model of SentencePiece, or a .model of the minbpe family "
    f"({', '.join(VERSIONS)})"
)
_INSTEAD = "open the tokenizer.json or .model that belongs to it"
_LISTING = re.compile(rb"\[[^\n]*\] [0-9]+\n")
_UTF_16 = re.compile(rb"(?:[\t\r\n]\0)*(?:[ -~]\0){4}|(?:\0[\t\r\n])*(?:\0[ -~]){4}")
_PICKLED = re.compile(rb"\x80[\x02-\x05]|PK\x03\x04|\([dl]p0\n")


def _is_safetensors(data: bytes) -> bool:
    return data[8:10] == b'{"' and not data[5:8].strip(b"\0")


# How a file begins, or a test of it, and what is then said.
_KINDS: tuple[tuple[bytes | tuple[bytes, ...] | Callable[[bytes], object], str], ...] = (
    (lambda data: not data.strip(), "the file is empty; fetch it again, or choose another"),
    (_PICKLED.match, "a pickled or zipped file; opening one may run code, so it is not opened"),
    (
        (b"\x1f\x8b", b"\xfd7zXZ", b"BZh", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf"),
        "a compressed file; unpack it, and open what is inside",
    ),
    (
        b"version https://git-lfs",
        "a pointer of Git LFS, which stands for the file; fetch the file itself, with git lfs pull for one",
    ),
    (
        lambda data: data[:500].lstrip().lower().startswith((b"<!doctype", b"<html", b"<?xml", b"<head")),
        "a web page, such as one gets for a link to a file; download the file itself (raw)",
    ),
    (b"GGUF", f"a GGUF, which holds the weights of a model; {_INSTEAD}"),
    (_is_safetensors, f"a safetensors file, which holds the weights of a model; {_INSTEAD}"),
    (
        (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff"),
        "text in UTF-16 or UTF-32, where UTF-8 is expected; save it as UTF-8 and open it again",
    ),
    (lambda data: _UTF_16.match(data), "text in UTF-16, where UTF-8 is expected; save it as UTF-8 and open it again"),
    (b"#version", "a merges.txt, which is half a tokenizer; open its tokenizer.json"),
    (_LISTING.match, "a .vocab listing is for people; open the .model beside it"),
    (
        lambda data: re.match(rb"<unk>\t-?[0-9]", data),
        "a .vocab of SentencePiece is for people; open the .model beside it",
    ),
)


def refuse_wrong_files(data: bytes, file_name: str) -> None:
    """Raise ValueError for a file that is known to hold no tokenizer.

    >>> refuse_wrong_files(b"<!DOCTYPE html><title>404</title>", "gpt2.json")
    Traceback (most recent call last):
    ValueError: gpt2.json: a web page, such as one gets for a link to a file; download the file itself (raw)
    """
    for begins, words in _KINDS:
        if begins(data) if callable(begins) else data.startswith(begins):
            raise ValueError(f"{file_name}: {words}")


def unknown_file(data: bytes, file_name: str) -> ValueError:
    """Return the refusal of a file of a kind that nobody knows."""
    if b"\0" in data[:1_000] or not _is_text(data[:1_000]):
        return ValueError(f"{file_name}: binary data of an unknown kind; expected is {KINDS}")
    line = data[:200].decode("utf-8", "replace").split("\n")[0]
    return ValueError(f"{file_name}, line 1: {shortened(line)} begins no file that is read here; expected is {KINDS}")


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError as e:
        return e.end == len(data)  # the piece ends inside a character
    return True
