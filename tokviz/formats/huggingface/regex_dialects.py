"""Translate split patterns for Oniguruma, the regex engine of the `tokenizers` library, and from it.

The two engines agree on Unicode properties, case and white space (compared over all code points), but not on all
syntax: `\\p{N}{1,3}+` is possessive in `regex` and a repeat of repeats in Oniguruma, where `$` and `^` stand at every
line, and `\\w` covers other characters.
"""

import regex

from tokviz.core.patterns import SPLIT_PATTERNS, pattern_name

# Nothing follows the numbers, so being greedy is as good as being possessive.
ONIGURUMA = {name: regex.sub(r"(\{1,\d+\})\+", r"\1", pattern) for name, pattern in SPLIT_PATTERNS.items()}
# The regular expression inside the ByteLevel pre-tokenizer: gpt2 as OpenAI first wrote it.
BYTE_LEVEL = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_NAMES = {pattern: name for name, pattern in ONIGURUMA.items() if pattern} | {BYTE_LEVEL: "gpt2"}
# Syntax that the engines read differently, or that one of them does not know.
_DIALECT = regex.compile(
    r"\\[^pPsSdrntuxfv\W]|\$|(?<!\[)\^|&&|\|\||--|~~|[\d,]\}\+|(?<!\\)\[[^\]]*(?<!\\)\[|\(\?[^:=!<i]|\(\?<[^=!]|\(\?i[^:)]"
)


def from_oniguruma(pattern: str) -> str:
    """Return the split pattern that cuts as this one does in Oniguruma, by its name if it has one.

    Raises ValueError for a pattern that may be read differently, or does not compile here.

    >>> from_oniguruma(r"\\p{N}{1,3}|\\p{L}+"), from_oniguruma(ONIGURUMA["cl100k"])
    ('\\\\p{N}{1,3}|\\\\p{L}+', 'cl100k')
    """
    if pattern in _NAMES:
        return _NAMES[pattern]
    check_dialect(pattern)
    return pattern_name(pattern)


def check_dialect(pattern: str) -> None:
    """Raise ValueError for a pattern with syntax that regex engines read differently, or that not all of them know."""
    if found := _DIALECT.search(pattern):
        raise ValueError(f"its split pattern has {found[0]!r}, which regex engines read differently")


def to_oniguruma(split_pattern: str) -> str:
    """Return a split pattern, given by name or as a regular expression, for Oniguruma.

    A user's own pattern is returned unchanged: whether it cuts the same must still be tried. Raises
    ValueError for one that may be read differently.
    """
    name = pattern_name(split_pattern)
    if name not in ONIGURUMA:
        check_dialect(name)
    return ONIGURUMA.get(name, name)
