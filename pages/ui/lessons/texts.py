"""The texts of the exercises: documents of this session by the keys of `text_key`, typed over the live socket.

The tab keeps each under its name, as it keeps every text; a link carries those that were changed.
"""

from dataclasses import dataclass

from pages.ui.holding import Holding
from pages.ui.options import option_value
from pages.ui.pages import LEARN, Page
from pages.ui.shared.live import document
from pages.ui.shared.text import set_document_text
from pages.ui.shared.token_view import text_editor
from tokviz.core.pretokens import well_formed
from tokviz.exercises.lesson import Exercise, Lesson
from tokviz.lessons import LESSONS, TEXT_MAX, text_key

SHORT = 45  # characters; a shorter text leaves room for the examples beside it
ROWS_MAX = 14
REST = 0.3  # seconds; a page of exercises takes some 50 ms to compute


def exercise_text(exercise: Exercise, key: str) -> str:
    """Return the current text of an exercise; until it is changed, its first example."""
    return well_formed(document(key, exercise.examples[0]).text)[:TEXT_MAX]


def exercise_editor(exercise: Exercise, key: str, label: str) -> None:
    """Show the text of an exercise to change; the page runs again once the typing rests."""
    on_slide = option_value("presenting")
    lines = exercise_text(exercise, key).count("\n") + 1
    text_editor(
        key,
        key=f"text {key}",
        label=label,
        label_visible=not on_slide,  # its place is clear there, and room is scarce
        rows=min(max(lines, 2), ROWS_MAX) if exercise.multiline else 1,
        units_max=TEXT_MAX,
        width="stretch" if on_slide or exercise.multiline or max(map(len, exercise.examples)) > SHORT else 400,
        rest=REST,
    )


@dataclass(frozen=True)
class ExerciseText(Holding):
    """The text of an exercise; a link holds it if it was changed, and the browser keeps it in the tab."""

    lesson: Lesson
    exercise: Exercise

    @property
    def key(self) -> str:  # type: ignore[override]
        """The name of its document."""
        return text_key(self.lesson, self.exercise)

    def for_link(self, page: Page) -> str | None:
        """Return the text if the page shows this lesson and it is not the first example."""
        if page is not LEARN or option_value("lesson") != self.lesson.slug:
            return None
        text = exercise_text(self.exercise, self.key)
        return text if text != self.exercise.examples[0] else None

    def for_tab(self) -> None:
        """Return nothing, since the browser keeps it."""

    def take(self, value: object) -> None:
        """Replace the text, in one line where the exercise has one."""
        if isinstance(value, str):
            text = well_formed(value if self.exercise.multiline else " ".join(value.splitlines()))
            set_document_text(self.key, text[:TEXT_MAX])


def exercise_texts() -> list[ExerciseText]:
    """Return the texts of all exercises."""
    return [ExerciseText(lesson, exercise) for lesson in LESSONS for exercise in lesson.exercises]
