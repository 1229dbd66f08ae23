"""A number to be typed."""

from dataclasses import dataclass

from tokviz.exercises.questions.question import Question
from tokviz.text.words import quantity


@dataclass(frozen=True)
class Number(Question):
    """A question whose answer is a whole number; a guess off by at most `near` is right.

    unit: what is counted, in the singular, where the bare number could be taken for another.
    """

    answer: int
    near: int = 0
    unit: str = ""
    guess_and_answer_heights_in_body_lines = 2, 1.8
    guess_form = "a whole number"

    @property
    def ask_beside_answer(self) -> str:
        """The question without how close a guess has to be.

        >>> Number("How many? (Within 2 is close enough.)", 19, near=2).ask_beside_answer
        'How many?'
        """
        return self.ask.partition(" (Within ")[0]

    def is_right(self, guess: object) -> bool:
        """Return whether a guess is right."""
        return isinstance(guess, int) and abs(guess - self.answer) <= self.near

    def verdict(self, guess: int) -> str:
        """Return in one line whether a guess is right, and what the answer is.

        >>> Number("How many?", 19).verdict(12)
        'No: it is more than that, 19.'
        """
        if guess == self.answer:
            return "Right!"
        if self.is_right(guess):
            return f"Right: it is {self.answer_text}, and that is close enough."
        less = "fewer" if self.unit else "less"
        return f"No: it is {'more' if guess < self.answer else less} than that, {self.answer_text}."

    @property
    def answer_text(self) -> str:
        """The number, with what is counted if the question says it.

        >>> Number("How many?", 19).answer_text, Number("How many?", 2, unit="token").answer_text
        ('19', '2 tokens')
        """
        return quantity(self.answer, self.unit) if self.unit else f"{self.answer:,}"

    def parsed_guess(self, guess: object) -> int:
        """Return a whole number; ValueError for anything else."""
        if not isinstance(guess, int):
            raise ValueError(f"expected a whole number, not {guess!r}")
        return guess
