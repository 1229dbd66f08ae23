"""What a vocabulary reveals: its longest tokens, near-duplicates, markup, scripts, tokens hardly ever used, and what
it shares with another one.

Long tokens are mostly boilerplate, and markup was mostly not meant to be learned: both suggest that the training text
needs cleaning. Special tokens are left out everywhere, since nobody learned them from a text.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import regex

from tokviz.analysis.vocabulary_facts import KINDS, PART, SCRIPTS, SPECIAL, AnyVocabulary, vocabulary_facts
from tokviz.system.recent import recent

_WORDS = (KINDS.index("whole word"), KINDS.index("piece"))
_GROUPS = (*SCRIPTS, "parts of characters")
_LETTER = regex.compile(r"\p{L}")
# What a token must hold to get this name; shorter parts of these occur in ordinary text too.
_MARKUP = {
    "address": regex.compile(r"\bhttps?\b|://|\bwww\b|\.(?:com|org|net|html?|php|jpe?g|png|svg)\b", regex.IGNORECASE),
    "tag": regex.compile(r"</|<[a-z!]|/>|\b(?:href|src|class|style|width|colspan)=", regex.IGNORECASE),
    "entity": regex.compile(r"&(?:#|[a-z]{2,6};|(?:nbsp|quot|amp|lt|gt)\b)", regex.IGNORECASE),
    "wiki markup": regex.compile(r"\[\[|\]\]|\{\{|\}\}|\{\||\|-|'''"),
    "escape": regex.compile(r"\\[nrtux]|%[0-9A-F]{2}"),
}


class Token(NamedTuple):
    """A token of a vocabulary: its id and its bytes."""

    id: int
    token_bytes: bytes


class MarkupToken(NamedTuple):
    """A token with what usually comes from markup: its id, its bytes, and the kind of markup."""

    id: int
    token_bytes: bytes
    holds: str


def longest_tokens(vocabulary: AnyVocabulary, n: int = 20, *, words_only: bool = False) -> list[Token]:
    """Return the n tokens with the most characters; of equal ones the lower id comes first.

    Tokens that hold a part of a character are left out. `words_only`: only letters, which tell more about the
    training text than the runs of white space and dashes that would come first.

    >>> import tokviz
    >>> longest_tokens(tokviz.load("cl100k_base"), 1)[0].token_bytes == b" " * 128
    True
    >>> [token.token_bytes.decode()[:4] for token in longest_tokens(tokviz.load("gpt2"), 2, words_only=True)]
    ['ÃÂÃÂ', 'ÃÂÃÂ']
    """
    facts = vocabulary_facts(vocabulary)
    wanted = np.isin(facts.kinds, _WORDS) if words_only else ~np.isin(facts.kinds, (SPECIAL, PART))
    chosen = np.flatnonzero(wanted)
    longest = chosen[np.argsort(-facts.n_chars[chosen], kind="stable")[: max(n, 0)]]
    return [Token(int(facts.ids[i]), facts.tokens[i]) for i in longest]


def near_duplicates(vocabulary: AnyVocabulary, text: str | None = None) -> list[list[Token]]:
    """Return groups of tokens that differ only in case or in white space around them, the largest group first.

    Only tokens with a letter count. With a `text`, only the group of that text, if there is one.

    >>> import tokviz
    >>> [token.token_bytes.decode() for token in near_duplicates(tokviz.load("cl100k_base"), "Egg")[0]]
    [' egg', 'egg', ' Egg']
    """
    groups = _equal_but_for_case_and_space(vocabulary)
    if text is not None:
        found = groups.get(text.strip().casefold(), [])
        return [list(found)] if len(found) > 1 else []
    return sorted((list(group) for group in groups.values() if len(group) > 1), key=len, reverse=True)


@recent(maxsize=8)
def _equal_but_for_case_and_space(vocabulary: AnyVocabulary) -> dict[str, list[Token]]:
    facts = vocabulary_facts(vocabulary)
    groups: dict[str, list[Token]] = {}
    for i in np.flatnonzero(~np.isin(facts.kinds, (SPECIAL, PART))).tolist():
        token = facts.texts[i]
        if _LETTER.search(token):
            groups.setdefault(token.strip().casefold(), []).append(Token(int(facts.ids[i]), facts.tokens[i]))
    return groups


def markup_tokens(vocabulary: AnyVocabulary) -> list[MarkupToken]:
    """Return the tokens that hold a part of a web address, a tag, an entity, wiki markup or an escape, by id.

    A token that holds several gets the first of these names.

    >>> import tokviz
    >>> [token.token_bytes.decode() for token in markup_tokens(tokviz.train("<br/><br/>", vocab_size=260))]
    ['/>', '<br', '/><']
    """
    facts = vocabulary_facts(vocabulary)
    found = []
    for token_id, token, text, kind in zip(facts.ids, facts.tokens, facts.texts, facts.kinds, strict=True):
        if text is None or kind == SPECIAL:
            continue
        holds = next((holds for holds, pattern in _MARKUP.items() if pattern.search(text)), None)
        if holds:
            found.append(MarkupToken(int(token_id), token, holds))
    return found


def script_coverage(vocabulary: AnyVocabulary) -> dict[str, int]:
    """Return how many tokens each script has, the most first, and how many are parts of characters.

    The script of a token is that of its first character that has one; "none" are white space, digits,
    punctuation and symbols, "parts of characters" are tokens that are not UTF-8 on their own.

    >>> import tokviz
    >>> script_coverage(tokviz.train("ก a", vocab_size=257, split_pattern="none"))
    {'parts of characters': 129, 'none': 76, 'Latin': 52}
    """
    facts = vocabulary_facts(vocabulary)
    counts = np.bincount(facts.scripts[~np.isin(facts.kinds, (SPECIAL, PART))], minlength=len(SCRIPTS)).tolist()
    named = [*zip(SCRIPTS, counts, strict=True), (_GROUPS[-1], int(np.count_nonzero(facts.kinds == PART)))]
    return dict(sorted(((name, n) for name, n in named if n), key=lambda item: -item[1]))


def rarely_used(vocabulary: AnyVocabulary, ids: Iterable[int], *, at_most: int = 0) -> list[Token]:
    """Return the tokens that occur at most `at_most` times among the ids of a text, in the order of ids.

    >>> import tokviz
    >>> tokenizer = tokviz.train("low lower", vocab_size=258)
    >>> [token.token_bytes for token in rarely_used(tokenizer, tokenizer.encode("low lower")) if token.id > 255]
    [b'lo']
    """
    facts = vocabulary_facts(vocabulary)
    counts = Counter(ids)
    rows = zip(facts.ids.tolist(), facts.tokens, facts.kinds, strict=True)
    return [Token(i, token) for i, token, kind in rows if counts[i] <= at_most and kind != SPECIAL]


@dataclass(frozen=True)
class Overlap:
    """What two vocabularies share; tokens are the same if their bytes are, whatever their ids.

    So tokens of one vocabulary with the same bytes, as byte fallback has, count once. n_left, n_right, n_common:
    numbers of tokens. by_script: for each script, and "parts of characters", how many tokens are in the left one, in
    the right one, and in both. only_left, only_right, common: the tokens themselves, in the order of ids.
    """

    n_left: int
    n_right: int
    n_common: int
    by_script: dict[str, list[int]]
    only_left: list[bytes]
    only_right: list[bytes]
    common: list[bytes]

    @property
    def jaccard(self) -> float:
        """The tokens in both, divided by those in either; 0.0 if neither has any."""
        return self.n_common / ((self.n_left + self.n_right - self.n_common) or 1)


def overlap(left: AnyVocabulary, right: AnyVocabulary) -> Overlap:
    """Return what two vocabularies have in common, special tokens left out.

    >>> import tokviz
    >>> shared = overlap(tokviz.load("gpt2"), tokviz.load("cl100k_base"))
    >>> shared.n_common, round(shared.jaccard, 2)
    (43066, 0.4)
    """
    mine, theirs = _learned(left), _learned(right)
    common = [token for token in mine if token in theirs]
    sides = ([*mine.values()], [*theirs.values()], [mine[token] for token in common])
    numbers = [np.bincount(np.array(scripts, np.int64), minlength=len(_GROUPS)).tolist() for scripts in sides]
    return Overlap(
        n_left=len(mine),
        n_right=len(theirs),
        n_common=len(common),
        by_script={name: counts for name, *counts in zip(_GROUPS, *numbers, strict=True) if any(counts)},
        only_left=[token for token in mine if token not in theirs],
        only_right=[token for token in theirs if token not in mine],
        common=common,
    )


def _learned(vocabulary: AnyVocabulary) -> dict[bytes, int]:
    """Return the distinct tokens that are not special, each with its script, as an index into _GROUPS."""
    facts = vocabulary_facts(vocabulary)
    groups = np.where(facts.kinds == PART, len(SCRIPTS), facts.scripts.astype(np.int64)).tolist()
    found: dict[bytes, int] = {}
    for token, group, kind in zip(facts.tokens, groups, facts.kinds.tolist(), strict=True):
        if kind != SPECIAL:
            found.setdefault(token, group)
    return found
