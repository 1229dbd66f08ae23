"""The slides of lessons: nothing is lost, nothing is told before it is asked, and what is long goes on to the next."""

import re
from dataclasses import fields

import pytest
from lesson_blocks import units

from tokviz.exercises import Cuts, Exercise, Lesson, Lines, Number, Plain, Say, Scene, Table, piece_line
from tokviz.exercises.blocks import height_of_words_in_body_lines
from tokviz.exercises.slides import ROOM, WHOLE, Part, Slide, slides_of
from tokviz.exercises.worksheet import tasks_of
from tokviz.lessons import LESSONS, lesson_named
from tokviz.lessons.notes import note_for_slide_or_none, notes_of


def first_slides(lesson: Lesson) -> list[Slide]:
    return slides_of(lesson, [exercise.examples[0] for exercise in lesson.exercises])


def lesson_of(*reveal, question=None, say="Look.") -> Lesson:
    """A lesson with one exercise, whose answer shows these blocks."""
    question = question or Number("How many?", 3)
    exercise = Exercise("one", "One", say, ("text",), lambda text: Scene(question, *reveal))
    return Lesson("one", "One", "A lesson.", (exercise,), "The end.")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_every_question_and_all_of_every_answer_but_details_are_on_slides_in_order(lesson):
    slides = first_slides(lesson)
    assert [slides[0].part, slides[-1].part] == [Part.TITLE, Part.GO_ON]
    assert [slide.number for slide in slides[1:-2]] == sorted(slide.number for slide in slides[1:-2])
    for number, exercise in enumerate(lesson.exercises, 1):
        own = [slide for slide in slides if slide.number == number]
        asking = [slide for slide in own if slide.part is Part.EXERCISE]
        assert own[: len(asking)] == asking
        assert own[0].says and sum(slide.says for slide in asking) == sum(slide.asks for slide in asking) == 1
        answer = own[len(asking) :]
        assert [slide.tells for slide in answer] == [True, *[False] * (len(answer) - 1)] or exercise.by_hand
        told = [block for block in exercise.scene(exercise.examples[0]).reveal if not getattr(block, "detail", False)]
        expected = [] if exercise.by_hand else units(told)
        assert units(block for slide in answer for block in slide.blocks) == expected  # nothing comes twice
        assert all(slide.blocks for slide in answer)  # what is right has a figure beside it


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_no_slide_of_an_answer_is_fuller_than_a_screen(lesson):
    for slide in first_slides(lesson):  # one long line of tokens shrinks instead
        assert sum(block.height_in_body_lines for block in slide.blocks) <= WHOLE or len(units(slide.blocks)) == 1


def test_a_table_and_lines_that_are_too_high_are_parted_evenly():
    table = Table(("word", "n"), tuple((f"word {n}", n) for n in range(20)))
    lines = Lines(*(piece_line(f"line {n}", ["a", "b"]) for n in range(20)))
    for block, of_slide in ((table, lambda block: block.rows), (lines, lambda block: block.lines)):
        shown = [block for slide in first_slides(lesson_of(block)) for block in slide.blocks]
        sizes = [len(of_slide(part)) for part in shown]
        assert sum(sizes) == 20 and len(sizes) > 1 and max(sizes) - min(sizes) <= len(sizes)
        assert all(part.height_in_body_lines <= WHOLE for part in shown)
    assert all(part.columns == table.columns for slide in first_slides(lesson_of(table)) for part in slide.blocks)


def test_words_are_with_the_figure_before_them_or_with_the_last_part_of_one_that_is_too_high_or_alone():
    words = Say("So it is. " * 10)
    for n_rows in (4, 20):
        table = Table(("word", "n"), tuple((f"word {n}", n) for n in range(n_rows)))
        *_, last = (slide for slide in first_slides(lesson_of(table, words)) if slide.part is Part.ANSWER)
        assert isinstance(last.blocks[0], Table) and last.blocks[1] == words and not last.is_words_alone
    high = Lines(piece_line("x", ["line\n"] * 8))  # which leaves no room
    figure, after = (slide for slide in first_slides(lesson_of(high, words)) if slide.part is Part.ANSWER)
    assert (figure.asks, figure.tells, figure.blocks, figure.is_words_alone) == (True, True, (high,), False)
    assert (after.asks, after.tells, after.blocks, after.is_words_alone) == (False, False, (words,), True)


def test_a_long_question_gives_way_to_the_words_of_the_first_figure():
    blocks = Lines(piece_line("x", ["line\n"] * 7)), Say("So it is. " * 10)
    for ask, shown in (("How many?", True), ("How many? " * 20, False)):
        [answer] = [slide for slide in first_slides(lesson_of(*blocks, question=Number(ask, 3))) if slide.tells]
        assert (answer.asks, answer.blocks) == (shown, blocks)


def test_the_answer_about_greetings_shows_their_tokens_at_once():
    answer, *_ = (slide for slide in first_slides(lesson_named("languages")) if slide.tells)
    assert answer.asks and isinstance(answer.blocks[0], Lines) and len(answer.blocks[0].lines) == 4


