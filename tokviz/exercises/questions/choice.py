"""A choice between options, drawn as `options` in `assets/prediction/kinds.js`."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from tokviz.exercises.blocks import Block, Plain, text_width_in_columns
from tokviz.exercises.questions.question import Selection

BESIDE_BUTTON = 58  # characters of options in a row of a slide, beside the button that opens the answer


@dataclass(frozen=True)
class Choice(Selection):
    """A question with options, which may quote the text; each of the `answers` is right. A guess is an option.

    why_not: for a wrong option, what is wrong with it, in a sentence.
    """

    options: tuple[str, ...]
    answers: frozenset[str]
    why_not: Mapping[str, str] = field(default_factory=dict)
    guess_form = "the number of an option"

    def is_right(self, guess: object) -> bool:
        """Return whether a guess is right."""
        return guess in self.answers

    def verdict(self, guess: str) -> str:
        """Return in one line whether a guess is right, and what the answer is; it may quote the text.

        >>> Choice("Which?", ("a", "b"), frozenset("a")).verdict("b")
        'No: the answer is “a”.'
        """
        if self.is_right(guess):
            return "Right!"
        answers = " or ".join(f"“{self.options[place]}”" for place in self.solution)
        return f"No: {self.why_not.get(guess, f'the answer is {answers}.')}"

    @property
    def answer_text(self) -> str:
        """The right options."""
        return " or ".join(self.options[place] for place in self.solution)

    @property
    def drawing_data(self) -> dict[str, Any]:
        """The options, a button each."""
        return {"kind": "options", "options": list(self.options)}

    @property
    def solution(self) -> list[int]:
        """The numbers of the right options, from 0."""
        return [i for i, option in enumerate(self.options) if option in self.answers]

    def places(self, guess: str | None) -> list[int]:
        """Return the number of the option in a list, from 0."""
        return [self.options.index(guess)] if guess in self.options else []

    def guess_at(self, places: list[int]) -> str | None:
        """Return the option with this number."""
        return self.options[places[0]] if places and 0 <= places[0] < len(self.options) else None

    @property
    def guess_and_answer_heights_in_body_lines(self) -> tuple[float, float]:
        """How much room its guess, and then its answer, take on a slide, in lines of body type."""
        options = 1.7 * math.ceil(sum(text_width_in_columns(option) + 4 for option in self.options) / BESIDE_BUTTON)
        return options + 0.3, options + 0.3

    @property
    def worksheet_blocks(self) -> tuple[Block, ...]:
        """The options, to tick."""
        return (Plain("\n".join(f"☐ {option}" for option in self.options)),)

    @property
    def notebook_html(self) -> str:
        """The options, numbered; the style is inline, since some notebooks take margins and numbers away."""
        options = "".join(f"<li>{escape(option)}</li>" for option in self.options)
        return f'<ol style="margin:.6em 0;padding-left:2em;list-style:decimal">{options}</ol>'

    def parsed_guess(self, guess: object) -> str:
        """Return an option, given as it is or by its number from 1."""
        if isinstance(guess, int) and 1 <= guess <= len(self.options):
            return self.options[guess - 1]
        if isinstance(guess, str) and guess in self.options:
            return guess
        raise ValueError(f"expected a number from 1 to {len(self.options)}, or an option, not {guess!r}")


def best_figure_question(ask: str, figures: Mapping[str, int], best: Callable[[Iterable[int]], int]) -> Choice:
    """Return a question whose options have figures; those with the best, such as the `max`, are right.

    >>> best_figure_question("Which has most?", {"a": 1, "b": 2, "c": 2}, max).answer_text
    'b or c'
    """
    right = best(figures.values())
    return Choice(ask, tuple(figures), frozenset(option for option, figure in figures.items() if figure == right))


def yes_or_no_question(ask: str, holds: bool, yes: str = "Yes", no: str = "No") -> Choice:
    """Return a question whose options are these two; yes is right if it holds.

    >>> yes_or_no_question("Is it?", False).answer_text
    'No'
    """
    return Choice(ask, (yes, no), frozenset({yes if holds else no}))
