"""Inspection: what a vocabulary spends its tokens on, and what that says of the data it was trained on.

In: a vocabulary. Out: its longest tokens, tokens that differ in case or a space only, tokens that hold
markup or addresses, and how much of it each script has. Long tokens are mostly boilerplate, and markup
was mostly not meant to be learned: both are hints that the training text wants cleaning. With a text or
pretoken counts also: which tokens it uses, and which characters take several.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import regex

from tokviz.tokenizer import Tokenizer
from tokviz.vocabulary import Vocabulary

SCRIPTS = (
    "Latin", "Greek", "Cyrillic", "Armenian", "Georgian", "Hebrew", "Arabic", "Devanagari", "Bengali", "Tamil",
    "Telugu", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan", "Ethiopic", "Han", "Hiragana", "Katakana", "Hangul",
)  # fmt: skip
_SCRIPT = regex.compile("|".join(rf"(?P<{name}>\p{{{name}}})" for name in SCRIPTS))
# What a token must hold to be called so; parts of these words occur in ordinary text as well.
_MARKUP = {
    "address": regex.compile(r"\bhttps?\b|://|www\.|\.(?:com|org|net|html?|php|jpe?g|png)\b", regex.IGNORECASE),
    "tag": regex.compile(r"</?[a-z!]|/>|\b(?:href|src|class|style|width|colspan)=", regex.IGNORECASE),
    "entity": regex.compile(r"&(?:#\w*|[a-z]{2,6};)", regex.IGNORECASE),
    "wiki markup": regex.compile(r"\[\[|\]\]|\{\{|\}\}|\{\||\|-|'''"),
    "escape": regex.compile(r"\\[nrtux]|%[0-9A-F]{2}"),
}


@dataclass(frozen=True)
class Suspect:
    """A token that holds what mostly comes from markup: its id, its text, and what it holds."""

    token_id: int
    text: str
    holds: str


@dataclass(frozen=True)
class Usage:
    """How a text uses a vocabulary.

    n_tokens: tokens of the text. n_used, n_unused: of the mergeable tokens. n_chars: characters;
    n_split: those that take more than one token. split: the ten most frequent of these, with counts.
    """

    n_tokens: int
    n_used: int
    n_unused: int
    n_chars: int
    n_split: int
    split: tuple[tuple[str, int], ...]


def longest_tokens(vocabulary: Vocabulary, n: int = 20) -> list[tuple[int, bytes]]:
    """Return ids and bytes of the n longest tokens, of equally long ones the lower id first.

    >>> import tokviz
    >>> longest_tokens(tokviz.train("low lower lowest", vocab_size=260), 2)
    [(259, b' lowe'), (258, b' low')]
    """
    items = sorted((-len(token), token_id, token) for token, token_id in vocabulary.mergeable_ranks.items())
    return [(token_id, token) for _, token_id, token in items[:n]]


def texts(vocabulary: Vocabulary) -> dict[int, str]:
    """Return ids and texts of all mergeable tokens that are whole characters, by id."""
    result = {}
    for token, token_id in sorted(vocabulary.mergeable_ranks.items(), key=lambda item: item[1]):
        try:
            result[token_id] = token.decode()
        except UnicodeDecodeError:
            continue
    return result


def duplicates(vocabulary: Vocabulary) -> list[list[tuple[int, str]]]:
    """Return groups of tokens that differ in case or a space in front only; large groups first, then low ids.

    >>> import tokviz
    >>> [text for _, text in duplicates(tokviz.load("gpt2"))[0]]
    ['it', ' it', ' It', 'It', 'IT', ' iT', ' IT']
    """
    groups: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for token_id, text in texts(vocabulary).items():
        key = text.removeprefix(" ").casefold()
        if key:
            groups[key].append((token_id, text))
    return sorted((group for group in groups.values() if len(group) > 1), key=lambda group: (-len(group), group))


def suspects(vocabulary: Vocabulary) -> list[Suspect]:
    """Return the tokens that hold markup, an address or an escape, by id.

    >>> import tokviz
    >>> [suspect.text for suspect in suspects(tokviz.train("<br/><br/>", vocab_size=260, split_pattern="none"))]
    ['<b', '<br', '<br/', '<br/>']
    """
    found = []
    for token_id, text in texts(vocabulary).items():
        for holds, pattern in _MARKUP.items():
            if pattern.search(text):
                found.append(Suspect(token_id, text, holds))
                break
    return found


def script_coverage(vocabulary: Vocabulary) -> dict[str, int]:
    """Return how many tokens hold a letter of each script, the most first, and how many are parts of characters.

    A token with letters of two scripts counts under the first. "parts of characters" are tokens that
    are no UTF-8 on their own; "other" are white space, digits, punctuation, symbols, and other scripts.
    """
    counts: Counter[str] = Counter()
    whole = texts(vocabulary)
    for text in whole.values():
        match = _SCRIPT.search(text)
        counts[match.lastgroup if match else "other"] += 1
    counts["parts of characters"] = len(vocabulary.mergeable_ranks) - len(whole)
    return dict(counts.most_common())


def usage(tokenizer: Tokenizer, counts: Mapping[str, int]) -> Usage:
    """Return how a text, given as its pretoken counts, uses the vocabulary.

    >>> import tokviz
    >>> figures = usage(tokviz.load("gpt2"), {"low": 2, " ก": 1})
    >>> figures.n_tokens, figures.n_used, figures.n_split, figures.split
    (5, 4, 1, (('ก', 1),))
    """
    used: Counter[int] = Counter()
    split: Counter[str] = Counter()
    n_chars = 0
    for pretoken, n in counts.items():
        ids = tokenizer.encode(pretoken)
        for token_id in ids:
            used[token_id] += n
        n_chars += n * len(pretoken)
        ends, end = set(), 0
        for token in tokenizer.tokens_bytes(ids):
            end += len(token)
            ends.add(end)
        start = 0
        for character in pretoken:
            stop = start + len(character.encode())
            if any(place in ends for place in range(start + 1, stop)):
                split[character] += n
            start = stop
    n_used = sum(1 for token_id in used if token_id in tokenizer)
    n_unused = len(tokenizer.mergeable_ranks) - n_used
    return Usage(used.total(), n_used, n_unused, n_chars, split.total(), tuple(split.most_common(10)))
