"""The worksheet of a lesson as a page: every exercise, and the answers after all of them."""

import json
from collections.abc import Iterator

import pytest
from each import quick
from opening import button, opened
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element

from tokviz.exercises import Plain, Say, Table
from tokviz.exercises.worksheet import tasks_of
from tokviz.lessons import LESSONS, lesson_named
from tokviz.lessons.notes import notes_of
from tokviz.live.session import LiveSession


def worksheet_of(slug: str, texts: dict[str, str] | None = None, sheet: str = "worksheet") -> AppTest:
    """Return the worksheet of a lesson, with texts that were typed before."""
    session = LiveSession()
    for key, text in (texts or {}).items():
        session.get_or_add_document(key, text)
    return opened("pages/lessons.py", query={"lesson": slug, "print": sheet}, live=session)


def said(node: Element | Block) -> Iterator[str]:
    """Yield all that a page says, from its top to its end."""
    if isinstance(node, Block):
        for child in node.children.values():
            yield from said(child)
    elif packed := getattr(node.proto, "bytes", b""):
        yield json.dumps(json.loads(packed), ensure_ascii=False)
    else:
        yield str(getattr(node, "value", ""))


def in_json(words: object) -> str:
    return json.dumps(words, ensure_ascii=False)


@pytest.mark.parametrize("slug", quick([lesson.slug for lesson in LESSONS], "token", "by-hand"))
def test_a_worksheet_has_every_exercise_and_no_answer_before_the_page_of_answers(slug):
    app, lesson = worksheet_of(slug), lesson_named(slug)
    assert not app.exception and not app.error
    titles = [f"{n}. {exercise.title}" for n, exercise in enumerate(lesson.exercises, 1)]
    assert [one.value for one in app.header] == titles * 2
    heading = f"Answers: {lesson.title}"
    assert [one.value for one in app.title] == [lesson.title, heading, f"Notes: {lesson.title}"]
    everything = list(said(app.main))
    place = everything.index(heading)
    sheet, answers = "\n".join(everything[:place]), "\n".join(everything[place:])
    for task in tasks_of(lesson, [exercise.examples[0] for exercise in lesson.exercises]):
        assert task.exercise.say in sheet and task.ask in sheet and all(line in sheet for line in task.lines)
        right, *why = task.answer
        assert in_json(right.rows if isinstance(right, Table) else right.words) in answers
        for block in why:
            words = [block.words] if isinstance(block, Say) else []
            words += [in_json(block.words)] if isinstance(block, Plain) else []
            words += [in_json(row) for row in block.rows] if isinstance(block, Table) else []
            assert all(one in answers and one not in sheet for one in words)


def test_a_worksheet_has_the_texts_as_they_are_now_and_goes_back_to_the_lesson():
    app = worksheet_of("spelling", {"lesson:spelling:strawberry": "raspberry"})
    assert app.code[0].value == "raspberry"
    button(app, "Back to the lesson").click().run()
    assert [one.value for one in app.title] == ["Spelling"]
    button(app, "Worksheet").click().run()
    assert [one.value for one in app.title] == ["Spelling", "Answers: Spelling", "Notes: Spelling"]
    del app.query_params["print"]  # the lesson's own address shows the lesson
    assert [one.value for one in app.run().title] == ["Spelling"]


def test_slides_on_paper_have_every_question_answer_and_note_once():
    app, lesson = worksheet_of("spelling", sheet="slides"), lesson_named("spelling")
    assert not app.exception and not app.error
    shown = "\n".join(said(app.main))
    for task in tasks_of(lesson, [exercise.examples[0] for exercise in lesson.exercises]):
        assert shown.count(task.exercise.say) == 1 and in_json(task.answer[0].words) in shown
    assert [shown.count(note.markdown) for note in notes_of(lesson)] == [1] * len(notes_of(lesson))
    assert shown.count(lesson.takeaway) == 1 and lesson.more not in shown


def test_the_notes_open_by_their_address():
    app = opened("pages/lessons.py", query={"lesson": "spelling", "notes": "1"})
    assert not app.exception and [one.value for one in app.header][1:3] == [
        "1. What the model sees",
        "1. What the model sees · the answer",
    ]
    assert {note.markdown for note in notes_of(lesson_named("spelling"))} <= {one.value for one in app.markdown}
