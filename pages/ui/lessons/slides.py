"""A lesson on the projector: its slides, and above them a bar with keys for the teacher."""

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.lessons.exercise import (
    check_guess_and_open_answer,
    hide_answer,
    show_other_example_buttons,
    show_question,
)
from pages.ui.lessons.hand_merges import make_next_merge, take_last_merge_back
from pages.ui.lessons.lesson import neighbours_of, show_live_text, show_takeaway
from pages.ui.lessons.links import show_link_menu
from pages.ui.lessons.prediction import show_guess_and_answer_button, show_selection, verdict_badge_or_none
from pages.ui.lessons.reveal import show_blocks
from pages.ui.lessons.sitting import NamedQuestion, sitting
from pages.ui.lessons.texts import Attempt, attempt_at, current_exercise_texts, show_exercise_editor
from pages.ui.options import option_value, set_option
from pages.ui.shared.components import Component
from pages.ui.shared.glossary import show_term_buttons
from pages.ui.shared.new_place import scroll_to_top_of_new_place
from tokviz.exercises import Lesson, Lines, Scene, Selection, token_line
from tokviz.exercises.hand_merges import n_steps
from tokviz.exercises.slides import Part, Slide, slides_of
from tokviz.lessons.notes import note_for_slide_or_none

SLIDE = Component("slide")
REVEAL_KEY = "A"  # not the space bar, which also presses the button that was clicked last


def show_current_slide(lesson: Lesson, bar: DeltaGenerator, style: str) -> None:
    """Show the current slide, and in the bar above it the buttons and keys that move on."""
    slides = lesson_slides(lesson)
    at = min(max(option_value("slide"), 0), len(slides) - 1)
    attempt = attempt_at(lesson, slides[at].number) if slides[at].number else None
    scroll_to_top_of_new_place(f"{lesson.slug} {at}", style)
    with bar:
        _show_slide_bar(lesson, slides, at, attempt)
    with st.container(key="slide"):
        _show_slide(lesson, slides[at], at, attempt)
    with st.container(key="unseen_slide"):
        note = note_for_slide_or_none(lesson, slides[at])
        SLIDE.show(key="slide_type", data={"lesson": lesson.slug, "slide": at, "note": note.key if note else ""})


def lesson_slides(lesson: Lesson) -> list[Slide]:
    """Return the slides of a lesson with the texts that its exercises have now."""
    return slides_of(lesson, current_exercise_texts(lesson))


def _show_slide(lesson: Lesson, slide: Slide, at: int, attempt: Attempt | None) -> None:
    """Show a slide."""
    if attempt:
        st.header(attempt.title, anchor=False)
        if slide.part is Part.EXERCISE:
            _show_part_of_exercise(slide, at, attempt)
        else:
            _show_part_of_answer(slide, attempt)
    elif slide.part is Part.TITLE:
        st.title(lesson.title, anchor=False)
        if lesson.live_text:
            show_blocks([Lines(token_line("cl100k_base", lesson.live_text))], key=f"first {lesson.slug}")
        st.markdown(lesson.opening)
        if not lesson.live_text:
            show_term_buttons(*lesson.terms)
    elif slide.part is Part.TRY:
        show_live_text(lesson, height="74vh")
    elif slide.part is Part.END:
        show_takeaway(lesson, on_slide=True)
    else:
        _show_end_of_lesson(lesson)


def _show_end_of_lesson(lesson: Lesson) -> None:
    """Show what one can do now, and buttons that no key presses: to the next lesson, and to this one's first slide."""
    _, after = neighbours_of(lesson)
    st.title("End of this lesson", anchor=False)
    if lesson.aim:
        st.markdown(f"Now you can {lesson.aim}.")
    if after:
        st.button(f"Next lesson: {after.title}", type="primary", on_click=open_lesson, args=(after.slug,))
    st.button("To the first slide", on_click=set_option, args=("slide", 0))


def _show_part_of_exercise(slide: Slide, at: int, attempt: Attempt) -> None:
    """Show the words and the text of an exercise, its question, or both; once a game by hand has begun, that alone."""
    if attempt.exercise.by_hand and slide.asks and sitting().chosen.get((attempt.key, attempt.text)):
        slide = replace(slide, says=False, edits=False, offers=False)
    if slide.says:
        st.markdown(attempt.exercise.say)
    if slide.edits:
        show_exercise_editor(attempt)
    if slide.offers:
        with st.container(key="offered", horizontal=True, gap="small"):
            show_other_example_buttons(attempt)

    def show_slide_guess(_: Scene, asked: NamedQuestion) -> None:
        """Show the guess at a question, with the button that opens the answer on the next slide."""
        show_guess_and_answer_button(asked, "Show the answer", _go_on, (at + 1, asked, None), shortcut=REVEAL_KEY)

    if slide.asks or not attempt.text.strip():
        show_question(attempt, show_slide_guess, REVEAL_KEY)


