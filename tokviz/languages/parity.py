"""Parity: what the same content costs in one language relative to another, on parallel sentences.

The measure is from Petrov et al., "Language model tokenizers introduce unfairness between languages", 2023, on
totals. What a single sentence costs relative to the same in the reference language is their premium.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from typing import NamedTuple

import numpy as np

from tokviz.core.protocol import AnyTokenizer
from tokviz.core.spans import text_spans
from tokviz.core.tokenizer import Tokenizer
from tokviz.languages.table import LANGUAGES
from tokviz.text.unknown_text import UnknownText, unknown_text_figures

REFERENCE = "en"
N_RESAMPLES, SEED = 2_000, 0  # of the bootstrap
DRAWN_MAX = 500  # sentences, or groups of them
Sentence = Mapping[str, str]


@dataclass(frozen=True, eq=False)
class KnownCounts:
    """How many tokens texts have under a tokenizer, and how much of each is unknown, where that was counted before."""

    name: str
    of_texts: Mapping[str, tuple[int, UnknownText]]


Counted = AnyTokenizer | KnownCounts


class ParityRow(NamedTuple):
    """What a language costs under a tokenizer, as a row of a table.

    language: its code, or whatever the sentences call it; name: in English, if the table of languages has it. parity:
    tokens relative to the reference language in all sentences that have a text in both, None without tokens to compare
    with. parity_low and parity_high: the ends of its 95% confidence interval over these sentences (`parity_interval`),
    None for a single sentence, and if a resample has no reference tokens. bytes_per_token: of UTF-8, None without
    tokens. lowest_premium to highest_premium: the same of single sentences, and of the one in the middle; premiums: of
    all of them, in order. unknown_share and reference_unknown_share: from 0 to 1; parity is only fair if both are
    small.
    """

    tokenizer: str
    language: str
    name: str
    parity: float | None
    parity_low: float | None
    parity_high: float | None
    n_tokens: int
    n_reference_tokens: int
    n_sentences: int
    n_bytes: int
    n_chars: int
    bytes_per_token: float | None
    lowest_premium: float | None
    median_premium: float | None
    highest_premium: float | None
    unknown_share: float
    reference_unknown_share: float
    premiums: tuple[float, ...]


def languages_with_text(sentences: Sequence[Sentence]) -> list[str]:
    """Return the languages of parallel sentences, in the order in which they first have a text.

    >>> languages_with_text([{"en": "two", "th": "สอง", "lo": " "}])
    ['en', 'th']
    """
    return list(dict.fromkeys(name for sentence in sentences for name, text in sentence.items() if text.strip()))


def language_costs(
    tokenizer: Counted, sentences: Sequence[Sentence], *, reference: str = REFERENCE, name: str | None = None
) -> dict[str, ParityRow]:
    """Return what each language costs; sentences without a text in the reference language do not count.

    name: what the rows call the tokenizer, by default its own name. Raises ValueError if the tokenizer cannot encode a
    sentence.

    >>> import tokviz
    >>> costs = language_costs(tokviz.load("gpt2"), [{"en": "Good morning", "th": "สวัสดี"}])
    >>> costs["th"].n_tokens, costs["th"].n_reference_tokens, costs["th"].parity
    (12, 2, 6.0)
    """
    comparable = [sentence for sentence in sentences if sentence.get(reference, "").strip()]
    references = token_counts_and_unknown_text(tokenizer, [sentence[reference] for sentence in comparable])
    costs = {}
    for language in languages_with_text(comparable):
        pairs = [(s[language], r) for s, r in zip(comparable, references, strict=True) if s.get(language, "").strip()]
        texts = [text for text, _ in pairs]
        counted = token_counts_and_unknown_text(tokenizer, texts)
        both = [(n, of_reference) for (n, _), (_, (of_reference, _)) in zip(counted, pairs, strict=True)]
        n_tokens, n_reference_tokens = sum(n for n, _ in both), sum(n for _, n in both)
        n_bytes = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
        low, high = parity_interval(both) or (None, None)
        premiums = tuple(n / of_reference for n, of_reference in both if of_reference)
        costs[language] = ParityRow(
            tokenizer=name or tokenizer.name,
            language=language,
            name=LANGUAGES[language].name if language in LANGUAGES else language,
            parity=n_tokens / n_reference_tokens if n_reference_tokens else None,
            parity_low=low,
            parity_high=high,
            n_tokens=n_tokens,
            n_reference_tokens=n_reference_tokens,
            n_sentences=len(pairs),
            n_bytes=n_bytes,
            n_chars=sum(map(len, texts)),
            bytes_per_token=n_bytes / n_tokens if n_tokens else None,
            lowest_premium=min(premiums, default=None),
            median_premium=median(premiums) if premiums else None,
            highest_premium=max(premiums, default=None),
            unknown_share=sum((unknown for _, unknown in counted), UnknownText()).share,
            reference_unknown_share=sum((unknown for _, (_, unknown) in pairs), UnknownText()).share,
            premiums=premiums,
        )
    return costs


def parity_interval(pairs: Sequence[tuple[int, int]]) -> tuple[float, float] | None:
    """Return the ends of the 95% confidence interval of a parity, by the bootstrap over sentences.

    pairs: for each sentence its tokens and those in the reference language. As many sentences as there are get drawn
    with replacement, 2,000 times, and the middle 95% of the ratios of their totals lie between the ends: the percentile
    method of Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13. The seed is fixed, so equal
    counts give equal ends. Of more than 500 sentences, neighbours are drawn together. None for fewer than two
    sentences, and if a draw has no tokens to compare with.

    >>> parity_interval([(12, 2), (12, 2)]), parity_interval([(12, 2)])
    ((6.0, 6.0), None)
    """
    counts = np.array(pairs, float).reshape(-1, 2)
    if len(counts) > DRAWN_MAX:
        counts = np.add.reduceat(counts, np.arange(DRAWN_MAX) * len(counts) // DRAWN_MAX)
    if len(counts) < 2:
        return None
    totals = _times_drawn(len(counts)) @ counts
    if not totals[:, 1].all():
        return None
    low, high = np.percentile(totals[:, 0] / totals[:, 1], [2.5, 97.5])
    return float(low), float(high)


@lru_cache(maxsize=2)
def _times_drawn(n: int) -> np.ndarray:
    """Return how often each of n sentences is drawn, in a row for each resample."""
    return np.random.default_rng(SEED).multinomial(n, np.full(n, 1 / n), N_RESAMPLES).astype(float)


def token_counts_and_unknown_text(tokenizer: Counted, texts: Sequence[str]) -> list[tuple[int, UnknownText]]:
    """Return how many tokens each text has, and how much of it is unknown."""
    if isinstance(tokenizer, KnownCounts):
        return [tokenizer.of_texts[text] for text in texts]
    if isinstance(tokenizer, Tokenizer):  # without placing each token, which takes ten times as long
        sizes = (len("".join(text.split())) for text in texts)
        return [(n, UnknownText(0, size)) for n, size in zip(tokenizer.count_iter(texts), sizes, strict=True)]
    spans = [text_spans(tokenizer, text) for text in texts]
    return [(len(some), unknown_text_figures(tokenizer, some)) for some in spans]


def parity_rows(
    tokenizer: Counted, sentences: Sequence[Sentence], *, reference: str = REFERENCE, name: str | None = None
) -> list[ParityRow]:
    """Return a row for each language, the most expensive first; sentences without a text in the reference do not count.

    name: what the rows call the tokenizer, by default its own name. Raises ValueError if no sentence has a text in the
    reference language, and if the tokenizer cannot encode one.

    >>> import tokviz
    >>> from tokviz.languages.table import parallel_sentences
    >>> rows = parity_rows(tokviz.load("gpt2"), parallel_sentences(["en", "th", "fi"]))
    >>> [(row.name, row.n_tokens, round(row.parity, 2)) for row in rows]
    [('Thai', 1058, 5.98), ('Finnish', 357, 2.02), ('English', 177, 1.0)]
    """
    costs = language_costs(tokenizer, sentences, reference=reference, name=name)
    if not costs:
        known = ", ".join(languages_with_text(sentences)) or "none"
        raise ValueError(f"no sentence has a text in {reference!r}, to compare with; there are texts in {known}")
    return sorted(costs.values(), key=lambda row: -1 if row.parity is None else row.parity, reverse=True)


@dataclass(frozen=True)
class TextCost:
    """A text in one language: its expected number of tokens; what they cost; and which share of a context window they
    take, 1.0 for all of it.
    """

    n_tokens: float
    price: float
    window_share: float


def text_cost(
    row: ParityRow, reference: ParityRow, *, n_chars: int, price: float = 0.0, window: int = 8_192
) -> TextCost | None:
    """Return what a text costs in the language of a row; None where the row or the reference language has no tokens.

    reference: the row of the reference language under the same tokenizer. n_chars: the length of the text in the
    reference language. price: of a million tokens. window: the context window in tokens.

    >>> import tokviz
    >>> thai, english = parity_rows(tokviz.load("gpt2"), [{"en": "Good morning", "th": "สวัสดี"}])
    >>> text_cost(thai, english, n_chars=12_000, price=2.0, window=24_000)
    TextCost(n_tokens=12000.0, price=0.024, window_share=0.5)
    """
    if not row.parity or not reference.n_chars:
        return None
    n_tokens = n_chars * reference.n_tokens / reference.n_chars * row.parity
    return TextCost(n_tokens, n_tokens * price / 1e6, n_tokens / window)
