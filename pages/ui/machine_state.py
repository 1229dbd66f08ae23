"""The server's side of a time machine: the history on view, and answers to what the browser asks of it.

In: what a history is made of, and the browser's messages. Out: for `machine_data` to pack, the pairs of
the training text where it is known, else of the text on view. Nothing here draws or knows Streamlit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import tokviz
from pages.ui.records import Trained
from tokviz import MergeTrace, Tokenizer
from tokviz.live.views.machine_data import Counted, first_pretoken, glass, step_answer
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
        k = min(max(step if self.asked_step is None else self.asked_step, 0), len(self.trace.tokenizer.merge_tokens))
        pretoken = first_pretoken(self.trace) if self.pretoken is None else self.pretoken
        if pretoken not in self.glasses:
            self.glasses[pretoken] = glass(self.trace, pretoken)
        if self.counted is None:
            self.counted = Counted.of(self.trace, self.source.trained)
        answer = step_answer(self.trace.tokenizer, k, self.counted)
        return {"made": self.made, **answer, "glass": self.glasses[pretoken]}
