"""The server's side of a time machine: the history on view, and answers to what the browser asks of it.

In: what a history is made of, and the browser's messages. Out: for `machine_data` to pack, the pairs of
the training text where it is known, else of the text on view. Nothing here draws or knows Streamlit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import tokviz
from pages.ui.machine_data import N_PAIRS, first_pretoken, glass, merge_named, next_pair, table_data
from pages.ui.records import Trained
from tokviz import MergeTrace, Tokenizer
from tokviz.pair_history import PairHistory
from tokviz.vocabulary import ALL


@dataclass(frozen=True)
class Source:
    """What a history is made of; `trained` is the record of a tokenizer trained in this session."""

    tokenizer: Tokenizer
    text: str
    trained: Trained | None = None
    allow_special: bool = False

    def is_same(self, other: "Source | None") -> bool:
        """Whether both are the same; a tokenizer is compared by identity, since its ranks are many."""
        return other is not None and self.tokenizer is other.tokenizer and self == other


@dataclass(frozen=True)
class Counted:
    """The pairs of a text at any step, and which text that is.

    source: "corpus" (the training text), or the text on view and why: "elsewhere" (a pretrained tokenizer),
    "unknown" (the training text did not come back from a reload or a link), "too large".
    """

    pairs: PairHistory
    source: str

    @classmethod
    def of(cls, trace: MergeTrace, trained: Trained | None) -> "Counted":
        """Return the pairs of the training text where it is known, else those of the text on view."""
        if trained and trained.corpus:
            return cls(trained.corpus, "corpus")
        pairs = PairHistory.of_trace(trace)
        if trained is None:
            return cls(pairs, "elsewhere")
        if is_training_text(trace, trained):
            return cls(pairs, "corpus")
        return cls(pairs, "unknown" if trained.counts is None else "too large")


@dataclass
class MachineState:
    """The server's side of one time machine, kept for a session.

    `made` counts the histories. Of the browser's last message are kept who sent it, its number, which
    history it holds, and the step and the first byte of the pretoken it shows.
    """

    source: Source | None = None
    trace: MergeTrace | None = None
    counted: Counted | None = None
    made: int = 0
    client: str | None = None
    acknowledged: int = 0
    have: int | None = None
    asked_step: int | None = None
    pretoken: int | None = None
    glasses: dict[int, dict[str, Any]] = field(default_factory=dict)

    def take(self, source: Source) -> MergeTrace:
        """Return the history of a source; where it is another one, what was asked about the old is forgotten.

        Raises ValueError where the split pattern does not end.
        """
        if self.trace is None or not source.is_same(self.source):
            allowed = ALL if source.allow_special else ()
            self.trace = tokviz.trace(source.tokenizer, source.text, allowed_special=allowed)
            self.source, self.counted, self.made = source, None, self.made + 1
            self.asked_step = self.pretoken = None
            self.glasses = {}
        return self.trace

    def receive(self, message: Mapping[str, Any]) -> None:
        """Take a message of the browser."""
        self.client, self.acknowledged, self.have = message["client"], message["n"], message["made"]
        if message["made"] == self.made:
            self.asked_step, self.pretoken = message["k"], message["pretoken"]

    def answer(self, step: int) -> dict[str, Any]:
        """Return what the browser cannot know of the step it asked about, else of `step`.

        Raises ValueError before a history was taken.
        """
        if self.trace is None or self.source is None:
            raise ValueError("there is no history yet to answer about")
        tokenizer = self.trace.tokenizer
        n_merges = len(tokenizer.merge_tokens)
        k = min(max(step if self.asked_step is None else self.asked_step, 0), n_merges)
        pretoken = first_pretoken(self.trace) if self.pretoken is None else self.pretoken
        if pretoken not in self.glasses:
            self.glasses[pretoken] = glass(self.trace, pretoken)
        if self.counted is None:
            self.counted = Counted.of(self.trace, self.source.trained)
        chosen = next_pair(tokenizer, k)
        table = self.counted.pairs.table(k, n_rows=N_PAIRS, asked=chosen)
        return {
            "made": self.made,
            "k": k,
            "just": merge_named(tokenizer, k - 1) if k else None,
            "next": merge_named(tokenizer, k) if k < n_merges else None,
            "table": table_data(tokenizer, table, chosen, source=self.counted.source),
            "glass": self.glasses[pretoken],
        }


def is_training_text(trace: MergeTrace, trained: Trained) -> bool:
    """Whether a text gives after every merge as many tokens as the training text did.

    That holds for the training text, and hardly for another one. What comes back from a reload or a link
    has no training text; mostly it is the very text that is on view.

    >>> steps = tuple(tokviz.train_steps("low lower lowest", vocab_size=262))
    >>> trained = Trained(Tokenizer.from_steps(steps, split_pattern="cl100k"), steps, 16)
    >>> [is_training_text(tokviz.trace(trained.tokenizer, text), trained) for text in ("low lower lowest", "low")]
    [True, False]
    """
    # Special tokens are cut out of a training text, and count as a token each in a trace.
    n_tokens = trace.curve() - len(trace.special_ends)
    return n_tokens.tolist()[1:] == [step.n_tokens for step in trained.steps] and bool(trained.steps)
