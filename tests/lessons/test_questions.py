"""Kinds of questions: a new one is a class, here, and an entry of KINDS, in tests/js/components/page.test.js."""

import json
from dataclasses import dataclass

import pytest
from lesson_blocks import added
from opening import ROOT, button, data_sent, opened, without_script

from pages.ui.lessons.exercise import check_guess_and_open_answer
from pages.ui.lessons.sitting import NamedQuestion, Sitting, sitting
from tokviz.display.lesson_cells import asked
from tokviz.display.lesson_notebook import lesson_notebook_json
from tokviz.exercises import Choice, Cuts, Exercise, Lesson, Number, Plain, Scene, Selection, n_tokens
from tokviz.exercises.slides import Part, slides_of
from tokviz.exercises.worksheet import tasks_of

PAGE = "pages/lessons.py"
TEXT = "สวัสดี\nhello"
KEY = "lesson:sorting:greetings"


@dataclass(frozen=True)
class Order(Selection):
    """A question whose items are to be put in order."""

    items: tuple[str, ...]
    answer: tuple[str, ...]
    guess_and_answer_heights_in_body_lines = 3, 3
    guess_form = "the items in order, in a list"

    def is_right(self, guess):
        return guess == self.answer

    def verdict(self, guess):
        return "Right!" if self.is_right(guess) else f"No: {self.answer_text}."

    @property
    def answer_text(self):
        return ", ".join(self.answer)

    @property
    def drawing_data(self):
        return {"kind": "order", "items": list(self.items)}

    @property
    def solution(self):
        return self.places(self.answer)

    def places(self, guess):
        return [self.items.index(item) for item in guess or ()]

    def guess_at(self, places):
        return tuple(self.items[place] for place in places) if len(places) == len(self.items) else None

    def parsed_guess(self, guess):
        if sorted(guess) != sorted(self.items):
            raise ValueError(f"expected {self.guess_form}")
        return tuple(guess)


def greetings(text: str) -> Scene:
    lines = tuple(text.splitlines())
    by_length = tuple(sorted(lines, key=lambda line: n_tokens("gpt2", line)))
    return Scene(Order("Which takes the fewest **tokens**?", lines, by_length), Plain(text))


SORTING = Lesson(
    slug="sorting",
    title="Sorting",
    intro="Some greetings are short.",
    exercises=(Exercise("greetings", "Greetings", "Sort them.", (TEXT,), greetings),),
    takeaway="Short greetings are cheap.",
)


@pytest.fixture
def lesson():
    """A lesson with a question of a new kind."""
    with added(SORTING):
        yield SORTING


def drawn(**state: object) -> dict:
    """Return what the page of the lesson sends to draw its question."""
    app = opened(PAGE, query={"lesson": "sorting"}, lesson="sorting", **state)
    assert not app.exception and not app.error
    return next(data for data in data_sent(app) if "solution" in data)


@pytest.mark.slow
def test_a_new_kind_is_drawn_asked_and_judged_on_the_page(lesson):
    asks = drawn()
    assert (asks["kind"], asks["items"], asks["ask"]) == ("order", TEXT.splitlines(), "Which takes the fewest tokens?")
    assert (asks["guess"], asks["solution"], asks["verdict"]) == ([], None, "")
    question = greetings(TEXT).question
    name = (KEY, TEXT)
    with without_script() as state:
        for guess, is_scored in ([0], False), (question.solution, True):
            state[f"prediction {KEY}"] = {"message": {"question": asks["question"], "guess": guess}}
            check_guess_and_open_answer(NamedQuestion(question, name))
            assert sitting().score == ({name: True} if is_scored else {})
        told = drawn(sitting=sitting())
    assert (told["guess"], told["solution"], told["verdict"]) == (question.solution, question.solution, "Right!")
    wrong = question.answer[::-1]
    told = drawn(sitting=Sitting(guesses={name: wrong}, checked={name: wrong}, open={name}))
    assert told["verdict"] == "No: hello, สวัสดี."


