"""Files without a tokenizer that can be read: refused by name, with what was found and what to open instead."""

import re

from tokviz.core.patterns import short_repr
from tokviz.formats.minbpe import MAX_FILE_BYTES
from tokviz.formats.nanochat import PICKLED_ENCODING

BOM = b"\xef\xbb\xbf"
# How a file begins, and what is then said.
_WRONG = tuple(
    (re.compile(begins, re.DOTALL), words)
    for begins, words in (
        (rb"\s*+\Z", "the file is empty; fetch it again, or choose another"),
        (
            rb"(?!" + PICKLED_ENCODING.pattern + rb")\x80[\x02-\x05]|PK\x03\x04|\([dl]p0\n",
            "a pickled or zipped file; opening one may run code, so it is not opened",
        ),
        (
            rb"\x1f\x8b|\xfd7zXZ|BZh|\x28\xb5\x2f\xfd|7z\xbc\xaf",
            "a compressed file; unpack it, and open what is inside",
        ),
        (
            rb"version https://git-lfs",
            "a pointer of Git LFS in place of the file; fetch the file itself, for example with git lfs pull",
        ),
        (
            rb"\s*+(?i:<!doctype|<html|<\?xml|<head)",
            "a web page, such as you get for a link to a file; download the file itself (raw)",
        ),
        (rb'.{5}\0\0\0\{"', "the weights of a model; open the tokenizer.json or .model that belongs to it"),
        (
            rb"\xff\xfe|\xfe\xff|\0\0\xfe\xff|(?:[\t\r\n]\0)*+(?:[ -~]\0){4}|(?:\0[\t\r\n])*+(?:\0[ -~]){4}",
            "text in UTF-16 or UTF-32, where UTF-8 is expected; save it as UTF-8 and open it again",
        ),
        (rb"\[[^\n]*\] [0-9]+\n|<unk>\t-?[0-9]", "a .vocab listing is for people; open the .model beside it"),
    )
)
_PLACE = re.compile(r" at line \d+ column \d+$")  # in what the library was given, which is not the file


def refuse_wrong_file(data: bytes, file_name: str) -> None:
    """Raise ValueError for a file that is known to hold no tokenizer.

    >>> refuse_wrong_file(b"<!DOCTYPE html><title>404</title>", "gpt2.json")
    Traceback (most recent call last):
    ValueError: gpt2.json: a web page, such as you get for a link to a file; download the file itself (raw)
    """
    for begins, words in _WRONG:
        if begins.match(data):
            raise ValueError(f"{file_name}: {words}")


def too_large_error(file_name: str) -> ValueError:
    """Return the refusal of a file that is larger than any tokenizer."""
    return ValueError(f"{file_name}: over {MAX_FILE_BYTES:,} bytes; no tokenizer is so large")


def unknown_file_error(data: bytes, file_name: str, expected: str) -> ValueError:
    """Return the refusal of a file of an unknown kind; `expected` says which are."""
    head = data[:1_000]
    line = head.decode("utf-8", "replace").split("\n")[0]
    if b"\0" in head or "\ufffd" in line[:-1]:  # the last character may be cut off
        return ValueError(f"{file_name}: binary data of an unknown kind; expected is {expected}")
    return ValueError(
        f"{file_name}, line 1: {short_repr(line)} begins no file that is read here; expected is {expected}"
    )


def library_refusal_error(e: BaseException, file_name: str) -> ValueError:
    """Return the refusal of a tokenizer.json that the `tokenizers` library does not take; its own words in brackets.

    >>> library_refusal_error(ValueError("missing field `vocab` at line 1 column 9"), "x.json")
    ValueError("x.json: the tokenizers library does not take this file, which is damaged or of a newer version \
('missing field `vocab`')")
    """
    words = _PLACE.sub("", (str(e).splitlines() or [type(e).__name__])[0])
    return ValueError(
        f"{file_name}: the tokenizers library does not take this file, which is damaged or of a newer version "
        f"({short_repr(words, 200)})"
    )
