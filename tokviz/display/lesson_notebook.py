"""A lesson as a notebook: its words, a cell for each question, and one to guess in."""

import json
from typing import Any

from tokviz.display.lesson_cells import asked
from tokviz.exercises import Exercise, Lesson
from tokviz.lessons import LESSONS

INTRO = (
    "Run a cell for the question, write your guess in place of `...` in the next one and run it. Change the text and "
    "run both again. The notebook needs `tokviz`, installed by `pip install '.[notebook]'` in its folder."
)


def lesson_notebook_json(lesson: Lesson) -> str:
    """Return a lesson as the JSON of a Jupyter notebook (nbformat 4.5).

    >>> from tokviz.lessons import lesson_named
    >>> notebook = json.loads(lesson_notebook_json(lesson_named("spelling")))
    >>> notebook["cells"][0]["source"][0]
    '# Spelling\\n'
    """
    number = LESSONS.index(lesson) + 1
    cells = [
        _markdown_cell(
            f"# {lesson.title}\n\nLesson {number} of {len(LESSONS)}. {INTRO}\n\n{lesson.intro} {lesson.aim_sentence}"
        )
    ]
    cells.append(_code_cell("import tokviz\nfrom tokviz.display.lesson_cells import asked"))
    if lesson.live_text:
        cells.append(_code_cell(f"tokviz.show(tokviz.load('cl100k_base'), {lesson.live_text!r})"))
    for exercise in lesson.exercises:
        cells += _exercise_cells(lesson, exercise)
    cells.append(_markdown_cell(f"## What follows for a language model\n\n{lesson.takeaway} {lesson.more}"))
    for i, cell in enumerate(cells):
        cell["id"] = f"cell-{i}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _exercise_cells(lesson: Lesson, exercise: Exercise) -> list[dict[str, Any]]:
    """Return the cells of an exercise: its words, its question about the first example, and a guess to fill in."""
    question = asked(lesson.slug, exercise.key, exercise.examples[0]).scene.question
    others = "".join(f"# {example!r}\n" for example in exercise.examples[1:])
    offered = f"# Other texts to try:\n{others}" if others else ""
    merges = "merges = []  # those you have chosen so far, such as ('a', 'b')\n" if exercise.by_hand else ""
    given = "text, merges" if exercise.by_hand else "text"
    ask = f"{merges}question = asked({lesson.slug!r}, {exercise.key!r}, {given})\nquestion"
    return [
        _markdown_cell(f"## {exercise.title}\n\n{exercise.say}"),
        _code_cell(f"text = {exercise.examples[0]!r}\n{offered}{ask}"),
        _code_cell(f"guess = ...  # {question.guess_form}\nquestion(guess) if guess is not ... else 'Guess first.'"),
    ]


def _markdown_cell(markdown: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": markdown.splitlines(keepends=True)}


def _code_cell(code: str) -> dict[str, Any]:
    source = code.splitlines(keepends=True)
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
