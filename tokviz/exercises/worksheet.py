"""A lesson as a worksheet for paper: questions with room to write, and their answers apart."""

from dataclasses import dataclass
from itertools import pairwise

from tokviz.exercises.blocks import Block, Plain, Table
from tokviz.exercises.hand_merges import Round, pair_text, usual_rounds
from tokviz.exercises.lesson import Exercise, Lesson
from tokviz.exercises.lines import text_with_visible_odd_spaces, visible_pieces_text

ROUND_COLUMNS = ("merge", "pair", "how often", "the text after it")


@dataclass(frozen=True)
class Task:
    """One exercise on paper.

    given: what is shown before the question, `ask` (markdown). blanks: what to tick or to fill in; marked: a text to
    mark with a pencil; lines: the names of lines to write on. answer: what is right, and why.
    """

    exercise: Exercise
    text: str
    ask: str
    blanks: tuple[Block, ...]
    lines: tuple[str, ...]
    answer: tuple[Block, ...]
    given: tuple[Block, ...] = ()
    marked: str = ""


def tasks_of(lesson: Lesson, texts: list[str]) -> list[Task]:
    """Return the tasks of a lesson whose exercises have these texts, or the first examples where those are of no use.

    >>> from tokviz.lessons import lesson_named
    >>> task, *_ = tasks_of(lesson_named("spelling"), ["strawberry", "egg", "egg"])
    >>> task.text, task.answer[0].words
    ('strawberry', 'Answer: str aw berry, 2 cuts, 3 tokens')
    """
    return [_task_with_usable_text(exercise, text) for exercise, text in zip(lesson.exercises, texts, strict=True)]


def _task_with_usable_text(exercise: Exercise, text: str) -> Task:
    scene = exercise.scene_if_usable(text)
    if scene is None:
        text = exercise.examples[0]
        scene = exercise.scene(text)
    shown = text_with_visible_odd_spaces(text)
    if exercise.by_hand:
        return _hand_merge_task(exercise, shown, list(usual_rounds(tuple(text))))
    question = scene.question
    return Task(
        exercise,
        shown,
        question.ask,
        question.worksheet_blocks,
        question.lines_to_fill,
        answer=(Plain(f"Answer: {question.answer_text}"), *scene.reveal_without_details),
        given=scene.before,
        marked=question.text_to_mark,
    )


def _hand_merge_task(exercise: Exercise, shown: str, rounds: list[Round]) -> Task:
    """Return the task of merging by hand, with a row for each merge."""
    rows = [
        (n, " or ".join(map(pair_text, pairs)), before.counts[pairs[0]], visible_pieces_text(after.pieces))
        for n, (before, after) in enumerate(pairwise(rounds), 1)
        for pairs in (before.top_repeated_pairs,)
    ]
    return Task(
        exercise,
        shown,
        "Merge until no pair occurs twice.",
        (Table(ROUND_COLUMNS, tuple((n, "", "", "") for n, *_ in rows)),),
        ("How many tokens are left?",),
        answer=(
            Table(ROUND_COLUMNS, tuple(rows), code=("pair", "the text after it")),
            Plain(f"{len(rounds[-1].pieces)} tokens are left. Of pairs that tie, the first was merged here."),
        ),
    )
