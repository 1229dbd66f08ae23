"""The kinds of questions. Each is one class with all that shows it on a page, a slide, a worksheet and in a notebook.

A kind that is answered by clicking also has an entry in `assets/prediction/kinds.js`, which draws it.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from tokviz.analysis.code_points import graphemes
from tokviz.exercises.blocks import WIDTH, Block, Plain, text_width
from tokviz.exercises.lines import counted
from tokviz.hidden_text.glyphs import visible

BAR = "|"  # a cut, in a notebook


@dataclass(frozen=True)
class Question(ABC):
    """A question, `ask`, in markdown. On a page its answer is typed, as a whole number, unless it is a `Selection`."""

    ask: str

    @abstractmethod
    def right(self, guess: object) -> bool:
        """Return whether a guess is right."""

    @abstractmethod
    def verdict(self, guess: Any) -> str:
        """Return in one line whether a guess is right, and what is right; it may quote the text."""

    @property
    @abstractmethod
    def answer_words(self) -> str:
        """What is right, in words."""

    @property
    @abstractmethod
    def heights(self) -> tuple[float, float]:
        """How much room its guess, and then its answer, take on a slide, in lines of body type."""

    @property
    def blanks(self) -> tuple[Block, ...]:
        """What a worksheet shows below the question."""
        return ()

    @property
    def text_to_mark(self) -> str:
        """A text that a worksheet shows to be marked with a pencil."""
        return ""

    @property
    def lines_to_fill(self) -> tuple[str, ...]:
        """The names of the lines to write on, on a worksheet."""
        return "Your answer:", "Why?"

    @property
    def html(self) -> str:
        """What a notebook shows below the question."""
        return ""

    @property
    @abstractmethod
    def guess_form(self) -> str:
        """How a guess is written in a notebook."""

    @abstractmethod
    def read(self, guess: object) -> object:
        """Return a guess from a notebook as `right` takes it; ValueError for one of another form."""


class Selection(Question):
    """A question that is answered by clicking on what `assets/prediction` draws: a guess selects places in it."""

    @property
    @abstractmethod
    def drawing(self) -> dict[str, Any]:
        """What is drawn: its `kind`, the name of an entry in kinds.js, and whatever that needs."""

    @property
    @abstractmethod
    def solution(self) -> list[int]:
        """The places that are right."""

    @abstractmethod
    def places(self, guess: Any) -> list[int]:
        """Return the places that a guess selects; none for None."""

    @abstractmethod
    def guess_at(self, places: list[int]) -> object | None:
        """Return the guess that selects these places, or None if nothing has been guessed yet."""

    @property
    def lines_to_fill(self) -> tuple[str, ...]:
        """The names of the lines to write on, on a worksheet."""
        return ("Why?",)


@dataclass(frozen=True)
class Number(Question):
    """A question whose answer is a whole number; a guess off by at most `near` is right."""

    answer: int
    near: int = 0
    heights = 2, 1.5
    guess_form = "a whole number"

    def right(self, guess: object) -> bool:
        """Return whether a guess is right."""
        return isinstance(guess, int) and abs(guess - self.answer) <= self.near

    def verdict(self, guess: int) -> str:
        """Return in one line whether a guess is right, and what the answer is.

        >>> Number("How many?", 19).verdict(12)
        'No: it is more than that, 19.'
        """
        if guess == self.answer:
            return "Right!"
        if self.right(guess):
            return f"Right: it is {self.answer:,}, and that is close enough."
        return f"No: it is {'more' if guess < self.answer else 'less'} than that, {self.answer:,}."

    @property
    def answer_words(self) -> str:
        """The number."""
        return f"{self.answer:,}"

    def read(self, guess: object) -> int:
        """Return a whole number; ValueError for anything else."""
        if not isinstance(guess, int):
            raise ValueError(f"expected a whole number, not {guess!r}")
        return guess


@dataclass(frozen=True)
class Choice(Selection):
    """A question with options, which may quote the text; each of the `answers` is right. A guess is an option.

    why_not: for a wrong option, what is wrong with it, in a sentence.
    """

    options: tuple[str, ...]
    answers: frozenset[str]
    why_not: Mapping[str, str] = field(default_factory=dict)
    guess_form = "the number of an option"

    def right(self, guess: object) -> bool:
        """Return whether a guess is right."""
        return guess in self.answers

    def verdict(self, guess: str) -> str:
        """Return in one line whether a guess is right, and what the answer is; it may quote the text.

        >>> Choice("Which?", ("a", "b"), frozenset("a")).verdict("b")
        'No: the answer is “a”.'
        """
        if self.right(guess):
            return "Right!"
        answers = " or ".join(f"“{self.options[place]}”" for place in self.solution)
        return f"No: {self.why_not.get(guess, f'the answer is {answers}.')}"

    @property
    def answer_words(self) -> str:
        """The right options."""
        return " or ".join(self.options[place] for place in self.solution)

    @property
    def drawing(self) -> dict[str, Any]:
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
    def heights(self) -> tuple[float, float]:
        """How much room its guess, and then its answer, take on a slide, in lines of body type."""
        options = 1.7 * math.ceil(sum(text_width(option) + 4 for option in self.options) / WIDTH)
        return options + 1.8, options + 1.5

    @property
    def blanks(self) -> tuple[Block, ...]:
        """The options, to tick."""
        return (Plain("\n".join(f"☐ {option}" for option in self.options)),)

    @property
    def html(self) -> str:
        """The options, numbered; the style is inline, since some notebooks take margins and numbers away."""
        options = "".join(f"<li>{escape(option)}</li>" for option in self.options)
        return f'<ol style="margin:.6em 0;padding-left:2em;list-style:decimal">{options}</ol>'

    def read(self, guess: object) -> str:
        """Return an option, given as it is or by its number from 1."""
        if isinstance(guess, int) and 1 <= guess <= len(self.options):
            return self.options[guess - 1]
        if isinstance(guess, str) and guess in self.options:
            return guess
        raise ValueError(f"expected a number from 1 to {len(self.options)}, or an option, not {guess!r}")


def yes_or_no(ask: str, holds: bool, yes: str = "Yes", no: str = "No") -> Choice:
    """Return a question whose options are these two; yes is right if it holds.

    >>> yes_or_no("Is it?", False).answer_words
    'No'
    """
    return Choice(ask, (yes, no), frozenset({yes if holds else no}))


@dataclass(frozen=True)
class Cuts(Selection):
    """A question about where a text is cut; the answer and guesses hold offsets in characters, without the ends."""

    text: str
    answer: frozenset[int]
    heights = 5, 4

    def right(self, guess: object) -> bool:
        """Return whether a guess, a collection of offsets, is right."""
        return isinstance(guess, Iterable) and frozenset(guess) == self.answer

    def verdict(self, guess: Iterable[int]) -> str:
        """Return in one line whether a guess is right, and what is wrong with it.

        >>> Cuts("Where?", "abcd", frozenset({1, 2})).verdict([2, 3])
        'No: you found 1 of 2 cuts, and made 1 where there is none.'
        """
        guess = frozenset(guess)
        if self.right(guess):
            return "Right!"
        if not self.answer:
            return "No: there is no cut. It is a single token."
        found, wrong = len(guess & self.answer), len(guess - self.answer)
        cuts = f"{found} of {counted(len(self.answer), 'cut')}"
        return f"No: you found {cuts}" + (f", and made {wrong} where there is none." if wrong else ".")

    @property
    def answer_words(self) -> str:
        """The pieces, and how many cuts and tokens there are."""
        cuts, n = self.solution, len(self.answer)
        pieces = [self.text[a:b] for a, b in zip([0, *cuts], [*cuts, None], strict=True)]
        return f"{_visible(pieces, ' ')}, {counted(n, 'cut') if n else 'no cuts'}, {counted(n + 1, 'token')}"

    @property
    def drawing(self) -> dict[str, Any]:
        """The text, with a button between any two characters."""
        return {"kind": "cuts", "text": self.text}

    @property
    def solution(self) -> list[int]:
        """The offsets of the cuts, in order."""
        return sorted(self.answer)

    def places(self, guess: Iterable[int] | None) -> list[int]:
        """Return the offsets of a guess, in order."""
        return sorted(guess or ())

    def guess_at(self, places: list[int]) -> tuple[int, ...]:
        """Return a guess; to leave the text whole is one too."""
        return tuple(sorted(places))

    @property
    def blanks(self) -> tuple[Block, ...]:
        """What to do."""
        return (Plain("Draw a line wherever it cuts, or leave the text whole."),)

    @property
    def text_to_mark(self) -> str:
        """The text, with room for a pencil."""
        return _visible(graphemes(self.text), "  ")

    @property
    def html(self) -> str:
        """The text."""
        return f'<p style="margin:.6em 0"><code>{escape(self.text)}</code></p>'

    @property
    def guess_form(self) -> str:
        """How a guess is written in a notebook."""
        return f"the text with a bar at each cut, as in {self.text[:2] + BAR + self.text[2:]!r}"

    def read(self, guess: object) -> frozenset[int]:
        """Return where a guess has bars that are not the text's own, in characters of the text.

        >>> sorted(Cuts("Where?", "a|bc", frozenset()).read("a||b|c"))
        [2, 3]
        """
        if not isinstance(guess, str) or guess.replace(BAR, "") != self.text.replace(BAR, ""):
            raise ValueError(f"expected {self.guess_form}")
        cuts, at = set(), 0
        for character in guess:
            if at < len(self.text) and character == self.text[at]:
                at += 1
            else:
                cuts.add(at)
        return frozenset(cuts - {0, len(self.text)})


def _visible(pieces: Sequence[str], gap: str) -> str:
    """Return pieces with their spaces visible, and a gap between them."""
    return gap.join(visible(piece.encode()) for piece in pieces)
