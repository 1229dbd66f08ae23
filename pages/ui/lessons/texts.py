"""The texts of the exercises: documents of this session by the keys of `text_key`, typed over the live socket.

The tab keeps each under its name, as it keeps every text; a link carries those that were changed.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pages.ui.lessons.sitting import Asked
from pages.ui.options import option_value
from pages.ui.shared.live import document
from pages.ui.shared.text import set_document_text
from pages.ui.shared.token_view import text_editor
from tokviz.core.pretokens import well_formed
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
    def scene(self) -> Scene | None:
        """Its scene, or None if the exercise cannot use the text."""
        return self.exercise.scene_of(self.text)

    def asked(self, scene: Scene) -> Asked:
        """Return the question of a scene with its name."""
        return Asked(scene.question, (self.key, self.text))


def attempt_at(lesson: Lesson, number: int) -> Attempt:
    """Return an exercise of a lesson, by its number from 1, with its text."""
    exercise = lesson.exercises[number - 1]
    key = text_key(lesson, exercise)
    return Attempt(exercise, number, key, well_formed(document(key, exercise.examples[0]).text)[:TEXT_MAX])


def texts_of(lesson: Lesson) -> list[str]:
    """Return the texts that the exercises of a lesson have now."""
    return [attempt_at(lesson, number).text for number in range(1, len(lesson.exercises) + 1)]


def exercise_editor(attempt: Attempt) -> None:
    """Show the text of an exercise to change; the page runs again once the typing rests."""
    exercise, on_slide = attempt.exercise, option_value("presenting")
    text_editor(
        attempt.key,
        key=f"text {attempt.key}",
        label=f"Text {attempt.number}: change it as you like",  # each box has a label of its own
        label_visible=not on_slide,  # its place is clear there, and room is scarce
        rows=min(max(attempt.text.count("\n") + 1, 2), ROWS_MAX) if exercise.multiline else 1,
        units_max=TEXT_MAX,
        width="stretch" if on_slide or exercise.multiline or max(map(len, exercise.examples)) > SHORT else 400,
        rest=REST,
    )


def linked_texts(lesson: Lesson) -> dict[str, Any]:
    """Return what a link holds besides the lesson: the texts that differ from their first example, by their keys."""
    pairs = zip(lesson.exercises, texts_of(lesson), strict=True)
    return {"options": {text_key(lesson, each): text for each, text in pairs if text != each.examples[0]}}


def take_texts(options: Mapping[str, object]) -> None:
    """Take the texts of exercises from the options of a link, if they are texts."""
    for lesson in LESSONS:
        for exercise in lesson.exercises:
            key = text_key(lesson, exercise)
            if isinstance(text := options.get(key), str):
                text = well_formed(text if exercise.multiline else " ".join(text.splitlines()))
                set_document_text(key, text[:TEXT_MAX])
