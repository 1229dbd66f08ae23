"""A question of any kind: what a page, a slide, a worksheet and a notebook need to know of it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from tokviz.exercises.blocks import Block

WHY = ("Why?", "")  # two lines to write on


@dataclass(frozen=True)
class Question(ABC):
    """A question, `ask`, in markdown. On a page its answer is typed, as a whole number, unless it is a `Selection`."""

    ask: str

    @property
    def ask_beside_answer(self) -> str:
        """The question where the answer is shown, without what concerns guesses only."""
        return self.ask

    @abstractmethod
    def is_right(self, guess: object) -> bool:
        """Return whether a guess is right."""

    @abstractmethod
    def verdict(self, guess: Any) -> str:
        """Return in one line whether a guess is right, and what is right; it may quote the text."""

    @property
    @abstractmethod
    def answer_text(self) -> str:
        """What is right, in words."""

    @property
    @abstractmethod
    def guess_and_answer_heights_in_body_lines(self) -> tuple[float, float]:
        """How much room its guess, and then its answer, take on a slide, in lines of body type."""

    @property
    def worksheet_blocks(self) -> tuple[Block, ...]:
        """What a worksheet shows below the question."""
        return ()

    @property
    def text_to_mark(self) -> str:
        """A text that a worksheet shows to be marked with a pencil."""
        return ""

    @property
    def lines_to_fill(self) -> tuple[str, ...]:
        """The lines to write on, on a worksheet: their names, "" for one that goes on."""
        return "Your answer:", *WHY

    @property
    def notebook_html(self) -> str:
        """What a notebook shows below the question."""
        return ""

    @property
    @abstractmethod
    def guess_form(self) -> str:
        """How a guess is written in a notebook."""

    @abstractmethod
    def parsed_guess(self, guess: object) -> object:
        """Return a guess from a notebook as `is_right` takes it; ValueError for one of another form."""


class Selection(Question):
    """A question that is answered by clicking on what `assets/prediction` draws: a guess selects places in it."""

    @property
    @abstractmethod
    def drawing_data(self) -> dict[str, Any]:
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
        return WHY
