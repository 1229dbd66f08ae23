"""One sitting: the guesses, the open answers, and the score. A reload or a new session starts a new one."""

from dataclasses import dataclass, field

import streamlit as st

from tokviz.exercises.lesson import Question

Name = tuple[str, ...]  # of a question: the exercise's key and its text


@dataclass
class Sitting:
    """guesses and score by the names of questions; open: the keys of exercises whose answer is shown.

    chosen: the pairs merged by hand so far, by exercise and text.
    """

    guesses: dict[Name, object] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)
    chosen: dict[Name, list[tuple[str, str]]] = field(default_factory=dict)
    score: dict[Name, bool] = field(default_factory=dict)

    def check(self, name: Name, question: Question) -> None:
        """Score the guess at a question, once; without a guess nothing is scored."""
        if name in self.guesses:
            self.score.setdefault(name, question.right(self.guesses[name]))

    @property
    def words(self) -> str:
        """The score in words."""
        if not self.score:
            return "Predict first, then reveal. The score counts for this sitting only."
        return f"{sum(self.score.values())} of {len(self.score)} predictions right in this sitting."


def sitting() -> Sitting:
    """Return this session's sitting."""
    return st.session_state.setdefault("sitting", Sitting())
