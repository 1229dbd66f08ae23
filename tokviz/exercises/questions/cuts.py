"""The cuts in a text, drawn as `cuts` in `assets/prediction/kinds.js`."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Any

from tokviz.exercises.blocks import Block, Plain
from tokviz.exercises.lines import visible_pieces_text
from tokviz.exercises.questions.question import Selection
from tokviz.text.code_points import graphemes
from tokviz.text.words import quantity

BAR = "|"  # a cut, in a notebook


@dataclass(frozen=True)
class Cuts(Selection):
    """A question about where a text is cut; the answer and guesses hold offsets in characters, without the ends."""

    text: str
    answer: frozenset[int]
    guess_and_answer_heights_in_body_lines = 3.5, 2.4

    def is_right(self, guess: object) -> bool:
        """Return whether a guess, a collection of offsets, is right."""
        return isinstance(guess, Iterable) and frozenset(guess) == self.answer

    def verdict(self, guess: Iterable[int]) -> str:
        """Return in one line whether a guess is right, and what is wrong with it.

        >>> Cuts("Where?", "abcd", frozenset({1, 2})).verdict([2, 3])
        'No: you found 1 of 2 cuts, and made 1 where there is none.'
        """
        guess = frozenset(guess)
        if self.is_right(guess):
            return "Right!"
        if not self.answer:
            return "No: there is no cut. It is a single token."
        found, wrong = len(guess & self.answer), len(guess - self.answer)
        cuts = f"{found} of {quantity(len(self.answer), 'cut')}"
        return f"No: you found {cuts}" + (f", and made {wrong} where there is none." if wrong else ".")

    @property
    def answer_text(self) -> str:
        """The pieces, and how many cuts and tokens there are."""
        cuts, n = self.solution, len(self.answer)
        pieces = [self.text[a:b] for a, b in zip([0, *cuts], [*cuts, None], strict=True)]
        n_cuts = quantity(n, "cut") if n else "no cuts"
        return f"{visible_pieces_text(pieces, ' ')}, {n_cuts}, {quantity(n + 1, 'token')}"

    @property
    def drawing_data(self) -> dict[str, Any]:
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
    def worksheet_blocks(self) -> tuple[Block, ...]:
        """What to do."""
        return (Plain("Draw a line wherever it cuts, or leave the text whole."),)

    @property
    def text_to_mark(self) -> str:
        """The text, with room for a pencil."""
        return visible_pieces_text(graphemes(self.text))

    @property
    def notebook_html(self) -> str:
        """The text."""
        return f'<p style="margin:.6em 0"><code>{escape(self.text)}</code></p>'

    @property
    def guess_form(self) -> str:
        """How a guess is written in a notebook."""
        return f"the text with a bar at each cut, as in {self.text[:2] + BAR + self.text[2:]!r}"

    def parsed_guess(self, guess: object) -> frozenset[int]:
        """Return where a guess has bars that are not the text's own, in characters of the text.

        >>> sorted(Cuts("Where?", "a|bc", frozenset()).parsed_guess("a||b|c"))
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
