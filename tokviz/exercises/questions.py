"""The questions of exercises: a number, a choice, or the cuts in a text; each judges a guess, in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Number:
    """A question whose answer is a whole number; a guess off by at most `near` is right."""

    ask: str
    answer: int
    near: int = 0

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


@dataclass(frozen=True)
class Choice:
    """A question with options, which may quote the text; each of the `answers` is right.

    why_not: for a wrong option, what is wrong with it, in a sentence.
    """

    ask: str
    options: tuple[str, ...]
    answers: frozenset[str]
    why_not: Mapping[str, str] = field(default_factory=dict)

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
        answers = " or ".join(f"“{option}”" for option in self.options if option in self.answers)
        return f"No: {self.why_not.get(guess, f'the answer is {answers}.')}"


@dataclass(frozen=True)
class Cuts:
    """A question about where a text is cut; the answer holds the offsets in characters, without the ends."""

    ask: str
    text: str
    answer: frozenset[int]

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
        cuts = f"{found} of {len(self.answer)} {'cut' if len(self.answer) == 1 else 'cuts'}"
        return f"No: you found {cuts}" + (f", and made {wrong} where there is none." if wrong else ".")


Question = Number | Choice | Cuts
