"""Rules for words, for lesson 1: three ways to cut a text into words, and the words that a tokenizer does not know."""

from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

import regex

from tokviz.core.samples import sample

if TYPE_CHECKING:
    from spacy.language import Language

_WORD = r"[\p{L}\p{M}\p{N}_]+"
_APART = regex.compile(rf"{_WORD}|[^\s\p{{L}}\p{{M}}\p{{N}}_]")
# The most common of spaCy's rules for English, in the style of the Penn Treebank: can't is ca and n't, cannot is can
# and not, it's is it and 's; abbreviations and numbers stay whole, words are cut at hyphens, except GPT-4. ’ is '.
_RULES = regex.compile(
    rf"""(?xi)
    \b (?:mr|mrs|ms|dr|prof|st|jr|vs) \. | \b (?:\p{{L}}\.)+ (?!{_WORD})
    | \p{{N}}+ (?:[.,:/]\p{{N}}+)+
    | o['’]clock\b | \b y['’](?=all\b)
    | {_WORD}(?=n['’]t\b) | n['’]t\b | ['’](?:s|re|ve|ll|d|m)\b
    | \b (?:ai|are|ca|could|did|do|does|had|has|have|is|might|must|need|sha|should|was|were|wo|would)(?=nt\b)
    | \b can(?=not\b) | \b (?:gon(?=na\b)|got(?=ta\b))
    | {_WORD} (?:(?<=\p{{L}})-(?=\p{{N}}){_WORD})?
    | \.{{2,}} | --+ | \S
    """
)
UNKNOWN = "[UNK]"
_ONE_AT_A_TIME = Lock()  # spaCy frees what it learned from a text at the end of a zone, and there can be only one zone


@lru_cache(maxsize=1)
def _spacy_english() -> "Language | None":
    """Return spaCy's English without a model, or None if spaCy is not installed; takes about a second."""
    try:
        import spacy
    except ImportError:
        return None
    english = spacy.blank("en")
    # Before spaCy 3.8 every new word stayed in memory for good.
    return english if hasattr(english, "memory_zone") else None


def can_use_spacy() -> bool:
    """Return whether `words_by_spacy_or_few_rules` uses the rules of spaCy."""
    return _spacy_english() is not None


def words_by_spacy_or_few_rules(text: str) -> list[str]:
    """Return the words and marks of an English text, by spaCy's rules if it is installed, else by a few of our own.

    >>> words_by_spacy_or_few_rules("Nobody’s sure, and I can't tell.")
    ['Nobody', '’s', 'sure', ',', 'and', 'I', 'ca', "n't", 'tell', '.']
    """
    english = _spacy_english()
    if english is None:
        return words_by_few_rules(text)
    with _ONE_AT_A_TIME, english.memory_zone():
        return [token.text for token in english.tokenizer(text) if not token.is_space]


def words_by_few_rules(text: str) -> list[str]:
    """Return what `words_by_spacy_or_few_rules` returns without spaCy.

    >>> words_by_few_rules("They cannot don’t.")
    ['They', 'can', 'not', 'do', 'n’t', '.']
    """
    return _RULES.findall(text)


WORD_RULES: dict[str, Callable[[str], list[str]]] = {
    "white space": str.split,
    "punctuation apart": _APART.findall,
    "by rules": words_by_spacy_or_few_rules,
}


@lru_cache(maxsize=1)
def english_sample_words() -> frozenset[str]:
    """Return the words of the English sample in lower case: the vocabulary of a tokenizer of words.

    >>> "bread" in english_sample_words(), "tokenizer" in english_sample_words()
    (True, False)
    """
    return frozenset(_APART.findall(sample("english").lower()))


def words_with_unknown_replaced(text: str) -> list[str]:
    """Return the words of a text in lower case, with [UNK] for each that the vocabulary lacks."""
    return [word if word in english_sample_words() else UNKNOWN for word in _APART.findall(text.lower())]
