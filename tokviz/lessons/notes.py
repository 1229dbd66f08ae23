"""A teacher's notes for the slides of a lesson, as `notes.toml` has them."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tokviz.exercises import Lesson
from tokviz.exercises.slides import Part, Slide


class Note(NamedTuple):
    """A note for the slides of one part of a lesson; `number` is that of the exercise, 0 for none.

    minutes: how long these slides take. ask: what to ask the class. watch: what usually goes wrong.
    """

    part: Part
    number: int
    minutes: int
    ask: str
    watch: str

    @property
    def key(self) -> str:
        """Its name within the lesson."""
        return f"{self.part.name.lower()}-{self.number}"

    @property
    def markdown(self) -> str:
        """All of it, in markdown."""
        return f"**Ask ({self.minutes} min):** {self.ask}\n\n**Watch for:** {self.watch}"


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def notes_of(lesson: Lesson) -> list[Note]:
    """Return the notes of a lesson in the order of its slides; none for a lesson without any.

    >>> from tokviz.lessons import lesson_named
    >>> [note.key for note in notes_of(lesson_named("by-hand"))]
    ['title-0', 'exercise-1', 'exercise-2', 'answer-2', 'end-0']
    """
    table = _tables().get(lesson.slug)
    if table is None:
        return []
    notes = [Note(Part.TITLE, 0, *table["opening"])]
    for number, exercise in enumerate(lesson.exercises, 1):
        of_one = table[exercise.key]
        notes.append(Note(Part.EXERCISE, number, *of_one["asking"]))
        if "answer" in of_one:
            notes.append(Note(Part.ANSWER, number, *of_one["answer"]))
    return [*notes, Note(Part.END, 0, *table["closing"])]


def class_minutes(lesson: Lesson) -> int:
    """Return how many minutes a lesson takes with a class.

    >>> from tokviz.lessons import lesson_named
    >>> class_minutes(lesson_named("by-hand"))
    13
    """
    return sum(note.minutes for note in notes_of(lesson))


def note_for_slide_or_none(lesson: Lesson, slide: Slide) -> Note | None:
    """Return the note for a slide; the first two share one, and so do the last two."""
    place = ({Part.TRY: Part.TITLE, Part.GO_ON: Part.END}.get(slide.part, slide.part), slide.number)
    return next((note for note in notes_of(lesson) if (note.part, note.number) == place), None)
