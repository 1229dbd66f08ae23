"""A lesson as a worksheet for paper: questions with room to write, and their answers apart."""

from dataclasses import dataclass

from tokviz.exercises.blocks import Block, Plain, Table
from tokviz.exercises.hand_merges import Pair, pair_text, pieces_text, rounds_until_wrong_pair
from tokviz.exercises.lesson import Exercise, Lesson
from tokviz.exercises.lines import text_with_visible_odd_spaces

ROUND_COLUMNS = ("merge", "pair", "how often", "the text after it")


@dataclass(frozen=True)
class Task:
    """One exercise on paper.

    given: what is shown before the question, `ask` (markdown). blanks: what to tick or to fill in; marked: a text to
    mark with a pencil; lines: the names of lines to write on. answer: what is right, and why.
    """

    title: str
    say: str
    text: str
    given: tuple[Block, ...]
    ask: str
    blanks: tuple[Block, ...]
    marked: str
    lines: tuple[str, ...]
    answer: tuple[Block, ...]


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
    if exercise.by_hand:
        return _hand_merge_task(exercise, text)
    return Task(
        title=exercise.title,
        say=exercise.say,
        text=text_with_visible_odd_spaces(text),
        given=scene.before,
        ask=scene.question.ask,
        blanks=scene.question.worksheet_blocks,
        marked=scene.question.text_to_mark,
        lines=scene.question.lines_to_fill,
        answer=(Plain(f"Answer: {scene.question.answer_text}"), *scene.reveal_without_details),
    )


def _hand_merge_task(exercise: Exercise, text: str) -> Task:
    """Return the task of merging by hand, with a row for each merge."""
    chosen: list[Pair] = []
    while best := rounds_until_wrong_pair(text, chosen)[-1].top_repeated_pairs:
        chosen.append(best[0])
    played = rounds_until_wrong_pair(text, chosen)
    numbers = range(1, len(chosen) + 1)
    filled = tuple(
        (
            n,
            " or ".join(map(pair_text, before.top_repeated_pairs)),
            before.counts[before.top_repeated_pairs[0]],
            pieces_text(after.pieces),
        )
        for n, before, after in zip(numbers, played, played[1:], strict=False)
    )
    return Task(
        title=exercise.title,
        say=exercise.say,
        text=text_with_visible_odd_spaces(text),
        given=(),
        ask="Merge until no pair occurs twice.",
        blanks=(Table(ROUND_COLUMNS, tuple((n, "", "", "") for n in numbers)),),
        marked="",
        lines=("How many tokens are left?",),
        answer=(
            Table(ROUND_COLUMNS, filled, code=("pair", "the text after it")),
            Plain(f"{len(played[-1].pieces)} tokens are left. Of pairs that tie, the first was merged here."),
        ),
    )
