"""Translate split patterns for Oniguruma, the regex engine of the `tokenizers` library, and from it.

The two engines agree on Unicode properties, case and white space (compared over all code points), but not on all
syntax: `\\p{N}{1,3}+` is possessive in `regex` and a repeat of repeats in Oniguruma, where `$` and `^` stand at every
line, and `\\w` covers other characters.
"""

import regex

from tokviz.core.named_patterns import ALIASES, SPLIT_PATTERNS
from tokviz.core.patterns import as_one_part_pattern, pattern_name_or_regex, pattern_parts

# The regular expression inside the ByteLevel pre-tokenizer: gpt2 as OpenAI first wrote it.
BYTE_LEVEL = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
# Those of the named patterns that Oniguruma needs in another form.
_FOR_ONIGURUMA = {
    SPLIT_PATTERNS["gpt2"]: BYTE_LEVEL,
    # Nothing follows the numbers, so being greedy is as good as being possessive.
    SPLIT_PATTERNS["cl100k"]: SPLIT_PATTERNS["cl100k"].replace("{1,3}+", "{1,3}"),
    SPLIT_PATTERNS["sentencepiece"]: SPLIT_PATTERNS["sentencepiece"].replace("{1,31}+", "{1,31}"),
}
_FROM_ONIGURUMA = {pattern: ours for ours, pattern in _FOR_ONIGURUMA.items()}
_KNOWN = {*ALIASES, *(part for pattern in SPLIT_PATTERNS.values() for part in pattern_parts(pattern))}
# Syntax that the engines read differently, or that one of them does not know.
_DIALECT = regex.compile(
    r"\\[^pPsSdrntuxfv\W]|\$|(?<!\[)\^|&&|\|\||--|~~|[\d,]\}\+|(?<!\\)\[[^\]]*(?<!\\)\[|\(\?[^:=!<i]|\(\?<[^=!]|\(\?i[^:)]"
)
_ESCAPED, _SET = regex.compile(r"\\[^\w\s]"), regex.compile(r"\[[^\[\]]*\]")


def split_pattern_from_oniguruma(*patterns: str) -> str:
    """Return the split pattern that cuts as these do in Oniguruma, one after the other; by its name if it has one.

    Raises ValueError for a pattern that may be read differently, or does not compile here.

    >>> [split_pattern_from_oniguruma(*parts) for parts in ([r"\\p{N}{1,3}|\\p{L}+"], [], [r"\\p{N}", BYTE_LEVEL])]
    ['\\\\p{N}{1,3}|\\\\p{L}+', 'none', 'starcoder']
    """
    parts = [_FROM_ONIGURUMA.get(pattern) or as_one_part_pattern(pattern) for pattern in patterns]
    for part in parts:
        check_portable_regex(part)
    return pattern_name_or_regex("\n".join(parts))


def check_portable_regex(pattern: str) -> None:
    """Raise ValueError for a pattern with syntax that regex engines read differently, or that not all of them know."""
    unescaped = _ESCAPED.sub("_", pattern)  # signs that stand for themselves
    found = _DIALECT.search(_SET.sub(lambda one: one[0][:2] + regex.sub("[$^]", "_", one[0][2:]), unescaped))
    if found and pattern not in _KNOWN:
        raise ValueError(f"its split pattern has {found[0]!r}, which regex engines read differently")


def oniguruma_parts(split_pattern: str) -> tuple[str, ...]:
    """Return the parts of a split pattern, given by name or in full, for Oniguruma; none for "none".

    A user's own pattern is returned unchanged: whether it cuts the same must still be tried. Raises
    ValueError for one that does not compile or may be read differently.

    >>> oniguruma_parts("none"), oniguruma_parts("gpt2") == (BYTE_LEVEL,)
    ((), True)
    """
    name = pattern_name_or_regex(split_pattern)
    if name == "none":
        return ()
    parts = pattern_parts(name)
    for part in parts:
        check_portable_regex(part)
    return tuple(_FOR_ONIGURUMA.get(part, part) for part in parts)
