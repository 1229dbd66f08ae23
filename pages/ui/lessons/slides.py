"""A lesson on the projector: its slides, and above them a bar with keys for whoever stands in front."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.lessons.by_hand import play_by_hand
from pages.ui.lessons.exercise import (
    REVEAL_KEY,
    Asked,
    guess_and_button,
    hide_answer,
    label_of_text,
    open_answer,
    other_texts,
    verdict,
)
from pages.ui.lessons.lesson import begin_at_top, live_text, next_and_previous, takeaway
from pages.ui.lessons.links import link_buttons
from pages.ui.lessons.prediction import prediction
from pages.ui.lessons.reveal import show_blocks
from pages.ui.lessons.sitting import sitting
from pages.ui.lessons.texts import exercise_editor, exercise_text
from pages.ui.options import option_value, set_option
from pages.ui.shared.components import Component
from pages.ui.shared.glossary import terms
from pages.ui.shared.messages import show_errors
from tokviz.exercises.lesson import Lesson
from tokviz.exercises.questions import Number
from tokviz.exercises.slides import Part, Slide, scene_of, slides_of
from tokviz.lessons import text_key

SLIDE = Component("slide")


def present(lesson: Lesson, bar: DeltaGenerator, style: str) -> None:
    """Show the current slide, and in the bar above it the buttons and keys that move on."""
    slides = deck(lesson)
    at = min(max(option_value("slide"), 0), len(slides) - 1)
    begin_at_top(f"{lesson.slug} {at}", style)
    with bar:
        _bar(lesson, slides, at)
    with st.container(key="slide"):
        _show(lesson, slides[at], at)
    with st.container(key="unseen_slide"):
        SLIDE.show(key="slide_type", data={"place": f"{lesson.slug} {at}"})


def deck(lesson: Lesson) -> list[Slide]:
    """Return the slides of a lesson with the texts that its exercises have now."""
    return slides_of(lesson, [exercise_text(each, text_key(lesson, each)) for each in lesson.exercises])


def _show(lesson: Lesson, slide: Slide, at: int) -> None:
    match slide.part:
        case Part.TITLE:
            st.title(lesson.title, anchor=False)
            st.markdown(lesson.intro)
            terms(*lesson.terms)
        case Part.TRY:
            live_text(lesson, height="60vh")
        case Part.END:
            takeaway(lesson)
        case Part.EXERCISE:
            _exercise(lesson, slide, at)
        case Part.ANSWER:
            _answer(lesson, slide)


def _exercise(lesson: Lesson, slide: Slide, at: int) -> None:
    """Show the words and the text of an exercise, its question, or both."""
    exercise = lesson.exercises[slide.number - 1]
    key = text_key(lesson, exercise)
    st.subheader(f"{slide.number}. {exercise.title}", anchor=False)
    if slide.says:
        st.markdown(exercise.say)
    if not exercise.by_hand or slide.says:
        exercise_editor(exercise, key, label_of_text(slide.number))
    text = exercise_text(exercise, key)
    if not text.strip():
        st.info("Type a text, or choose an example.")
    elif slide.asks:
        with show_errors():
            scene = exercise.scene(text)
            if exercise.by_hand:
                play_by_hand(scene, key, text, REVEAL_KEY)
                return
            show_blocks(scene.before, key=f"before {key}")
            st.markdown(scene.question.ask)
            asked = Asked(scene.question, (key, text))
            guess_and_button(asked, "Reveal", _reveal, (asked, at + 1), shortcut=REVEAL_KEY)


def _answer(lesson: Lesson, slide: Slide) -> None:
    """Show a part of an answer; the first one shows the question too, with what was right."""
    exercise = lesson.exercises[slide.number - 1]
    key = text_key(lesson, exercise)
    st.subheader(f"{slide.number}. {exercise.title}", anchor=False)
    asked = _asked(lesson, slide)
    if asked and slide.asks:
        st.markdown(asked.question.ask)
    if asked and slide.tells:
        # With nothing else on the slide, what is right is shown large.
        with st.container(key="answer-told" if slide.blocks else "answer-alone"):
            _told(asked)
    show_blocks(slide.blocks, key=f"answer {key}")


def _told(asked: Asked) -> None:
    """Say what is right, and whether the guess was."""
    if isinstance(asked.question, Number):
        verdict(asked.question, asked.name)
    else:
        prediction(asked.question, name=asked.name, key=f"prediction {asked.key}", open_=True)


def _asked(lesson: Lesson, slide: Slide) -> Asked | None:
    """Return the question that a slide asks or answers, if there is one."""
    if not slide.number or (exercise := lesson.exercises[slide.number - 1]).by_hand:
        return None
    key = text_key(lesson, exercise)
    text = exercise_text(exercise, key)
    scene = scene_of(exercise, text)
    return Asked(scene.question, (key, text)) if scene else None


def _bar(lesson: Lesson, slides: list[Slide], at: int) -> None:
    """Show where we are, and the buttons, each with its key."""
    before, after = next_and_previous(lesson)
    place, score = f"{lesson.title} · {at + 1}/{len(slides)}", sitting().score
    right = f" · {sum(score.values())} of {len(score)} right" if score else ""
    st.caption(place + right, width="stretch")
    _tools(lesson, slides, at)
    st.button("Back", shortcut="Left", on_click=_go, args=(at - 1, before if at == 0 else None),
              disabled=at == 0 and before is None)  # fmt: skip
    slide, is_last = slides[at], at + 1 == len(slides)
    asked = _asked(lesson, slide) if slide.part is Part.EXERCISE and slide.asks else None
    st.button("Next", shortcut="Right", on_click=_go, args=(at + 1, after if is_last else None, asked),
              disabled=is_last and after is None)  # fmt: skip


def _tools(lesson: Lesson, slides: list[Slide], at: int) -> None:
    """Show what else one can do with the exercise of a slide."""
    slide = slides[at]
    if not slide.number:
        return
    exercise = lesson.exercises[slide.number - 1]
    key = text_key(lesson, exercise)
    with st.container(key="slide-tools", horizontal=True, gap="small", width="content"):
        if slide.part is Part.EXERCISE and not (exercise.by_hand and slide.asks):
            with st.popover("Other texts", key=f"texts {key}"):
                other_texts(exercise, key)
        elif (scene := scene_of(exercise, exercise_text(exercise, key))) and scene.links:
            with st.popover("Open it in …", key=f"links {key}"):
                link_buttons(scene.links, key=key)
    if slide.part is Part.ANSWER and (asked := _asked(lesson, slide)):
        question = max(n for n, other in enumerate(slides[:at]) if other.part is Part.EXERCISE)
        # Its key is not that of Reveal, of which a press can be under way.
        st.button("Hide the answer", key=f"_hide_{key}", shortcut=REVEAL_KEY, on_click=_hide, args=(asked, question))


def _reveal(asked: Asked, at: int) -> None:
    """Open the answer, which begins at a slide."""
    open_answer(asked)
    set_option("slide", at)


def _hide(asked: Asked, at: int) -> None:
    """Close the answer, and go back to the question."""
    hide_answer(asked)
    set_option("slide", at)


def _go(at: int, neighbour: Lesson | None, asked: Asked | None = None) -> None:
    """Go to a slide; beyond the ends of a lesson to the last or first slide of its neighbour.

    From a question, `asked`, one goes on to its answer.
    """
    if neighbour is None:
        if asked:
            open_answer(asked)
        set_option("slide", at)
        return
    set_option("lesson", neighbour.slug)
    set_option("slide", len(deck(neighbour)) - 1 if at < 0 else 0)
    st.query_params["lesson"] = neighbour.slug