def test_a_short_exercise_asks_at_once_and_a_long_one_after_its_words():
    short, long = (first_slides(lesson_of(Say("So."), say=say)) for say in ("Look.", "Look around. " * 60))
    assert [(slide.says, slide.asks) for slide in short if slide.part is Part.EXERCISE] == [(True, True)]
    assert [(slide.says, slide.asks) for slide in long if slide.part is Part.EXERCISE] == [(True, False), (False, True)]
    assert all(slide.edits for slide in (*short, *long) if slide.part is Part.EXERCISE)


def test_a_game_by_hand_begins_below_its_words_if_there_is_room():
    lesson = lesson_named("by-hand")
    for text, expected in (
        ("aaabdaaabac", [(True, True)]),
        ("she sells sea shells " * 12, [(True, False), (False, True)]),
    ):
        slides = [slide for slide in slides_of(lesson, [text, "banana"]) if slide.number == 1]
        assert [(slide.says, slide.asks) for slide in slides] == expected


def test_the_other_texts_are_offered_on_a_slide_with_room_for_their_names_in_a_row():
    def offered(*others: str, say: str = "Look.") -> list[bool]:
        exercise = Exercise("one", "One", say, ("text", *others), lambda text: Scene(Number("How many?", 3)))
        slides = first_slides(Lesson("one", "One", "A lesson.", (exercise,), "The end."))
        return [slide.offers for slide in slides if slide.part is Part.EXERCISE]

    assert offered("other", "third") == [True]
    assert offered(*["a long text to choose"] * 3) == [False]
    assert offered("other", say="Look around. " * 42) == [False]


def test_the_question_is_repeated_with_its_answer_unless_that_would_part_the_figure_from_it():
    question = Cuts("Where does it cut? " * 8, "abc", frozenset({1}))
    rows = tuple(("x", n) for n in range(7))
    small, large = Plain("Small."), Table(("a", "b"), rows)
    for block, asks in ((small, True), (large, False)):
        (answer,) = (slide for slide in first_slides(lesson_of(block, question=question)) if slide.part is Part.ANSWER)
        assert (answer.asks, answer.blocks) == (asks, (block,))


def test_an_empty_text_and_one_of_no_use_keep_the_slide_where_they_are_changed():
    lesson = lesson_named("vocabulary")
    for text in ("", "no tokenizer"):
        slides = slides_of(lesson, [text, *(exercise.examples[0] for exercise in lesson.exercises[1:])])
        (own,) = (slide for slide in slides if slide.number == 1)
        assert own.says and own.part is Part.EXERCISE


def test_labels_stand_beside_short_lines_and_above_long_ones():
    assert Lines(piece_line("x", ["short"])).has_labels_beside
    assert not Lines(piece_line("x", ["short"]), piece_line("y", ["long " * 10])).has_labels_beside


def test_two_texts_of_many_short_lines_are_side_by_side():
    short, long = (piece_line("x", [f"{'some words ' * n}\n"] * 5) for n in (2, 9))
    assert (
        Lines(short, short).are_abreast
        and Lines(short, short).height_in_body_lines == Lines(short).height_in_body_lines
    )
    assert not any(Lines(*lines).are_abreast for lines in ((short,), (short, long), (short, short, short)))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_why_it_matters_is_at_most_thirty_words_and_a_picture_on_one_slide(lesson):
    assert len(lesson.takeaway.split()) <= 30 and lesson.aim and lesson.more
    title = 1
    words = height_of_words_in_body_lines(lesson.takeaway)
    assert title + words + lesson.picture().height_in_body_lines <= ROOM


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_every_slide_has_a_short_note_and_every_note_a_slide(lesson):
    notes = notes_of(lesson)
    shown = [note_for_slide_or_none(lesson, slide) for slide in first_slides(lesson)]
    assert None not in shown and list(dict.fromkeys(shown)) == notes
    assert len({note.key for note in notes}) == len(notes)
    for note in notes:
        assert 5 <= len(f"{note.ask} {note.watch}".split()) <= 50 and 1 <= note.minutes <= 6
        assert note.ask.endswith((".", "?")) and note.watch.endswith((".", "”", "?"))
    assert 10 <= sum(note.minutes for note in notes) <= 45


FACTS = {"124"}  # million parameters of GPT-2


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_every_figure_of_a_note_is_on_the_slides_that_it_is_for(lesson):
    def figures(words: object) -> set[str]:
        return set(re.findall(r"(?<![-\w.])\d+", str(words).replace(",", "")))

    tasks = [
        (task.exercise.title, task.exercise.say, *(getattr(task, field.name) for field in fields(task)[1:]))
        for task in tasks_of(lesson, [exercise.examples[0] for exercise in lesson.exercises])
    ]
    for note in notes_of(lesson):
        shown = figures(tasks[note.number - 1] if note.number else tasks)
        assert figures(f"{note.ask} {note.watch}") <= shown | FACTS, note


def test_merging_by_hand_has_no_note_for_an_answer():
    lesson = next(lesson for lesson in LESSONS if lesson.slug == "by-hand")
    assert [note.number for note in notes_of(lesson) if note.part is Part.ANSWER] == [2]