def test_a_new_kind_is_asked_and_answered_on_slides(lesson):
    parts = [slide.part for slide in slides_of(lesson, [TEXT])]
    assert parts == [Part.TITLE, Part.EXERCISE, Part.ANSWER, Part.END, Part.GO_ON]
    asks, tells = (drawn(presenting=True, slide=parts.index(part)) for part in (Part.EXERCISE, Part.ANSWER))
    assert asks["kind"] == tells["kind"] == "order"
    assert asks["solution"] is None and tells["solution"] == greetings(TEXT).question.solution


def test_a_new_kind_is_on_the_worksheet(lesson):
    (task,) = tasks_of(lesson, [TEXT])
    assert task.answer[0] == Plain("Answer: hello, สวัสดี") and task.lines == ("Why?", "")
    app = opened(PAGE, query={"lesson": "sorting"}, lesson="sorting")
    button(app, "Worksheet").click().run()
    assert not app.exception
    assert [one.value for one in app.header] == ["1. Greetings"] * 2
    assert {"words": task.answer[0].words} in [part for data in data_sent(app) for part in data.get("parts", ())]


def test_a_new_kind_is_in_the_notebook(lesson):
    source = "".join("".join(cell["source"]) for cell in json.loads(lesson_notebook_json(lesson))["cells"])
    assert "guess = ...  # the items in order, in a list" in source
    question = asked("sorting", "greetings", TEXT)
    assert "Which takes the fewest <b>tokens</b>?" in question._repr_html_()
    assert question(["hello", "สวัสดี"]).is_right and not question(TEXT.splitlines()).is_right
    with pytest.raises(ValueError, match="expected the items in order"):
        question(["hello"])


NUMBER, CHOICE, CUTS = (
    Number("How many?", 1_000, near=10),
    Choice("Which?", ("a", "b", "c"), frozenset("ac")),
    Cuts("Where?", "a b", frozenset({1})),
)


def test_what_is_selected_has_an_entry_in_the_table_of_the_browser():
    kinds = (ROOT / "assets" / "prediction" / "kinds.js").read_text("utf-8")
    assert all(f"\n  {question.drawing_data['kind']}: {{" in kinds for question in (CHOICE, CUTS))


@pytest.mark.parametrize("question", [CHOICE, CUTS, Cuts("Where?", "abc", frozenset()), greetings(TEXT).question])
def test_a_guess_selects_places_and_they_give_the_guess(question):
    for place in question.solution:
        places = [place] if isinstance(question, Choice) else question.solution
        guess = question.guess_at(places)
        assert question.is_right(guess) and question.places(guess) == places
    assert question.places(None) == []
    assert question.is_right(question.guess_at([])) == (not question.solution)  # nothing selected


def test_a_number_says_what_is_counted_where_it_could_be_taken_for_another():
    question = Number("How many tokens hold an r?", 2, unit="token")
    assert (question.answer_text, question.verdict(3)) == ("2 tokens", "No: it is fewer than that, 2 tokens.")
    assert Number("How many?", 1, unit="token").answer_text == "1 token"


def test_what_a_worksheet_and_a_notebook_show_of_each_kind():
    assert (NUMBER.answer_text, CHOICE.answer_text, CUTS.answer_text) == ("1,000", "a or c", "a ·b, 1 cut, 2 tokens")
    assert (NUMBER.worksheet_blocks, NUMBER.text_to_mark, NUMBER.notebook_html) == ((), "", "")
    assert CHOICE.worksheet_blocks == (Plain("☐ a\n☐ b\n☐ c"),) and CHOICE.notebook_html.count("<li>") == 3
    assert CUTS.text_to_mark == "a  ·  b" and "<code>a b</code>" in CUTS.notebook_html
    assert (NUMBER.parsed_guess(7), CHOICE.parsed_guess(2), CHOICE.parsed_guess("c"), CUTS.parsed_guess("a| b")) == (
        7,
        "b",
        "c",
        {1},
    )
