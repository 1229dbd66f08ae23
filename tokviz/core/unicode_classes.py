"""Classes of characters such as `\\p{L}` as tiktoken has them, where the installed `regex` knows another Unicode."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from itertools import groupby

import regex
import tiktoken

# Versions, by how they begin, whose classes are the same: tests/core/test_unicode_classes.py compares them.
_ALIKE = ("2025.7.", "0.14.")
_CLASS = re.compile(r"\\p\{(\w+)\}")
_BYTES = {bytes([i]): i for i in range(256)}


def compiled_with_classes_of_tiktoken(pattern: str) -> regex.Pattern[str]:
    """Return a regular expression without flags, compiled so that each `\\p{…}` has the characters it has in tiktoken.

    Characters that one of the two libraries knows and the other does not are put into the classes or taken out of them,
    which makes a pattern slower and changes nothing else. No other form of classes, such as `\\P{…}`, is compared.

    >>> compiled_with_classes_of_tiktoken(r"\\p{L}+").findall("it is ครับ")
    ['it', 'is', 'คร', 'บ']
    """
    if are_alike():
        return regex.compile(pattern)
    return regex.compile(_CLASS.sub(lambda match: _class_with_differences(match[1]), pattern), regex.V1)


@cache
def are_alike() -> bool:
    """Return whether the installed `regex` and tiktoken are known to have the same classes."""
    installed = version("regex"), version("tiktoken")
    return all(found.startswith(known) for found, known in zip(installed, _ALIKE, strict=True))


def _class_with_differences(name: str) -> str:
    more, fewer = differences(name)
    if not more and not fewer:
        return rf"\p{{{name}}}"
    wider = rf"[\p{{{name}}}{_as_ranges(more)}]"
    return f"[{wider}--[{_as_ranges(fewer)}]]" if fewer else wider


@cache
def differences(name: str) -> tuple[str, str]:
    """Return the characters that are in a class in tiktoken alone, and those in `regex` alone, ascending.

    Every character is tried, which takes some tenths of a second.

    >>> all(isinstance(characters, str) for characters in differences("Lu"))
    True
    """
    pattern = rf"\p{{{name}}}"
    # tiktoken leaves out what its pattern does not match.
    encoding = tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=_BYTES, special_tokens={})
    in_tiktoken = {*encoding.decode(encoding.encode_ordinary(_all_characters()))}
    in_regex = {*regex.findall(pattern, _all_characters())}
    return "".join(sorted(in_tiktoken - in_regex)), "".join(sorted(in_regex - in_tiktoken))


@cache
def _all_characters() -> str:
    return "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))


def _as_ranges(characters: str) -> str:
    """Return characters, ascending, as the inside of a set.

    >>> _as_ranges("abcx")
    '\\\\U00000061-\\\\U00000063\\\\U00000078-\\\\U00000078'
    """
    runs = consecutive_runs(map(ord, characters))
    return "".join(rf"\U{first:08x}-\U{first + n - 1:08x}" for first, n in runs)


def consecutive_runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first of each run of consecutive numbers, which ascend, and how many it has.

    >>> list(consecutive_runs([0, 1, 2, 7, 8]))
    [(0, 3), (7, 2)]
    """
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        (_, first), *others = run
        yield first, 1 + len(others)