def _show_part_of_answer(slide: Slide, attempt: Attempt) -> None:
    """Show a part of an answer; the first one shows what is right, and the question too if there is room."""
    scene = attempt.scene_or_none
    if scene and slide.tells:
        _show_what_is_right(slide, attempt.named_question(scene))
    show_slide_blocks(slide, key=f"answer {attempt.key}")


def _show_what_is_right(slide: Slide, asked: NamedQuestion) -> None:
    """Show the answer below its question where it was selected, else beside it."""
    question = asked.question
    if isinstance(question, Selection):
        if slide.asks:
            st.markdown(question.ask)
        show_selection(asked, question, open_=True)
        return
    with st.container(key="beside_question", horizontal=True, vertical_alignment="top"):
        with st.container():
            if slide.asks:
                st.markdown(question.ask_beside_answer)
            if badge := verdict_badge_or_none(asked):
                st.markdown(badge)
        with st.container(key="right_answer", width="content"):
            st.markdown(f"The answer: **{question.answer_text}**", width="content")


def show_slide_blocks(slide: Slide, *, key: str) -> None:
    """Show the blocks of a slide, in larger type if they are words alone."""
    with st.container(key=f"{'words_alone' if slide.is_words_alone else 'blocks'} {key}"):
        show_blocks(slide.blocks, key=key)


def _show_slide_bar(lesson: Lesson, slides: list[Slide], at: int, attempt: Attempt | None) -> None:
    """Show where we are, and the buttons, each with its key."""
    scene, place, score = None, f"{lesson.title} · {at + 1}/{len(slides)}", sitting().score
    right = f" · {sum(score.values())} of {len(score)} right" if score else ""
    slide, asked, game = slides[at], None, None
    asks = slide.part is Part.EXERCISE and slide.asks
    if attempt:
        scene = attempt.scene_or_none
        asked = attempt.named_question(scene) if scene and not attempt.exercise.by_hand else None
        game = (attempt.key, attempt.text) if asks and attempt.exercise.by_hand else None
    chosen = sitting().chosen.get(game, []) if game else []
    step = f" · step {1 + len(chosen)} of {n_steps(game[1], chosen)}" if game else ""
    st.caption(place + step + right, width="stretch")
    if attempt:
        _show_exercise_tools(slides, at, attempt, scene, asked)
    st.button("Back", key="slide_back", shortcut="Left", on_click=_go_back, args=(at - 1, game), disabled=at == 0)
    st.button("Next", key="slide_next", shortcut="Right", on_click=_go_on,
              args=(at + 1, asked if asks else None, game), disabled=at + 1 == len(slides))  # fmt: skip


def _show_exercise_tools(
    slides: list[Slide], at: int, attempt: Attempt, scene: Scene | None, asked: NamedQuestion | None
) -> None:
    """Show what else one can do with the exercise of a slide."""
    slide, key = slides[at], attempt.key
    with st.container(key="slide-tools", horizontal=True, gap="small", width="content"):
        if slide.edits and not slide.offers:
            with st.popover("Other texts", key=f"texts {key}"):
                show_other_example_buttons(attempt)
        elif scene and scene.links and (slide.part is Part.ANSWER or not slide.edits):
            show_link_menu(scene.links, key=key)
    if slide.part is Part.ANSWER and asked:
        question = max(n for n, other in enumerate(slides[:at]) if other.part is Part.EXERCISE)
        # Its key is not that of the button before, of which a press can be under way.
        st.button(
            "Hide the answer",
            key=f"_hide_{key}",
            shortcut=REVEAL_KEY,
            on_click=_hide_answer_and_go_to_slide,
            args=(asked, question),
        )


def _hide_answer_and_go_to_slide(asked: NamedQuestion, at: int) -> None:
    """Close the answer, and go back to the question."""
    hide_answer(asked)
    set_option("slide", at)


def _go_on(at: int, asked: NamedQuestion | None, game: tuple[str, str] | None) -> None:
    """Go on to a slide: from a question, `asked`, to its answer, and from a game by hand once all merges are made."""
    if game and make_next_merge(*game):
        return
    if asked:
        check_guess_and_open_answer(asked)
    set_option("slide", at)


def _go_back(at: int, game: tuple[str, str] | None) -> None:
    """Go back to a slide, from a game by hand once all merges are taken back."""
    if not (game and take_last_merge_back(*game)):
        set_option("slide", at)


def open_lesson(slug: str) -> None:
    """Open a lesson at its first slide."""
    set_option("lesson", slug)
    set_option("slide", 0)
    st.query_params["lesson"] = slug
