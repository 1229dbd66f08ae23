"""One sitting: the guesses, the open answers, and the score. A reload starts a new one.

Which lessons are done is an option instead, which the browser remembers.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import streamlit as st

from pages.ui.options import option_value, set_option
from tokviz.exercises import Lesson, Question
from tokviz.lessons import LESSONS, text_key

Name = tuple[str, ...]  # of a question: the exercise's key, its text and, in a game by hand, the pieces so far


class NamedQuestion(NamedTuple):
    """A question with its name."""

    question: Question
    name: Name

    @property
    def key(self) -> str:
        """The key of the exercise."""
        return self.name[0]


@dataclass
class Sitting:
    """guesses, checked guesses and score by the names of questions; open: the questions whose answer is shown.

    opened_last: the key of the exercise whose answer was opened last, until it is hidden. chosen: the pairs merged by
    hand so far, by exercise and text. answered: the keys of exercises.
    """

    guesses: dict[Name, Any] = field(default_factory=dict)
    checked: dict[Name, Any] = field(default_factory=dict)
    score: dict[Name, bool] = field(default_factory=dict)
    open: set[Name] = field(default_factory=set)
    opened_last: str = ""
    chosen: dict[Name, list[tuple[str, str]]] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)

    def verdict(self, asked: NamedQuestion) -> str:
        """Return in one line whether the guess was right; empty if it was not checked or has changed since."""
        question, name = asked
        guess = self.checked.get(name)
        return "" if guess is None or guess != self.guesses.get(name) else question.verdict(guess)

    @property
    def score_text(self) -> str:
        """The score in words."""
        if not self.score:
            return "Guess first, then look at the answer."
        return f"{sum(self.score.values())} of {len(self.score)} guesses right so far."


def sitting() -> Sitting:
    """Return this session's sitting."""
    return st.session_state.setdefault("sitting", Sitting())


def mark_exercise_answered(key: str) -> None:
    """Note that an exercise was answered, and which lessons are done: those with all exercises answered."""
    answered = sitting().answered
    answered.add(key)
    done = [
        lesson.slug
        for lesson in LESSONS
        if is_done(lesson) or all(text_key(lesson, exercise) in answered for exercise in lesson.exercises)
    ]
    if done != option_value("lessons_done"):
        set_option("lessons_done", done)


def is_done(lesson: Lesson) -> bool:
    """Return whether all exercises of a lesson have been answered, on this visit or an earlier one."""
    return lesson.slug in option_value("lessons_done")
