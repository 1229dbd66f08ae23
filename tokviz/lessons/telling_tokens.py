"""What the tokens of a vocabulary reveal, for lesson 11: longest words, spellings of one word, how many are used."""

from functools import lru_cache

from tokviz.analysis.vocabulary_facts import vocabulary_facts
from tokviz.analysis.vocabulary_report import longest_tokens
from tokviz.exercises import SAMPLES, load, sample

SHOWN = 10


@lru_cache(maxsize=8)
def longest_words(name: str) -> tuple[str, ...]:
    """Return the longest tokens of a tokenizer that consist of letters only.

    >>> " telecommunications" in longest_words("gpt2")
    True
    """
    texts = vocabulary_facts(load(name)).texts
    return tuple(texts[token] or "" for token in longest_tokens(load(name), SHOWN, words_only=True))


def spellings(name: str, word: str) -> list[str]:
    """Return the spellings of a word that are tokens of a tokenizer, in the order of ids.

    These are small letters, a capital initial and all capitals, singular and plural, with and without a space.

    >>> spellings("gpt2", "ingredient")
    [' ingredients', ' ingredient', ' Ingredients', 'Ingredients']
    """
    stem = stem_of(word)
    forms = [case(form) for form in (stem, stem + "s") for case in (str.lower, str.capitalize, str.upper)]
    ranks = load(name).mergeable_ranks
    found = {space + form for form in forms for space in ("", " ")}
    return sorted((form for form in found if form.encode() in ranks), key=lambda form: ranks[form.encode()])


def stem_of(word: str) -> str:
    """Return an English noun in small letters and the singular, if only its last letter differs."""
    return word.strip().lower().removesuffix("s")


@lru_cache(maxsize=8)
def n_used(name: str) -> int:
    """Return how many different tokens of a tokenizer the sample texts of this app use together."""
    return len({token for text in SAMPLES for token in load(name).encode(sample(text))})
