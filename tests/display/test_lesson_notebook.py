"""Each lesson as a notebook: it runs, asks, and judges guesses as the pages do."""

import json

import pytest
from each import quick
from odd_texts import ODD

import tokviz
from tokviz.cli import main
from tokviz.display.lesson_cells import NotebookQuestion, NotebookVerdict, asked
from tokviz.display.lesson_notebook import lesson_notebook_json
from tokviz.exercises import Cuts, Lesson, Number
from tokviz.lessons import LESSONS, lesson_named

each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
# With a question of each kind; the cells of all are made alike.
some_lessons = pytest.mark.parametrize(
    "lesson", quick(LESSONS, *map(lesson_named, ("token", "spelling", "by-hand"))), ids=lambda lesson: lesson.slug
)


def code_cells(lesson: Lesson) -> list[str]:
    cells = json.loads(lesson_notebook_json(lesson))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def right_guess(question) -> object:
    """A guess as a learner would write it."""
    if isinstance(question, Number):
        return question.answer
    if isinstance(question, Cuts):
        return "".join(f"|{c}" if i in question.answer else c for i, c in enumerate(question.text))
    return question.options.index(next(iter(question.answers & {*question.options}))) + 1


@some_lessons
def test_every_cell_runs_and_a_right_guess_is_right(lesson):
    names: dict = {}
    n_asked = 0
    for code in code_cells(lesson):
        *lines, last = code.splitlines()
        exec("\n".join(lines if not code.startswith("import") else [*lines, last]), names)
        if code.startswith("import"):
            continue
        value = eval(last, names)
        if isinstance(value, NotebookQuestion):
            n_asked += 1
            answered = value(right_guess(value.scene.question))
            assert answered.is_right and "Right" in repr(answered)
            assert len(answered._repr_html_()) > len(value.scene.question.ask)
            assert "<script" not in value._repr_html_() + answered._repr_html_()
    assert n_asked == len(lesson.exercises)


@each_lesson
def test_it_is_a_notebook(lesson):
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(nbformat.reads(lesson_notebook_json(lesson), as_version=4))


@some_lessons
def test_questions_about_any_text_are_shown_or_refused_in_words(lesson):
    for exercise in lesson.exercises:
        for text in ("<img src=x onerror=alert(1)>", *ODD):
            try:
                question = asked(lesson.slug, exercise.key, text)
            except ValueError as e:
                assert "nothing to ask" in str(e)
                continue
            shown = question._repr_html_() + NotebookVerdict(question.scene, right := _given(question))._repr_html_()
            assert right is not None and "<img" not in shown and "<script>" not in shown


def _given(question: NotebookQuestion) -> object:
    inner = question.scene.question
    return inner.answer if isinstance(inner, Number | Cuts) else next(iter(inner.answers))


def test_pairs_are_chosen_by_hand_until_none_occurs_twice():
    text, merges = "aaabdaaabac", []
    for pair, options in ((("a", "a"), 6), (("a", "b"), 6), (("aa", "ab"), 5)):
        question = asked("by-hand", "hand", text, merges)
        assert len(question.scene.question.options) == options
        assert question(f"{pair[0]!r} + {pair[1]!r}").is_right
        merges.append(pair)
    assert not asked("by-hand", "hand", text, [])("'a' + 'b'").is_right
    with pytest.raises(ValueError, match="5 tokens are left"):
        asked("by-hand", "hand", text, merges)
    with pytest.raises(ValueError, match="not a pair that occurred most often"):
        asked("by-hand", "hand", text, [("a", "b")])


def test_ids_stand_below_tokens_where_a_lesson_says_so():
    question = asked("token", "units", "low lower")
    shown = question(question.scene.question.answer)._repr_html_()
    ids = " ".join(map(str, tokviz.load("cl100k_base").encode("low lower")))
    assert "The numbers below the tokens are the ids," in shown and f"<code>{ids}</code>" in shown


def test_guesses_of_another_form_are_refused():
    cuts, choice = asked("spelling", "strawberry", "strawberry"), asked("arithmetic", "long", "1234567890")
    number = asked("spelling", "count", "strawberry")
    for question, guess in ((cuts, "straw|bery"), (cuts, 3), (choice, 9), (choice, "?"), (number, "two")):
        with pytest.raises(ValueError, match="expected"):
            question(guess)
    with pytest.raises(KeyError, match="no exercise 'x'"):
        asked("spelling", "x", "strawberry")
    assert not cuts("straw|berry").is_right


def test_the_command_lists_lessons_and_writes_one(capsys, tmp_path):
    assert main(["lesson"]) == 0
    out = capsys.readouterr().out
    assert all(lesson.slug in out and lesson.title in out for lesson in LESSONS)
    path = tmp_path / "it.ipynb"
    assert main(["lesson", "spelling", "-o", str(path)]) == 0
    assert json.loads(path.read_text(encoding="utf-8"))["nbformat"] == 4
    assert main(["lesson", "none"]) == 1
    assert "choose one of" in capsys.readouterr().err
