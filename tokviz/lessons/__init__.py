"""The lessons: what tokens do to language models, in exercises whose figures are computed live. One lesson a file."""

from tokviz.exercises import Exercise, Lesson
from tokviz.lessons import (
    arithmetic,
    byte_pair_encoding,
    code_points,
    conversations,
    hidden_text,
    languages,
    special_tokens,
    spelling,
    split_patterns,
    tokens,
    vocabularies,
    whitespace,
    word_forms,
)

LESSONS: list[Lesson] = [
    tokens.LESSON,
    byte_pair_encoding.LESSON,
    spelling.LESSON,
    arithmetic.LESSON,
    whitespace.LESSON,
    word_forms.LESSON,
    languages.LESSON,
    code_points.LESSON,
    special_tokens.LESSON,
    split_patterns.LESSON,
    vocabularies.LESSON,
    hidden_text.LESSON,
    conversations.LESSON,
]
TEXT_MAX = 2_000  # characters of an exercise's text: lessons work with small examples


def lesson_named(slug: str) -> Lesson:
    """Return the lesson with this name in its address; KeyError if there is none.

    >>> lesson_named("arithmetic").title
    'Arithmetic'
    """
    for lesson in LESSONS:
        if lesson.slug == slug:
            return lesson
    raise KeyError(f"there is no lesson {slug!r}; choose one of {', '.join(lesson.slug for lesson in LESSONS)}")


def text_key(lesson: Lesson, exercise: Exercise) -> str:
    """Return the name under which a session keeps the text of an exercise."""
    return f"lesson:{lesson.slug}:{exercise.key}"
