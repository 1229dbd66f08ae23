"""One exercise on the page: its words, its text to change, the question, and the answer once it is open."""

from collections.abc import Callable

import streamlit as st

from pages.ui.lessons.hand_merges import show_hand_merging
from pages.ui.lessons.links import show_link_menu
from pages.ui.lessons.prediction import check_guess_if_given, show_guess_and_answer_button, verdict_badge_or_none
from pages.ui.lessons.reveal import show_blocks
from pages.ui.lessons.sitting import NamedQuestion, mark_exercise_answered, sitting
from pages.ui.lessons.texts import Attempt, attempt_at, show_exercise_editor
from pages.ui.shared.messages import show_errors
from pages.ui.shared.text import set_document_text
from tokviz.exercises import Lesson, Scene, Selection
from tokviz.exercises.lines import text_with_visible_odd_spaces
from tokviz.exercises.slides import example_name_length


def show_exercise(lesson: Lesson, *, number: int) -> None:
    """Show an exercise to read and work through."""
    attempt = attempt_at(lesson, number)
    st.header(attempt.title, anchor=False)
    st.markdown(attempt.exercise.say)
    if attempt.exercise.multiline:
        show_exercise_editor(attempt)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        if not attempt.exercise.multiline:
            show_exercise_editor(attempt)
        show_other_example_buttons(attempt)
    show_question(attempt, lambda scene, asked: _show_guess_and_answer_if_open(attempt, scene, asked))


def show_question(
    attempt: Attempt, guess: Callable[[Scene, NamedQuestion], None], reveal_key: str | None = None
) -> None:
    """Show the question of an exercise, and then what `guess` shows; or the game by hand, on a slide with its key."""
    if not attempt.text.strip():
        st.info("Type a text, or choose an example.")
        return
    with show_errors():
        scene = attempt.exercise.scene(attempt.text)
        if attempt.exercise.by_hand:
            show_hand_merging(scene, attempt.key, attempt.text, reveal_key)
            return
        show_blocks(scene.before, key=f"before {attempt.key}")
        with st.container(key=question_container_key(attempt.key)):
            asked = attempt.named_question(scene)
            is_open = asked.name in sitting().open and not reveal_key
            st.markdown(scene.question.ask_beside_answer if is_open else scene.question.ask)
            guess(scene, asked)


def _show_guess_and_answer_if_open(attempt: Attempt, scene: Scene, asked: NamedQuestion) -> None:
    """Show the guess at a question, and the answer once it is open."""
    is_open = asked.name in sitting().open
    show_guess_and_answer_button(
        asked,
        "Hide the answer" if is_open else "Show the answer",
        hide_answer if is_open else check_guess_and_open_answer,
        (asked,),
        open_=is_open,
    )
    if is_open:
        if not isinstance(asked.question, Selection):  # which shows what is right itself
            st.markdown(verdict_badge_or_none(asked) or f"The answer: **{asked.question.answer_text}**")
        show_blocks(scene.reveal, key=f"answer {attempt.key}")
        show_link_menu(scene.links, key=attempt.key)


def question_container_key(key: str) -> str:
    """Return the key of the container with the question of an exercise and its answer; empty for none."""
    return key and f"asked {key}"


def show_other_example_buttons(attempt: Attempt) -> None:
    """Show a button for each example that the text is not."""
    key, examples = attempt.key, attempt.exercise.examples
    labels = [text_with_visible_odd_spaces(example) for example in examples]
    if any("·" in label for label in labels):  # then in all of them, to be compared
        labels = [label.replace(" ", "·") for label in labels]
    length = example_name_length([example for example in examples if example != attempt.text])
    for n, (example, label) in enumerate(zip(examples, labels, strict=True)):
        if example != attempt.text:
            st.button(
                _button_label(label, length), key=f"_example_{key}_{n}", on_click=set_document_text, args=(key, example)
            )


def _button_label(text: str, length: int) -> str:
    """Return a text as the label of a button: plain, on one line, and cut to `length` characters."""
    name = text.replace("\n", " ↵ ")
    name = name if len(name) <= length else name[: length - 1] + "…"
    return "".join("\\" + c if c in "\\`*_{}[]()<>#+-.!|$~:=" else c for c in name)


def check_guess_and_open_answer(asked: NamedQuestion) -> None:
    """Open the answer to a question, and check the guess if there is one."""
    sitting().open.add(asked.name)
    sitting().opened_last = asked.key
    if check_guess_if_given(asked):
        mark_exercise_answered(asked.key)


def hide_answer(asked: NamedQuestion) -> None:
    """Close the answer to a question."""
    sitting().open.discard(asked.name)
    sitting().opened_last = ""
