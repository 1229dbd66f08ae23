"""LanguagePairs: the pairs of several languages, and which language is worst off.

A merge is chosen in the texts of one language. It is made in all texts, and in the sentences that compare languages.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from tokviz.core.steps import WHOLE
from tokviz.core.tokenizer import Tokenizer
from tokviz.corpus.counting import merged_counts
from tokviz.training.pairs import Pairs


@dataclass(frozen=True)
class ParityVariant:
    """How languages take turns; by default the one that is worst off always has the next merge.

    n_global: this many merges at first are the most frequent pairs of all texts together, chosen for no language.
    window: a language waits for all others if more than alpha / (number of languages) of the last `window` merges were
    chosen for it; 0 for no such limit. Raises ValueError for numbers below 0, and an alpha of 0.
    """

    n_global: int = 0
    window: int = 0
    alpha: float = 2.0

    def __post_init__(self) -> None:
        for what, value in (("n_global", self.n_global), ("window", self.window)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise ValueError(f"{what} must be a whole number of merges, 0 or more, not {value!r}")
        if not self.alpha > 0:
            raise ValueError(f"alpha must be a number above 0, not {self.alpha!r}")


DEFAULT_VARIANT = ParityVariant()


class _LanguageText:
    """The pairs of a text, found by the numbers of their tokens; a pair has one row in their table, for good."""

    def __init__(self, counts: Mapping[str, int], start: Tokenizer | None) -> None:
        self.pairs = Pairs(counts, start)
        self.n_bytes = sum(len(pretoken.encode()) * n for pretoken, n in counts.items())
        self._rows: dict[tuple[int, int], int] = {}

    def merge_or_note_token(self, left: int, right: int, new: int) -> None:
        """Replace a pair by the token `new`, or note the token where there is none."""
        table = self.pairs.table
        known = len(self._rows)
        for pair in zip(table.left[known:], table.right[known:], strict=True):
            self._rows[pair] = len(self._rows)
        row = self._rows.get((left, right))
        if row is None:
            self.pairs.add_unused_token(left, right)
        else:
            self.pairs.merge(row, new)


class LanguagePairs:
    """The pairs of texts in several languages, with the interface of `Pairs`.

    counts: the pretoken counts of the texts of each language. parallel: those of sentences that say the same in each;
    the language with the most tokens in these is worst off. Without them it is the one with the most tokens for its
    bytes in `counts`. Of several, the first is taken.

    part: the language that the last pair was chosen for, or `WHOLE` for one of all texts together.

    >>> pairs = LanguagePairs({"en": {"low": 2, "lower": 1}, "th": {"กา": 1}}, {"en": {"low": 1}, "th": {"กา": 1}})
    >>> best = pairs.choose_pair(1)
    >>> pairs.part, pairs.left_right_and_count(best)
    ('th', (224, 184, 2))
    """

    def __init__(
        self,
        counts: Mapping[str, Mapping[str, int]],
        parallel: Mapping[str, Mapping[str, int]] | None = None,
        start: Tokenizer | None = None,
        variant: ParityVariant = DEFAULT_VARIANT,
    ) -> None:
        self._texts = {language: _LanguageText(some, start) for language, some in counts.items()}
        self._parallel = {} if parallel is None else {each: _LanguageText(parallel[each], start) for each in counts}
        self._together = _LanguageText(merged_counts(counts.values()), start) if variant.n_global else None
        self._n_global_left = variant.n_global
        self._latest: deque[str] = deque(maxlen=variant.window)
        self._most = variant.alpha * variant.window / len(counts)
        self._without_pairs: set[str] = set()
        self.part = WHOLE

    @property
    def n_tokens(self) -> int:
        """Tokens in the texts of all languages."""
        return sum(text.pairs.n_tokens for text in self._texts.values())

    def choose_pair(self, min_count: int) -> int | None:
        """Return the pair to merge next, a row of the table it was chosen from; None if no language has one."""
        if self._together is not None:
            self._chosen = self._together.pairs
            return self._chosen.choose_pair(min_count)
        for language in self._languages_worst_first():
            self._chosen, self.part = self._texts[language].pairs, language
            best = self._chosen.choose_pair(min_count)
            if best is not None:
                return best
            self._without_pairs.add(language)  # for good: new pairs are no more frequent than those they come from
        return None

    def _languages_worst_first(self) -> list[str]:
        """Return the languages that may have pairs, the worst off first."""

        def sort_key(language: str) -> tuple[bool, float]:
            waits = self._latest.count(language) > self._most
            return waits, -self._n_tokens_or_tokens_per_byte(language)

        return sorted((each for each in self._texts if each not in self._without_pairs), key=sort_key)

    def _n_tokens_or_tokens_per_byte(self, language: str) -> float:
        if self._parallel:
            return self._parallel[language].pairs.n_tokens
        text = self._texts[language]
        return text.pairs.n_tokens / text.n_bytes

    def left_right_and_count(self, pair: int) -> tuple[int, int, int]:
        """Return the numbers of the left and the right token of a pair, and its count where it was chosen."""
        return self._chosen.left_right_and_count(pair)

    def merge(self, pair: int, new: int) -> None:
        """Replace a pair by the token `new` in all texts and sentences."""
        left, right, _ = self.left_right_and_count(pair)
        for text in (*self._texts.values(), *self._parallel.values()):
            text.merge_or_note_token(left, right, new)
        if self.part != WHOLE:
            self._latest.append(self.part)
        elif self._together is not None:
            self._n_global_left -= 1
            self._together.merge_or_note_token(left, right, new)
            if not self._n_global_left:
                self._together = None
