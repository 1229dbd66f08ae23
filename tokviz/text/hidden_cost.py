"""What hidden text costs in tokens."""

from dataclasses import dataclass
from typing import Any

from tokviz.core.pretokens import well_formed_text
from tokviz.core.protocol import as_tokenizer
from tokviz.core.spans import text_spans
from tokviz.text.hidden_text import hidden, without_hidden


@dataclass(frozen=True)
class HiddenCost:
    """The tokens of a text, and of the text without what hides in it.

    of_marks: for each mark, in order, how many tokens hold some of it; two marks may share one.
    """

    n_tokens: int
    n_without: int
    of_marks: tuple[int, ...]

    @property
    def extra(self) -> int:
        """The tokens more because of what hides; it may be below 0."""
        return self.n_tokens - self.n_without


def hidden_cost(tokenizer: Any, text: str) -> HiddenCost:
    """Return what it costs that something hides in a text, under a tokenizer of any family; ValueError as `encode`.

    >>> import tokviz
    >>> cost = hidden_cost(tokviz.load("cl100k_base"), "pass\\u200bword")
    >>> cost.n_tokens, cost.n_without, cost.of_marks
    (3, 1, (1,))
    """
    text, tokenizer = well_formed_text(text), as_tokenizer(tokenizer, "the cost of hidden text")
    marks, spans = hidden(text), text_spans(tokenizer, text)
    if not marks:
        return HiddenCost(len(spans), len(spans), ())
    held = (int(((spans.char_starts < mark.char_end) & (spans.char_ends > mark.char_start)).sum()) for mark in marks)
    return HiddenCost(len(spans), tokenizer.count(without_hidden(text)), tuple(held))
