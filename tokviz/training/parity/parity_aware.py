"""Parity-aware training: each merge is chosen for the language that is worst off at that moment.

After Foroutan et al., "Parity-Aware Byte-Pair Encoding: Improving Cross-lingual Fairness in Tokenization", 2025
(arXiv 2508.04796), with its hybrid and its moving-window variant. Where the worst-off language has no pair left, their
program ends; here the next language has its turn, so that the vocabulary gets the size that was asked for.
"""

from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from tokviz.core.steps import ACROSS, TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.corpus.counting import pretoken_counts
from tokviz.training.pairs import learn_steps
from tokviz.training.parity.language_pairs import DEFAULT_VARIANT, LanguagePairs, ParityVariant
from tokviz.training.plan import Counts, Plan, Texts, Way, pattern_or_default

Sentences = Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class ParityAware(Way):
    """Each merge is chosen for the language that is worst off.

    sentences: the same ones in each language, by which languages are compared; None to compare them by their own texts.

    >>> plan = Plan(257, "gpt2", way=ParityAware([{"en": "lo", "th": "กา"}]))
    >>> next(plan.steps(plan.pretoken_counts_by_part({"en": "low lower", "th": "กา"}))).part
    'th'
    """

    sentences: Sentences | None = None
    variant: ParityVariant = DEFAULT_VARIANT

    def check_plan(self, plan: Plan) -> None:
        """Raise ValueError if a tenth is to be held out."""
        if plan.hold_out:
            raise ValueError("where languages take turns, nothing is held out")

    def patterns_by_part(self, plan: Plan, language: str) -> dict[str, str]:
        """Return the language."""
        return {language: plan.split_pattern}

    def check_parts(self, parts: Sequence[str]) -> None:
        """Raise ValueError for a merge across words."""
        if ACROSS in parts:
            raise ValueError(f"no language is called {ACROSS!r}")

    def steps(self, plan: Plan, counts: Counts) -> Generator[TrainStep]:
        """Return the merges; ValueError for a language without text or name, and if no sentence is in all languages."""
        self.check_parts([*counts])
        if empty := [language for language, some in counts.items() if not some] or (not counts and ["any language"]):
            raise ValueError(f"there is no text in {', '.join(empty)}: give some, or leave the language out")
        parallel = None
        if self.sentences is not None:
            parallel = sentence_pretoken_counts(self.sentences, [*counts], plan.initial_tokenizer())
        pairs = LanguagePairs(counts, parallel, plan.start, self.variant)
        learned = learn_steps(pairs, plan.n_merges, plan.min_count, plan.start)
        return (step._replace(part=pairs.part) for step in learned)

    def without_texts(self) -> Way:
        """Return this way without its sentences."""
        return replace(self, sentences=None)

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> Self:
        """Return the way of a record; ValueError, KeyError or TypeError for one that is damaged."""
        sentences = record["sentences"]
        if sentences is not None:
            sentences = tuple({str(name): str(text) for name, text in each.items()} for each in sentences)
        return cls(sentences, ParityVariant(**record["variant"]))


def train_parity_aware(
    texts: Mapping[str, Texts],
    sentences: Sentences | None = None,
    *,
    vocab_size: int,
    split_pattern: str | None = None,
    special_tokens: Collection[str] | Mapping[str, int] = (),
    min_count: int = 1,
    variant: ParityVariant = DEFAULT_VARIANT,
    workers: int | None = None,
    name: str = "trained",
    start: Tokenizer | None = None,
) -> Tokenizer:
    """Return a Tokenizer trained on texts by language, with parity on sentences; see `parity_aware_steps`.

    If too few pairs occur `min_count` times, training stops early and a UserWarning says how far it came.

    >>> texts = {"en": "low lower", "th": "กา กา"}
    >>> fair = train_parity_aware(texts, [{"en": "low", "th": "กา"}], vocab_size=260)
    >>> len(fair.encode("low")), len(fair.encode("กา"))
    (2, 2)
    """
    way = ParityAware(sentences, variant)
    plan = Plan(vocab_size, pattern_or_default(split_pattern, start), special_tokens, min_count, start, way)
    return plan.train(texts, workers=workers, name=name)


def parity_aware_steps(
    texts: Mapping[str, Texts],
    sentences: Sentences | None = None,
    *,
    vocab_size: int,
    split_pattern: str | None = None,
    special_tokens: Collection[str] | Mapping[str, int] = (),
    min_count: int = 1,
    variant: ParityVariant = DEFAULT_VARIANT,
    workers: int | None = None,
    start: Tokenizer | None = None,
) -> Iterator[TrainStep]:
    """Yield each merge as it is learned, with the language it was chosen for.

    texts: by language, each a str or documents. sentences: dicts of texts by language that say the same in each, as
    `parallel_sentences` has; those that lack one of the languages do not count. Each merge is the most frequent pair in
    the texts of the language whose sentences have the most tokens; of equal pairs and languages the first. Without
    sentences that is the language with the fewest bytes per token in its own texts, which is fair to bytes, not to what
    they say: Thai has twice the bytes of English. A merge is made in all texts.

    variant: of taking turns; the paper has `n_global` in its hybrid, and ParityVariant(window=100, alpha=2) besides,
    so that a language whose texts are unlike its sentences does not take all merges. The others are as in
    `train_steps`. Ends early when no language has a pair left. Raises ValueError as `train_steps`, for a language
    without text, and if no sentence is in all languages.

    >>> steps = list(parity_aware_steps({"en": "low lower", "th": "กา"}, [{"en": "lo", "th": "กา"}], vocab_size=259))
    >>> print(*steps, sep="\\n")
    merge 1/3: (224, 184) -> 256 (b'\\xe0\\xb8') had 2 occurrences in th
    merge 2/3: (256, 129) -> 257 (b'\\xe0\\xb8\\x81') had 1 occurrences in th
    merge 3/3: (257, 256) -> 258 (b'\\xe0\\xb8\\x81\\xe0\\xb8') had 1 occurrences in th
    """
    way = ParityAware(sentences, variant)
    plan = Plan(vocab_size, pattern_or_default(split_pattern, start), special_tokens, min_count, start, way)
    return plan.steps(plan.pretoken_counts_by_part(texts, workers=workers))


def parallel_texts(sentences: Sentences, languages: Sequence[str]) -> dict[str, list[str]]:
    """Return the sentences that have a text in all the languages, by language; ValueError if there are none.

    >>> parallel_texts([{"en": "two", "th": "สอง"}, {"en": "one"}], ["th", "en"])
    {'th': ['สอง'], 'en': ['two']}
    """
    found = [each for each in sentences if all(each.get(language, "").strip() for language in languages)]
    if not found:
        without = next((each for each in languages if not any(some.get(each, "").strip() for some in sentences)), None)
        which = f"no sentence is in {without}" if without is not None else "no sentence is in all of these"
        raise ValueError(f"parity is measured on sentences in all of {', '.join(languages)}; {which}")
    return {language: [each[language] for each in found] for language in languages}


def sentence_pretoken_counts(sentences: Sentences, languages: Sequence[str], tokenizer: Tokenizer) -> Counts:
    """Return the pretoken counts of the sentences that are in all the languages, by language; ValueError for none.

    tokenizer: by its split pattern and special tokens they are cut.
    """
    pattern, special = tokenizer.split_pattern, tokenizer.special_tokens
    parallel = parallel_texts(sentences, languages)
    return {language: pretoken_counts(texts, pattern, special_tokens=special) for language, texts in parallel.items()}
