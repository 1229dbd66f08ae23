"""A training run that survives reruns of its page, and can be stopped with what it has learned."""

import time
from collections.abc import Iterable
from itertools import islice

from pages.ui.records import Trained
from tokviz import Tokenizer, TrainStep
from tokviz.counting import pretoken_counts
from tokviz.patterns import pattern_name
from tokviz.training import steps_from_counts


class TrainingRun:
    """One run: the steps learned so far and the iterator that gives the next ones.

    A rerun of the page interrupts the page, not the run: the next rerun goes on where it stood. The text may
    be documents that no merge reaches across.
    """

    def __init__(
        self,
        text: str | Iterable[str],
        *,
        name: str,
        vocab_size: int,
        min_count: int,
        split_pattern: str,
        special_tokens: list[str],
    ) -> None:
        self.name = name
        self.steps: list[TrainStep] = []
        self.done = False
        self._n_merges = vocab_size - 256
        self._made_of = {"split_pattern": split_pattern, "special_tokens": special_tokens}
        self.tokenizer()  # without a merge yet, so that bad patterns and special tokens are refused before work
        self._counts = pretoken_counts(
            [text] if isinstance(text, str) else text, pattern_name(split_pattern), special_tokens=special_tokens
        )
        self._n_bytes = sum(len(pretoken.encode()) * count for pretoken, count in self._counts.items())
        self._next = steps_from_counts(self._counts, vocab_size=vocab_size, min_count=min_count)

    @property
    def share(self) -> float:
        """How much of the merges asked for is learned, from 0 to 1."""
        return len(self.steps) / self._n_merges if self._n_merges else 1.0

    def advance(self, seconds: float = 0.05) -> None:
        """Learn merges for about so long."""
        until = time.monotonic() + seconds
        while not self.done and time.monotonic() < until:
            some = list(islice(self._next, 8))
            self.steps += some
            self.done = len(some) < 8

    def stop(self) -> None:
        """End the run; what is learned is kept."""
        self.done = True

    def trained(self) -> Trained:
        """Return the tokenizer of the merges learned so far, with what it was learned from."""
        return Trained(self.tokenizer(), tuple(self.steps), self._n_bytes, self._counts)

    def tokenizer(self) -> Tokenizer:
        """Return the tokenizer of the merges learned so far."""
        return Tokenizer.from_steps(self.steps, name=self.name, **self._made_of)
