"""The lessons: what tokens do to language models, in exercises whose figures are computed live. One lesson a file."""

from tokviz.exercises import Exercise, Lesson
from tokviz.lessons import (
    arithmetic,
    by_hand,
    code_points,
    hidden_text,
    languages,
    same_word,
    special_tokens,
    spelling,
    split_patterns,
    vocabularies,
    what_is_a_token,
    whitespace,
)

LESSONS: list[Lesson] = [
    what_is_a_token.LESSON,
    by_hand.LESSON,
    spelling.LESSON,
    arithmetic.LESSON,
    whitespace.LESSON,
    same_word.LESSON,
    languages.LESSON,
    code_points.LESSON,
    special_tokens.LESSON,
    split_patterns.LESSON,
    vocabularies.LESSON,
    hidden_text.LESSON,
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
