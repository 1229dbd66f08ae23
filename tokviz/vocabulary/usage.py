"""How a text uses a vocabulary: which tokens it takes, and which of its characters take several."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from tokviz.core.protocol import AnyTokenizer
from tokviz.core.spans import TokenSpans, text_spans
from tokviz.core.tokenizer import Tokenizer
from tokviz.text.unknown_text import UnknownText, n_chosen_tokens_by_character, unknown_text_figures
from tokviz.vocabulary.facts import SPECIAL, vocabulary_facts


@dataclass(frozen=True)
class Usage:
    """How a text uses a vocabulary.

    n_tokens: tokens of the text. n_used, n_unused: how many tokens it uses, and does not, without special ones.
    n_chars: characters; n_split: those that take more than one token. split: the ten most frequent of these, with
    counts. unknown_share: the share of the characters, not counting white space, that are unknown.
    """

    n_tokens: int
    n_used: int
    n_unused: int
    n_chars: int
    n_split: int
    split: tuple[tuple[str, int], ...]
    unknown_share: float = 0.0


def usage_of_pretoken_counts(tokenizer: Tokenizer, counts: Mapping[str, int]) -> Usage:
    """Return how a text, given as the counts of its pretokens when normalized, uses the vocabulary.

    >>> import tokviz
    >>> figures = usage_of_pretoken_counts(tokviz.load("gpt2"), {"low": 2, " ก": 1})
    >>> figures.n_tokens, figures.n_used, figures.n_split, figures.split
    (5, 4, 1, (('ก', 1),))
    """
    used: Counter[int] = Counter()
    split: Counter[str] = Counter()
    n_chars = 0
    for pretoken, n in counts.items():
        ids = tokenizer.encode_pretoken(pretoken)
        for token_id in ids:
            used[token_id] += n
        n_chars += n * len(pretoken)
        ends = {*accumulate(map(len, tokenizer.tokens_bytes(ids)))}
        places = accumulate((len(character.encode()) for character in pretoken), initial=0)
        for character, (start, stop) in zip(pretoken, pairwise(places), strict=True):
            if not ends.isdisjoint(range(start + 1, stop)):
                split[character] += n
    n_unused = len(tokenizer.ordinary_tokens) - len(used)
    return Usage(used.total(), len(used), n_unused, n_chars, split.total(), tuple(split.most_common(10)))


def usage_of_texts(tokenizer: AnyTokenizer, texts: Iterable[str]) -> Usage:
    """Return how texts use the vocabulary of a tokenizer of any family; slower than `usage_of_pretoken_counts`.

    >>> from tokviz.families.teaching import list_tokenizer
    >>> figures = usage_of_texts(list_tokenizer("words", "the black cat"), ["the cat", "the dog"])
    >>> figures.n_tokens, figures.n_used, figures.n_unused, figures.unknown_share
    (4, 2, 1, 0.25)
    """
    used: set[int] = set()
    split: Counter[str] = Counter()
    unknown = UnknownText()
    n_tokens = n_chars = 0
    for text in texts:
        spans = text_spans(tokenizer, text)
        n_tokens += len(spans)
        n_chars += len(spans.text)
        used.update(spans.ids.tolist())
        split.update(characters_split_across_tokens(spans))
        unknown += unknown_text_figures(tokenizer, spans)
    facts = vocabulary_facts(tokenizer)
    learned = set(facts.ids[facts.kinds != SPECIAL].tolist())
    n_used = len(used & learned)
    n_split, most = split.total(), tuple(split.most_common(10))
    return Usage(n_tokens, n_used, len(learned) - n_used, n_chars, n_split, most, unknown.share)


def characters_split_across_tokens(spans: TokenSpans) -> list[str]:
    """Return the characters that several tokens hold, a part each, in the order of the text.

    >>> import tokviz
    >>> characters_split_across_tokens(tokviz.text_spans(tokviz.load("gpt2"), "a ก ก"))
    ['ก', 'ก']
    """
    n_tokens = n_chosen_tokens_by_character(spans, spans.byte_ends > spans.byte_starts)
    return [spans.text[i] for i in np.flatnonzero(n_tokens > 1).tolist()]
