"""A lesson on the projector: one exercise a slide, in the type of every page that is presented, moved by keys.

The first slide is the title, and the last says what follows for a language model.
"""

import streamlit as st

from pages.ui.lessons.exercise import show_exercise
from pages.ui.lessons.lesson import begin_at_top, introduction, next_and_previous, open_lesson, takeaway
from pages.ui.lessons.sitting import sitting
from pages.ui.options import option_value, set_option
from tokviz.exercises.lesson import Lesson


def present(lesson: Lesson) -> None:
    """Show the current slide, and above it the buttons and keys that move on."""
    last = len(lesson.exercises) + 1
    slide = min(max(option_value("slide"), 0), last)
    begin_at_top(f"{lesson.slug} {slide}")
    with st.container(key="slide"):
        _bar(lesson, slide, last)
        if slide == 0:
            st.title(lesson.title, anchor=False)
            introduction(lesson)
        elif slide < last:
            show_exercise(lesson, lesson.exercises[slide - 1], number=slide, on_slide=True)
        else:
            takeaway(lesson)


def _bar(lesson: Lesson, slide: int, last: int) -> None:
    """Show where we are, and the buttons, each with its key."""
    before, after = next_and_previous(lesson)
    with st.container(key="bar", horizontal=True, gap="small", vertical_alignment="center"):
        st.caption(f"{lesson.title} · {slide + 1}/{last + 1} · {sitting().words}", width="stretch")
        st.button("Back", shortcut="Left", on_click=_go, args=(lesson, slide - 1, before),
                  disabled=slide == 0 and before is None)  # fmt: skip
        st.button("Next", shortcut="Right", on_click=_go, args=(lesson, slide + 1, after),
                  disabled=slide == last and after is None)  # fmt: skip


def _go(lesson: Lesson, slide: int, neighbour: Lesson | None) -> None:
    """Go to a slide; beyond the ends of a lesson to the last or first slide of its neighbour."""
    if 0 <= slide <= len(lesson.exercises) + 1:
        set_option("slide", slide)
    elif neighbour is not None:
        open_lesson(neighbour, slide=len(neighbour.exercises) + 1 if slide < 0 else 0)
