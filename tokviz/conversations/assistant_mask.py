"""Which tokens of a chat a model is trained on: those that the assistant writes.

Trainers take the {% generation %} blocks of a template for that. Where it has none, the mask follows from whose each
character is: an answer begins after the generation prompt, and ends with its last special token.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tokviz.chats.prompt import Prompt, prompt_spans
from tokviz.chats.template_stretches import common_length_without_open_marker
from tokviz.conversations.answers import answer_ranges
from tokviz.conversations.growing_tokens import special_token_ends
from tokviz.conversations.turns import Turns
from tokviz.core.spans import TokenSpans
from tokviz.text.words import quantity

Stretches = tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class AssistantMask:
    """The complete chat as tokens, and what of it is the assistant's, as start and end in characters.

    marked: what is in {% generation %} blocks; None if the template has none. derived: what follows from whose each
    character is.
    """

    prompt: Prompt
    spans: TokenSpans
    marked: Stretches | None
    derived: Stretches

    @property
    def stretches(self) -> Stretches:
        """What is trained on: what the template marks, else what is derived."""
        return self.derived if self.marked is None else self.marked

    @cached_property
    def tokens(self) -> np.ndarray:
        """Whether each token is trained on: whether any of it is, as transformers takes it."""
        return self.tokens_in(self.stretches)

    @cached_property
    def straddling(self) -> list[int]:
        """The tokens that are trained on only in part: they reach across an edge of a stretch."""
        edges = np.array(sorted({edge for stretch in self.stretches for edge in stretch}), np.int32)
        n_before = np.searchsorted(edges, self.spans.char_starts, side="right")
        indices: list[int] = np.flatnonzero(np.searchsorted(edges, self.spans.char_ends) > n_before).tolist()
        return indices

    @property
    def differing(self) -> list[int]:
        """The tokens that only one of both masks has; none if the template marks nothing."""
        if self.marked is None:
            return []
        indices: list[int] = np.flatnonzero(self.tokens_in(self.marked) != self.tokens_in(self.derived)).tolist()
        return indices

    @property
    def words(self) -> str:
        """What there is to say of the mask, in a sentence or more."""
        n = int(self.tokens.sum())
        words = f"{n:,} of {quantity(len(self.spans), 'token')} {'is' if n == 1 else 'are'} trained on: "
        if self.marked is None:
            words += "each answer with its last special token. A template can mark others with {% generation %}."
        else:
            words += "what {% generation %} marks."
        if self.differing:
            words += f" Going by who says what, {quantity(len(self.differing), 'token')} would be different."
        if self.straddling:
            words += f" {quantity(len(self.straddling), 'token reaches', 'tokens reach')} across the edge of an answer."
        return words

    def tokens_in(self, stretches: Stretches) -> np.ndarray:
        """Return whether each token has a character of these stretches."""
        is_in = np.zeros(len(self.spans), bool)
        for start, stop in stretches:
            if start < stop:
                first = np.searchsorted(self.spans.char_ends, start, side="right")
                is_in[first : np.searchsorted(self.spans.char_starts, stop)] = True
        return is_in


def assistant_mask(turns: Turns) -> AssistantMask:
    """Return which tokens of a chat a model is trained on.

    >>> import tokviz
    >>> chat = [{"role": "user", "content": "Hi!"}, {"role": "assistant", "content": "Ho!"}]
    >>> mask = assistant_mask(tokviz.turns(tokviz.load("qwen3"), chat))
    >>> [mask.prompt.text[start:stop] for start, stop in mask.stretches]
    ['Ho!<|im_end|>']
    """
    messages, answers = turns.messages, list(answer_ranges(turns.messages))
    first = answers[0][0] if answers else len(messages)
    cuts = [(len(messages), False), (first, True), (first, False)]
    prompt, request, without = turns.chat_format.prompts(messages, cuts)
    lead = request.text.removeprefix(without.text) if request.text.startswith(without.text) else ""
    special = special_token_ends(turns.tokenizer, prompt)
    derived = tuple(_derived_stretches(prompt, answers, lead, special))
    return AssistantMask(prompt, prompt_spans(turns.tokenizer, prompt), prompt.generation or None, derived)


def _derived_stretches(
    prompt: Prompt, answers: Sequence[tuple[int, int]], lead: str, special: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Yield each answer, without what the template puts before it, and with the special token that ends it."""
    for first, after in answers:
        said = [(start, stop) for start, stop, owner in prompt.contents if first <= owner < after]
        begin = next((each for each in prompt.begins[first:after] if each is not None), None)
        end = min((each for each in prompt.begins[after:] if each is not None), default=len(prompt.text))
        last = said[-1][1] if said else begin
        if begin is not None:
            begin += common_length_without_open_marker(prompt.text[begin:end], lead)
        elif said:
            begin = said[0][0]
        if begin is None or last is None:
            continue  # the template leaves it out
        stop = max((each for each in special if begin < each <= end), default=last)
        yield min(begin, said[0][0]) if said else begin, max(stop, last)
