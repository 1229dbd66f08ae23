"""The lessons: predict, reveal, change the example, and take it to the other pages."""

from functools import partial

import streamlit as st

from pages.ui.frame.frame import begin, header, say_problem
from pages.ui.lessons.exercise import show_exercise
from pages.ui.lessons.lesson import current_lesson, next_and_previous, share_lesson, takeaway
from pages.ui.lessons.links import follow_link
from pages.ui.lessons.presentation import present
from pages.ui.lessons.sitting import sitting
from pages.ui.shared.options import option_value
from tokviz.exercises.lesson import Lesson
from tokviz.lessons import LESSONS

# All these links lead to this page, so Streamlit takes each of them for the current one.
HIGHLIGHT = """<style>
.st-key-lessons a[href*="lesson="]:not(:hover):not([href$="lesson={slug}"]) {{ background: none; }}
.st-key-lessons a[href*="lesson="]:not([href$="lesson={slug}"]) * {{ font-weight: 400; }}
</style>"""


def index(current: Lesson) -> None:
    """Show the list of lessons, each a link to its address."""
    with st.container(key="lessons", gap=None):
        st.html(HIGHLIGHT.format(slug=current.slug))
        for number, other in enumerate(LESSONS, 1):
            st.page_link("pages/lessons.py", label=f"{number}. {other.title}", query_params={"lesson": other.slug})


def read(lesson: Lesson) -> None:
    """Show a whole lesson to read and work through."""
    say_problem()
    listed, shown = st.columns([1, 4], gap="large")
    with listed:
        index(lesson)
    with shown:
        st.title(lesson.title, anchor=False)
        st.markdown(lesson.intro)
        st.caption(f"Lesson {LESSONS.index(lesson) + 1} of {len(LESSONS)}. {sitting().words}")
        for number, exercise in enumerate(lesson.exercises, 1):
            st.divider()
            show_exercise(lesson, exercise, number=number)
        takeaway(lesson)
        neighbours(lesson)


def neighbours(lesson: Lesson) -> None:
    """Show the links to the lessons before and after."""
    before, after = next_and_previous(lesson)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        for other, label in ((before, "← {}"), (after, "{} →")):
            if other:
                st.page_link("pages/lessons.py", label=label.format(other.title), query_params={"lesson": other.slug})


follow_link()
begin("Lessons")
lesson = current_lesson()
header("Lessons", share=partial(share_lesson, lesson))
if option_value("presenting"):
    present(lesson)
else:
    read(lesson)
