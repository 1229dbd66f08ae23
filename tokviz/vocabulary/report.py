"""What a vocabulary reveals: longest tokens, near-duplicates, markup, scripts, rare tokens, and what two share.

Special tokens are left out, since nobody learned them from a text. Tokens are indexes into the columns of
`vocabulary_facts`, in the order of ids unless another is named.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import regex

from tokviz.core.vocabulary import Vocabulary
from tokviz.system.recent import recent
from tokviz.vocabulary.facts import (
    KINDS,
    PART,
    SCRIPTS,
    SPECIAL,
    AnyVocabulary,
    VocabularyFacts,
    vocabulary_facts,
)

PARTS = "parts of characters"  # in the place of a script
_LETTER = regex.compile(r"\p{L}")
_WORDS = [KINDS.index("space + letters"), KINDS.index("letters")]
# What a token must hold to get this name; shorter parts of these occur in ordinary text too.
_MARKUP = {
    "address": regex.compile(r"\bhttps?\b|://|\bwww\b|\.(?:com|org|net|html?|php|jpe?g|png|svg)\b", regex.IGNORECASE),
    "tag": regex.compile(r"</|<[a-z!]|/>|\b(?:href|src|class|style|width|colspan)=", regex.IGNORECASE),
    "entity": regex.compile(r"&(?:#|[a-z]{2,6};|(?:nbsp|quot|amp|lt|gt)\b)", regex.IGNORECASE),
    "wiki markup": regex.compile(r"\[\[|\]\]|\{\{|\}\}|\{\||\|-|'''"),
    "escape": regex.compile(r"\\[nrtux]|%[0-9A-F]{2}"),
}


def non_special_indices(vocabulary: AnyVocabulary) -> np.ndarray:
    """Return the tokens that are not special.

    >>> import tokviz
    >>> len(non_special_indices(tokviz.load("gpt2")))
    50256
    """
    return np.flatnonzero(vocabulary_facts(vocabulary).kinds != SPECIAL)


def longest_token_indices(vocabulary: AnyVocabulary, n: int = 20, *, words_only: bool = False) -> np.ndarray:
    """Return the n tokens with the most characters, the longest first; of equal ones the lower id comes first.

    Tokens that hold a part of a character are left out. `words_only`: only letters, which tell more about the
    training text than the runs of white space and dashes that would come first.

    >>> import tokviz
    >>> gpt2 = tokviz.load("gpt2")
    >>> [vocabulary_facts(gpt2).texts[token][:4] for token in longest_token_indices(gpt2, 2, words_only=True)]
    ['ÃÂÃÂ', 'ÃÂÃÂ']
    """
    facts = vocabulary_facts(vocabulary)
    wanted = np.isin(facts.kinds, _WORDS) if words_only else ~np.isin(facts.kinds, [SPECIAL, PART])
    tokens = np.flatnonzero(wanted)
    return tokens[np.argsort(-facts.n_chars[tokens], kind="stable")[: max(n, 0)]]


@recent(maxsize=8)
def near_duplicate_indices(vocabulary: AnyVocabulary) -> dict[str, list[int]]:
    """Return groups of tokens that differ only in case or in white space around them, the largest group first.

    The key of a group is what its tokens have in common. Only tokens with a letter count.

    >>> import tokviz
    >>> gpt2 = tokviz.load("gpt2")
    >>> [vocabulary_facts(gpt2).texts[token] for token in near_duplicate_indices(gpt2)["egg"]]
    [' egg', ' Egg', 'egg']
    """
    groups: dict[str, list[int]] = {}
    for token, text in _token_indices_with_texts(vocabulary):
        if _LETTER.search(text):
            groups.setdefault(text.strip().casefold(), []).append(token)
    found = [(same, tokens) for same, tokens in groups.items() if len(tokens) > 1]
    return dict(sorted(found, key=lambda group: -len(group[1])))


def markup_by_token_index(vocabulary: AnyVocabulary) -> dict[int, str]:
    """Return the tokens that hold a part of a web address, a tag, an entity, wiki markup or an escape.

    Each with the name of what it holds; one that holds several gets the first of these names.

    >>> import tokviz
    >>> tokenizer = tokviz.train("<br/><br/>", vocab_size=260)
    >>> {vocabulary_facts(tokenizer).texts[token]: holds for token, holds in markup_by_token_index(tokenizer).items()}
    {'/>': 'tag', '<br': 'tag', '/><': 'tag'}
    """
    return {
        token: next(name for name, found in _MARKUP.items() if found.search(text))
        for token, text in _token_indices_with_texts(vocabulary)
        if any(found.search(text) for found in _MARKUP.values())
    }


def _token_indices_with_texts(vocabulary: AnyVocabulary) -> list[tuple[int, str]]:
    """Return the tokens that are whole characters, each with its text; not the bytes of characters that are tokens."""
    facts = vocabulary_facts(vocabulary)
    tokens = non_special_indices(vocabulary)
    if isinstance(vocabulary, Vocabulary):
        tokens = tokens[~np.isin(facts.ids[tokens], [*vocabulary.unused_bytes])]
    return [(token, text) for token in tokens.tolist() if (text := facts.texts[token]) is not None]


def token_counts_by_script(vocabulary: AnyVocabulary) -> dict[str, int]:
    """Return how many tokens each script has, the most first, and how many are parts of characters.

    "none" are white space, digits, punctuation and symbols, "parts of characters" are tokens that are not UTF-8 on
    their own.

    >>> import tokviz
    >>> token_counts_by_script(tokviz.train("ก a", vocab_size=257, split_pattern="none"))
    {'parts of characters': 129, 'none': 76, 'Latin': 52}
    """
    return dict(_counts_by_script(vocabulary_facts(vocabulary), non_special_indices(vocabulary)).most_common())


def _counts_by_script(facts: VocabularyFacts, tokens: np.ndarray) -> Counter[str]:
    scripts = (PARTS if facts.kinds[token] == PART else SCRIPTS[facts.scripts[token]] for token in tokens)
    return Counter(scripts)


def unused_token_indices(vocabulary: AnyVocabulary, ids: Iterable[int]) -> np.ndarray:
    """Return the tokens that do not occur among the ids of a text.

    >>> import tokviz
    >>> tokenizer = tokviz.train("low lower", vocab_size=258)
    >>> vocabulary_facts(tokenizer).tokens[unused_token_indices(tokenizer, tokenizer.encode("low lower"))[-1]]
    b'lo'
    """
    tokens = non_special_indices(vocabulary)
    return tokens[~np.isin(vocabulary_facts(vocabulary).ids[tokens], [*ids])]


@dataclass(frozen=True, eq=False)
class Overlap:
    """What two vocabularies share; tokens are the same if their bytes are, whatever their ids.

    So tokens of one vocabulary with the same bytes, as byte fallback has, count once. left, right: the facts of both.
    only_left and common are indexes into those of the left one, only_right into those of the right one.
    """

    left: VocabularyFacts
    right: VocabularyFacts
    only_left: np.ndarray
    only_right: np.ndarray
    common: np.ndarray

    @property
    def n_left(self) -> int:
        """How many tokens the left one has."""
        return len(self.only_left) + len(self.common)

    @property
    def n_right(self) -> int:
        """How many tokens the right one has."""
        return len(self.only_right) + len(self.common)

    @property
    def n_either(self) -> int:
        """How many tokens are in at least one of them."""
        return len(self.only_left) + len(self.only_right) + len(self.common)

    @property
    def jaccard(self) -> float:
        """The tokens in both, divided by those in either; 0.0 if neither has any."""
        return len(self.common) / (self.n_either or 1)

    def left_right_and_common_counts_by_script(self) -> dict[str, tuple[int, int, int]]:
        """Return how many tokens of each script are in the left one, the right one and both; parts of characters too.

        The script with the most tokens in either comes first.
        """
        left, both = _counts_by_script(self.left, self.only_left), _counts_by_script(self.left, self.common)
        right = _counts_by_script(self.right, self.only_right)
        scripts = [script for script, _ in (left + right + both).most_common()]
        return {one: (left[one] + both[one], right[one] + both[one], both[one]) for one in scripts}


def overlap(left: AnyVocabulary, right: AnyVocabulary) -> Overlap:
    """Return what two vocabularies have in common, special tokens left out.

    >>> import tokviz
    >>> shared = overlap(tokviz.load("gpt2"), tokviz.load("cl100k_base"))
    >>> len(shared.common), round(shared.jaccard, 2)
    (43066, 0.4)
    """
    mine, theirs = _token_index_by_bytes(left), _token_index_by_bytes(right)
    return Overlap(
        vocabulary_facts(left),
        vocabulary_facts(right),
        only_left=np.array([token for data, token in mine.items() if data not in theirs], int),
        only_right=np.array([token for data, token in theirs.items() if data not in mine], int),
        common=np.array([token for data, token in mine.items() if data in theirs], int),
    )


def _token_index_by_bytes(vocabulary: AnyVocabulary) -> dict[bytes, int]:
    """Return tokens by their bytes, the first of those with the same."""
    tokens = vocabulary_facts(vocabulary).tokens
    found: dict[bytes, int] = {}
    for token in non_special_indices(vocabulary).tolist():
        found.setdefault(tokens[token], token)
    return found
