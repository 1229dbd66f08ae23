"""One exercise on the page: its words, its text to change, the question, and the answer once it is open."""

from functools import partial

import streamlit as st

from pages.ui.lessons.by_hand import play_by_hand
from pages.ui.lessons.links import link_buttons
from pages.ui.lessons.prediction import prediction, take_guess
from pages.ui.lessons.reveal import show_blocks
from pages.ui.lessons.sitting import sitting
from pages.ui.lessons.texts import exercise_editor, exercise_text
from pages.ui.shared.messages import show_errors
from pages.ui.shared.text import set_document_text
from tokviz.exercises.lesson import Exercise, Lesson, Number, Question, Scene
from tokviz.lessons import text_key
from tokviz.live.views.glyphs import visible

REVEAL_KEY = "A"  # not the space bar, which also presses the button that was clicked last
LONGEST_NAME = 28  # characters of an example, as the name of its button


def show_exercise(lesson: Lesson, exercise: Exercise, *, number: int, on_slide: bool = False) -> None:
    """Show an exercise; on a slide a key opens and closes the answer, which replaces the words."""
    key = text_key(lesson, exercise)
    label = f"Text {number}: change it as you like"  # each box has its own name
    st.subheader(f"{number}. {exercise.title}", anchor=False)
    if not on_slide or key not in sitting().open:
        st.markdown(exercise.say)
        text = _text(exercise, key, label)
    else:
        text = exercise_text(key)
        if not exercise.multiline:
            exercise_editor(exercise, key, label, label_visible=False)
    if not text.strip():
        st.info("Type a text, or choose an example.")
        return
    with show_errors():
        scene = exercise.scene(text)
        reveal_key = REVEAL_KEY if on_slide else None
        if exercise.by_hand:
            play_by_hand(scene, key, text, reveal_key)
        else:
            _on_text(scene, key, (key, text), reveal_key)


def _text(exercise: Exercise, key: str, label: str) -> str:
    """Show the text to change and the examples to choose from; return the text."""
    text = exercise_text(key)
    if exercise.multiline:
        exercise_editor(exercise, key, label)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        if not exercise.multiline:
            exercise_editor(exercise, key, label)
        for n, example in enumerate(exercise.examples):
            if example != text:
                st.button(_name_of(example), key=f"_example_{key}_{n}", on_click=_set_example, args=(key, example))
    return text


def _name_of(example: str) -> str:
    """Return one of our examples as the label of a button: plain, on one line, with visible spaces."""
    lines = example.rstrip("\n").split("\n")
    shown = " ↵ ".join(visible(line.encode()) if line != line.strip() or "  " in line else line for line in lines)
    shown = shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1] + "…"
    return "".join("\\" + c if c in "\\`*_{}[]()<>#+-.!|$~:=" else c for c in shown)


def _set_example(key: str, example: str) -> None:
    """Make an example the text, which makes a new question."""
    set_document_text(key, example)
    sitting().open.discard(key)


def _on_text(scene: Scene, key: str, name: tuple[str, str], reveal_key: str | None) -> None:
    """Show the question, the button that opens the answer, and the answer."""
    open_ = key in sitting().open
    show_blocks(scene.before, key=f"before {key}")
    st.markdown(scene.question.ask)
    is_number = isinstance(scene.question, Number)
    guess = partial(prediction, scene.question, name=name, key=f"prediction {key}", open_=open_)
    if not is_number:
        guess()
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if is_number:
            guess()
        st.button(
            "Hide the answer" if open_ else "Reveal",
            key=f"_reveal_{key}",
            type="secondary" if open_ else "primary",
            on_click=_turn,
            args=(key, name, scene.question),
            shortcut=reveal_key,
        )
        if open_:
            _verdict(scene.question, name)
    if open_:
        show_blocks(scene.reveal, key=f"answer {key}")
        link_buttons(scene.links, key=key)


def _turn(key: str, name: tuple[str, str], question: Question) -> None:
    """Open the answer and score the guess, or close the answer."""
    now = sitting()
    if key in now.open:
        now.open.discard(key)
    else:
        now.open.add(key)
        take_guess(question, name=name, key=f"prediction {key}")
        now.check(name, question)


def _verdict(question: Question, name: tuple[str, str]) -> None:
    """Say whether the guess was right, and give the number if it was one; other answers show in the question."""
    said = []
    if name in sitting().guesses:
        right = question.right(sitting().guesses[name])
        said.append(
            ":green-badge[:material/check: Right]" if right else ":orange-badge[:material/lightbulb: Not quite]"
        )
    if isinstance(question, Number):
        said.append(f"The answer: **{question.answer:,}**")
    st.markdown(" ".join(said), width="content")
