"""The texts of the exercises: documents of this session by the keys of `text_key`, typed over the live socket.

The tab keeps each under its name, as it keeps every text; a link carries those that were changed.
"""

from dataclasses import dataclass
from typing import NamedTuple

from pages.ui.holding import Holding
from pages.ui.lessons.sitting import NamedQuestion
from pages.ui.options import option_value
from pages.ui.pages import LEARN, Page
from pages.ui.shared.live import document
from pages.ui.shared.text import set_document_text
from pages.ui.shared.token_view import show_text_editor
from tokviz.core.pretokens import well_formed_text
from tokviz.exercises import Exercise, Lesson, Scene
from tokviz.lessons import LESSONS, TEXT_MAX, text_key

SHORT = 45  # characters; a shorter text leaves room for the examples beside it
ROWS_MAX = 14
REST = 0.3  # seconds; a page of exercises takes about 50 ms to compute


class Attempt(NamedTuple):
    """An exercise of a lesson with the text that it has now: until it is changed, its first example.

    number: its place in the lesson, from 1. key: the name of the document.
    """

    exercise: Exercise
    number: int
    key: str
    text: str

    @property
    def title(self) -> str:
        """Its number and title."""
        return f"{self.number}. {self.exercise.title}"

    @property
    def scene_or_none(self) -> Scene | None:
        """Its scene, or None if the exercise cannot use the text."""
        return self.exercise.scene_if_usable(self.text)

    def named_question(self, scene: Scene) -> NamedQuestion:
        """Return the question of a scene with its name."""
        return NamedQuestion(scene.question, (self.key, self.text))


def attempt_at(lesson: Lesson, number: int) -> Attempt:
    """Return an exercise of a lesson, by its number from 1, with its text."""
    exercise = lesson.exercises[number - 1]
    key = text_key(lesson, exercise)
    return Attempt(exercise, number, key, well_formed_text(document(key, exercise.examples[0]).text)[:TEXT_MAX])


def current_exercise_texts(lesson: Lesson) -> list[str]:
    """Return the texts that the exercises of a lesson have now."""
    return [attempt_at(lesson, number).text for number in range(1, len(lesson.exercises) + 1)]


def show_exercise_editor(attempt: Attempt) -> None:
    """Show the text of an exercise to change; the page runs again once the typing rests."""
    exercise, on_slide = attempt.exercise, option_value("presenting")
    show_text_editor(
        attempt.key,
        key=f"text {attempt.key}",
        label=f"Text {attempt.number}: change it as you like",  # each box has a label of its own
        label_visible=not on_slide,  # its place is clear there, and room is scarce
        rows=min(max(attempt.text.count("\n") + 1, 2), ROWS_MAX) if exercise.multiline else 1,
        units_max=TEXT_MAX,
        width="stretch" if on_slide or exercise.multiline or max(map(len, exercise.examples)) > SHORT else 400,
        rest=REST,
    )


@dataclass(frozen=True)
class ExerciseText(Holding):
    """The text of an exercise; a link holds it if it was changed, and the browser keeps it in the tab."""

    lesson: Lesson
    number: int  # of the exercise, from 1

    @property
    def key(self) -> str:  # type: ignore[override]
        """The name of its document."""
        return text_key(self.lesson, self.exercise)

    @property
    def exercise(self) -> Exercise:
        """The exercise."""
        return self.lesson.exercises[self.number - 1]

    def link_value_or_none(self, page: Page) -> str | None:
        """Return the text if the page shows this lesson and it is not the first example."""
        if page is not LEARN or option_value("lesson") != self.lesson.slug:
            return None
        text = attempt_at(self.lesson, self.number).text
        return text if text != self.exercise.examples[0] else None

    def restore_if_valid(self, value: object) -> None:
        """Replace the text, in one line where the exercise has one."""
        if isinstance(value, str):
            text = well_formed_text(value if self.exercise.multiline else " ".join(value.splitlines()))
            set_document_text(self.key, text[:TEXT_MAX])


def exercise_texts() -> list[ExerciseText]:
    """Return the texts of all exercises."""
    return [ExerciseText(lesson, i + 1) for lesson in LESSONS for i in range(len(lesson.exercises))]
