"""The texts of the exercises: documents of this session by the keys of `text_key`, typed over the live socket.

The tab keeps each under its name, as it keeps every text; a link carries those that were changed.
"""

from collections.abc import Mapping

from pages.ui.options import option_value
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


def changed_texts(lesson: Lesson) -> dict[str, str]:
    """Return the texts of a lesson that differ from their first example, by their keys, for a link."""
    texts = {}
    for exercise in lesson.exercises:
        key = text_key(lesson, exercise)
        if (text := exercise_text(exercise, key)) != exercise.examples[0]:
            texts[key] = text
    return texts


def take_texts(options: Mapping[str, object]) -> None:
    """Take the texts of exercises from the options of a link, if they are texts."""
    for lesson in LESSONS:
        for exercise in lesson.exercises:
            key = text_key(lesson, exercise)
            if isinstance(text := options.get(key), str):
                text = well_formed(text if exercise.multiline else " ".join(text.splitlines()))
                set_document_text(key, text[:TEXT_MAX])
