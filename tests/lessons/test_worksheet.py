"""Worksheets: every exercise with its question and room to write, every answer computed, and none told too early."""

import pytest
from lesson_blocks import units

from tokviz.exercises import Choice, Cuts, Number, Plain, Table
from tokviz.exercises.worksheet import tasks_of
from tokviz.lessons import LESSONS, lesson_named
from tokviz.text.words import quantity


def first_tasks(lesson):
    return tasks_of(lesson, [exercise.examples[0] for exercise in lesson.exercises])


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_every_exercise_is_a_task_with_its_question_room_to_write_and_its_answer(lesson):
    for exercise, task in zip(lesson.exercises, first_tasks(lesson), strict=True):
        scene = exercise.scene(exercise.examples[0])
        assert task.exercise is exercise and task.lines
        assert exercise.by_hand or task.ask == scene.question.ask
        right, *why = task.answer
        if exercise.by_hand:
            assert isinstance(right, Table)
            continue
        match scene.question:
            case Number(answer=answer, unit=unit):
                said = quantity(answer, unit) if unit else f"{answer:,}"
                assert right == Plain(f"Answer: {said}") and not task.blanks
            case Choice(options=options, answers=answers):
                assert right.words == "Answer: " + " or ".join(option for option in options if option in answers)
                assert task.blanks[0].words == "\n".join(f"☐ {option}" for option in options)
            case Cuts(answer=answer):
                assert f"{len(answer)} cuts, {len(answer) + 1} tokens" in right.words
        assert units(why) == units(block for block in scene.reveal if not getattr(block, "detail", False))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_no_task_tells_its_answer(lesson):
    for exercise, task in zip(lesson.exercises, first_tasks(lesson), strict=True):
        given = () if exercise.by_hand else exercise.scene(exercise.examples[0]).before
        assert units(task.given) == units(given)
        assert not set(map(repr, units(task.answer))) & set(map(repr, units([*task.given, *task.blanks])))


def test_merging_by_hand_has_a_row_for_every_merge_and_names_what_ties():
    task, _ = first_tasks(lesson_named("by-hand"))
    (blank,) = task.blanks
    filled, words = task.answer
    assert blank.rows == ((1, "", "", ""), (2, "", "", ""), (3, "", "", ""))
    assert [row[1:3] for row in filled.rows] == [("a + a", 4), ("aa + a or a + b", 2), ("aaa + b", 2)]
    assert filled.rows[-1][3] == "aaab  d  aaab  a  c" and words.words.startswith("5 tokens are left.")


def test_a_text_to_cut_has_room_between_its_graphemes_and_shows_its_spaces():
    lesson = lesson_named("spelling")
    task, *_ = tasks_of(lesson, [" น้ำ", "egg", "egg"])
    assert task.text == "·น้ำ" and task.marked == "·  น้ำ"


def test_a_text_of_no_use_gives_way_to_the_first_example():
    lesson = lesson_named("vocabulary")
    texts = [exercise.examples[0] for exercise in lesson.exercises]
    odd, usual = (tasks_of(lesson, given) for given in (["no tokenizer", "", *texts[2:]], texts))
    assert (
        [task.text for task in odd] == [task.text for task in usual] == [*texts[:2], "·SolidGoldMagikarp", *texts[3:]]
    )
    assert [units(task.answer) for task in odd] == [units(task.answer) for task in usual]
