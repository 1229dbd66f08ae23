"""One exercise on the page: its words, its text to change, the question, and the answer once it is open."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.ui.lessons.by_hand import play_by_hand
from pages.ui.lessons.links import link_buttons
from pages.ui.lessons.prediction import prediction, take_guess
from pages.ui.lessons.reveal import show_blocks
from pages.ui.lessons.sitting import note_answer, sitting
from pages.ui.lessons.texts import exercise_editor, exercise_text
from pages.ui.shared.messages import show_errors
from pages.ui.shared.text import set_document_text
from tokviz.exercises.lesson import Exercise, Lesson, Scene
from tokviz.exercises.questions import Number, Question
from tokviz.hidden_text.glyphs import visible
from tokviz.lessons import text_key

REVEAL_KEY = "A"  # on slides; not the space bar, which also presses the button that was clicked last
LONGEST_NAME = 28  # characters of an example, as the name of its button


@dataclass(frozen=True)
class Asked:
    """A question with its name: the key of the exercise, and the text."""

    question: Question
    name: tuple[str, str]

    @property
    def key(self) -> str:
        """The key of the exercise."""
        return self.name[0]


def show_exercise(lesson: Lesson, exercise: Exercise, *, number: int) -> None:
    """Show an exercise to read and work through."""
    key = text_key(lesson, exercise)
    st.subheader(f"{number}. {exercise.title}", anchor=False)
    st.markdown(exercise.say)
    _text_and_examples(exercise, key, label_of_text(number))
    text = exercise_text(exercise, key)
    if not text.strip():
        st.info("Type a text, or choose an example.")
        return
    with show_errors():
        scene = exercise.scene(text)
        if exercise.by_hand:
            play_by_hand(scene, key, text)
        else:
            _question_and_answer(scene, Asked(scene.question, (key, text)))


def _question_and_answer(scene: Scene, asked: Asked) -> None:
    key = asked.key
    show_blocks(scene.before, key=f"before {key}")
    st.markdown(asked.question.ask)
    is_open = asked.name in sitting().open
    guess_and_button(
        asked,
        "Hide the answer" if is_open else "Reveal",
        hide_answer if is_open else open_answer,
        (asked,),
        open_=is_open,
    )
    if is_open:
        if isinstance(asked.question, Number):
            verdict(asked.question, asked.name)
        show_blocks(scene.reveal, key=f"answer {key}")
        link_buttons(scene.links, key=key)


def label_of_text(number: int) -> str:
    """Return the label of the text of an exercise; each box has its own."""
    return f"Text {number}: change it as you like"


def _text_and_examples(exercise: Exercise, key: str, label: str) -> None:
    """Show the text to change and the examples to choose from."""
    if exercise.multiline:
        exercise_editor(exercise, key, label)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        if not exercise.multiline:
            exercise_editor(exercise, key, label)
        other_texts(exercise, key)


def other_texts(exercise: Exercise, key: str) -> None:
    """Show a button for each example that the text is not."""
    text = exercise_text(exercise, key)
    for n, example in enumerate(exercise.examples):
        if example != text:
            st.button(_name_of(example), key=f"_example_{key}_{n}", on_click=set_document_text, args=(key, example))


def _name_of(example: str) -> str:
    """Return one of our examples as the label of a button: plain, on one line, with visible spaces."""
    lines = example.rstrip("\n").split("\n")
    shown = " ↵ ".join(visible(line.encode()) if line != line.strip() or "  " in line else line for line in lines)
    shown = shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1] + "…"
    return "".join("\\" + c if c in "\\`*_{}[]()<>#+-.!|$~:=" else c for c in shown)


def guess_and_button(
    asked: Asked,
    label: str,
    on_click: Callable[..., None],
    args: tuple[Any, ...],
    *,
    open_: bool = False,
    shortcut: str | None = None,
) -> None:
    """Show the guess at a question, and the button that opens or closes the answer."""
    key = asked.key
    # Two buttons: whoever presses Reveal again, since nothing has come of it yet, does not mean to hide the answer.
    name, look = ("_hide_", "secondary") if open_ else ("_reveal_", "primary")

    def button(kind: Callable[..., bool]) -> None:
        kind(label, key=f"{name}{key}", type=look, on_click=on_click, args=args, shortcut=shortcut)

    def guess() -> None:
        prediction(asked.question, name=asked.name, key=f"prediction {key}", open_=open_)

    if not isinstance(asked.question, Number):
        guess()
        button(st.button)
        return
    # In a form, so that Enter presses the button.
    with (
        st.form(f"guess {key}", border=False, width="content"),
        st.container(horizontal=True, gap="small", vertical_alignment="center"),
    ):
        guess()
        button(st.form_submit_button)


def open_answer(asked: Asked) -> None:
    """Open the answer to a question, and check the guess if there is one."""
    now = sitting()
    now.open.add(asked.name)
    take_guess(asked.question, name=asked.name, key=f"prediction {asked.key}")
    if now.check(asked.name, asked.question):
        note_answer(asked.key)


def hide_answer(asked: Asked) -> None:
    """Close the answer to a question."""
    sitting().open.discard(asked.name)


def verdict(question: Number, name: tuple[str, str]) -> None:
    """Say whether the guess was right, and give the number; other answers show in the question itself."""
    if said := sitting().verdict(name, question):
        right = said.startswith("Right")
        st.markdown(f":{'green' if right else 'orange'}-background[{'✓' if right else '✗'} {said}]")
    else:
        st.markdown(f"The answer: **{question.answer:,}**")
