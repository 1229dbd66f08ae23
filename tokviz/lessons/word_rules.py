"""Rules for words, for lesson 1: three ways to cut a text into words, and what a tokenizer of words does not know."""

from functools import lru_cache

import regex

from tokviz.samples import sample

_WORD = r"[\p{L}\p{M}\p{N}_]+"
_APART = regex.compile(rf"{_WORD}|[^\s\p{{L}}\p{{M}}\p{{N}}_]")
# In the manner of the Penn Treebank: can't is ca and n't, it's is it and 's, words with hyphens stay whole.
_RULES = regex.compile(
    rf"(?i){_WORD}(?=n't)|n't\b|'(?:s|re|ve|ll|d|m)\b|{_WORD}(?:-{_WORD})+|{_WORD}|[^\s\p{{L}}\p{{M}}\p{{N}}_]"
)
WORD_RULES = {
    "white space": str.split,
    "punctuation apart": _APART.findall,
    "by rules": _RULES.findall,
}
UNKNOWN = "[UNK]"


@lru_cache(maxsize=1)
def known_words() -> frozenset[str]:
    """Return the words of the English sample in lower case: the vocabulary of a tokenizer of words.

    >>> "bread" in known_words(), "tokenizer" in known_words()
    (True, False)
    """
    return frozenset(_APART.findall(sample("english").lower()))


def with_unknown(text: str) -> list[str]:
    """Return the words of a text in lower case, [UNK] in place of those that the vocabulary lacks."""
    return [word if word in known_words() else UNKNOWN for word in _APART.findall(text.lower())]
