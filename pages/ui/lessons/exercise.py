"""One exercise on the page: its words, its text to change, the question, and the answer once it is open."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.lessons.by_hand import play_by_hand
from pages.ui.lessons.links import folded_links, link_buttons
from pages.ui.lessons.prediction import prediction, take_guess
from pages.ui.lessons.reveal import show_blocks
from pages.ui.lessons.sitting import note_answer, sitting
from pages.ui.lessons.texts import exercise_editor, exercise_text
from pages.ui.shared.messages import show_errors
from pages.ui.shared.text import set_document_text
from tokviz.exercises.lesson import Exercise, Lesson, Lines, Plain, Say, Scene, Table
from tokviz.exercises.questions import Number, Question
from tokviz.lessons import text_key
from tokviz.live.views.glyphs import visible

REVEAL_KEY = "A"  # not the space bar, which also presses the button that was clicked last
LONGEST_NAME = 28  # characters of an example, as the name of its button


def show_exercise(lesson: Lesson, exercise: Exercise, *, number: int, on_slide: bool = False) -> None:
    """Show an exercise; on a slide a key opens and closes the answer, which replaces the words."""
    key = text_key(lesson, exercise)
    text = exercise_text(exercise, key)
    is_open = (key, text) in sitting().open
    asked, told = _places(exercise, on_slide=on_slide, is_open=is_open)
    with asked:
        st.subheader(f"{number}. {exercise.title}", anchor=False)
        label = f"Text {number}: change it as you like"  # each box has its own name
        if not (on_slide and is_open):
            st.markdown(exercise.say)
            _text_and_examples(exercise, key, label)
        elif not exercise.multiline:
            exercise_editor(exercise, key, label)
        if not text.strip():
            st.info("Type a text, or choose an example.")
            return
    with show_errors():
        scene = exercise.scene(text)
        reveal_key = REVEAL_KEY if on_slide else None
        if exercise.by_hand:
            play_by_hand(scene, key, text, reveal_key, asked, told)
            return
        with asked:
            _question(scene, key, (key, text), reveal_key)
        if is_open and on_slide:
            _answer_on_slide(scene, key, asked, told)
        elif is_open:
            show_blocks(scene.reveal, key=f"answer {key}")
            link_buttons(scene.links, key=key)


def _places(exercise: Exercise, *, on_slide: bool, is_open: bool) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return where the question and the answer go: on a slide side by side, so that neither needs scrolling."""
    if on_slide and (is_open or exercise.by_hand):
        asked, told = st.columns([3, 4], gap="small")
        return asked, told
    below = st.container()
    return below, below


def _text_and_examples(exercise: Exercise, key: str, label: str) -> None:
    """Show the text to change and the examples to choose from."""
    text = exercise_text(exercise, key)
    if exercise.multiline:
        exercise_editor(exercise, key, label)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        if not exercise.multiline:
            exercise_editor(exercise, key, label)
        for n, example in enumerate(exercise.examples):
            if example != text:
                st.button(_name_of(example), key=f"_example_{key}_{n}", on_click=set_document_text, args=(key, example))


def _name_of(example: str) -> str:
    """Return one of our examples as the label of a button: plain, on one line, with visible spaces."""
    lines = example.rstrip("\n").split("\n")
    shown = " ↵ ".join(visible(line.encode()) if line != line.strip() or "  " in line else line for line in lines)
    shown = shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1] + "…"
    return "".join("\\" + c if c in "\\`*_{}[]()<>#+-.!|$~:=" else c for c in shown)


def _question(scene: Scene, key: str, name: tuple[str, str], reveal_key: str | None) -> None:
    """Show the question, and the button that opens or closes the answer."""
    is_open = name in sitting().open
    question = scene.question
    # Presented, the answer takes the place of the words before the question.
    before = [block for block in scene.before if not (is_open and reveal_key and isinstance(block, Say | Plain))]
    show_blocks(before, key=f"before {key}")
    st.markdown(question.ask)
    is_number = isinstance(question, Number)
    if not is_number:
        prediction(question, name=name, key=f"prediction {key}", open_=is_open)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if is_number:
            # In a form, so that Enter presses the button.
            with (
                st.form(f"guess {key}", border=False, width="content"),
                st.container(horizontal=True, gap="small", vertical_alignment="center"),
            ):
                prediction(question, name=name, key=f"prediction {key}", open_=is_open)
                _answer_button(st.form_submit_button, key, name, question, reveal_key)
        else:
            _answer_button(st.button, key, name, question, reveal_key)
        if is_open and reveal_key:
            folded_links(scene.links, key=key)
    if is_open and isinstance(question, Number):
        _verdict(question, name)


def _answer_button(
    button: Callable[..., bool], key: str, name: tuple[str, str], question: Question, reveal_key: str | None
) -> None:
    """Show the button that opens or closes the answer, as one of a form or of the page."""
    is_open = name in sitting().open
    button(
        "Hide the answer" if is_open else "Reveal",
        key=f"_reveal_{key}",
        type="secondary" if is_open else "primary",
        on_click=_turn,
        args=(name, question),
        shortcut=reveal_key,
    )


def _answer_on_slide(scene: Scene, key: str, asked: DeltaGenerator, told: DeltaGenerator) -> None:
    """Show the lines and tables of an answer beside the question, and its words below it, but no details."""
    blocks = [block for block in scene.reveal if not getattr(block, "detail", False)]
    with told:
        show_blocks([block for block in blocks if isinstance(block, Lines | Table)], key=f"answer {key}")
    with asked:
        show_blocks([block for block in blocks if isinstance(block, Say | Plain)], key=f"words {key}")


def _turn(name: tuple[str, str], question: Question) -> None:
    """Open the answer and check the guess, or close the answer."""
    now = sitting()
    key, _ = name
    if name in now.open:
        now.open.discard(name)
        return
    now.open.add(name)
    take_guess(question, name=name, key=f"prediction {key}")
    if now.check(name, question):
        note_answer(key)


def _verdict(question: Number, name: tuple[str, str]) -> None:
    """Say whether the guess was right, and give the number; other answers show in the question itself."""
    if verdict := sitting().verdict(name, question):
        right = verdict.startswith("Right")
        st.markdown(f":{'green' if right else 'orange'}-background[{'✓' if right else '✗'} {verdict}]")
    else:
        st.markdown(f"The answer: **{question.answer:,}**")
