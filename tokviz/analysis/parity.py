"""Parity: what the same content costs in one language relative to another, on parallel sentences.

The measure is that of Petrov et al., "Language model tokenizers introduce unfairness between languages", 2023, on
totals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokviz.analysis.unknown_text import UnknownText, unknown_text
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.spans import text_spans

REFERENCE = "en"
Sentence = Mapping[str, str]


@dataclass(frozen=True)
class LanguageCost:
    """What the parallel sentences cost in one language.

    Sentences count if they have a text in this language and in the reference language; n_reference_tokens
    are the tokens of the same sentences in the reference language. unknown and reference_unknown: how much
    of these sentences is unknown text; parity is only fair if both are small.
    """

    n_sentences: int
    n_tokens: int
    n_bytes: int
    n_chars: int
    n_reference_tokens: int
    unknown: UnknownText
    reference_unknown: UnknownText

    @property
    def parity(self) -> float | None:
        """Tokens relative to the reference language: 2.0 costs twice as much; None without tokens to compare with."""
        return self.n_tokens / self.n_reference_tokens if self.n_reference_tokens else None

    @property
    def bytes_per_token(self) -> float | None:
        """Compression: bytes of UTF-8 per token; None if there are no tokens."""
        return self.n_bytes / self.n_tokens if self.n_tokens else None


def languages_of(sentences: Sequence[Sentence]) -> list[str]:
    """Return the languages of parallel sentences, in the order in which they first have a text.

    >>> languages_of([{"en": "two", "th": "สอง", "lo": " "}])
    ['en', 'th']
    """
    return list(dict.fromkeys(name for sentence in sentences for name, text in sentence.items() if text.strip()))


def language_costs(
    tokenizer: AnyTokenizer, sentences: Sequence[Sentence], *, reference: str = REFERENCE
) -> dict[str, LanguageCost]:
    """Return what each language costs; sentences without a text in the reference language do not count.

    Raises ValueError if the tokenizer cannot encode a sentence.

    >>> import tokviz
    >>> costs = language_costs(tokviz.load("gpt2"), [{"en": "Good morning", "th": "สวัสดี"}])
    >>> costs["th"].n_tokens, costs["th"].n_reference_tokens, costs["th"].parity
    (12, 2, 6.0)
    """
    comparable = [sentence for sentence in sentences if sentence.get(reference, "").strip()]
    references = [_token_count(tokenizer, sentence[reference]) for sentence in comparable]
    costs = {}
    for language in languages_of(comparable):
        pairs = [(s[language], r) for s, r in zip(comparable, references, strict=True) if s.get(language, "").strip()]
        counted = [_token_count(tokenizer, text) for text, _ in pairs]
        costs[language] = LanguageCost(
            n_sentences=len(pairs),
            n_tokens=sum(n for n, _ in counted),
            n_bytes=sum(len(text.encode("utf-8", "surrogatepass")) for text, _ in pairs),
            n_chars=sum(len(text) for text, _ in pairs),
            n_reference_tokens=sum(n for _, (n, _) in pairs),
            unknown=sum((unknown for _, unknown in counted), UnknownText()),
            reference_unknown=sum((unknown for _, (_, unknown) in pairs), UnknownText()),
        )
    return costs


def _token_count(tokenizer: AnyTokenizer, text: str) -> tuple[int, UnknownText]:
    """Return how many tokens a text has, and how much of it is unknown."""
    spans = text_spans(tokenizer, text)
    return len(spans), unknown_text(tokenizer, spans)
