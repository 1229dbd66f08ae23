"""The lessons: guess, see the answer, change the example, and take it to the other pages."""

from collections.abc import Callable

import streamlit as st

from pages.ui.frame.frame import begin_header, set_up_page, show_kept_problem_if_any
from pages.ui.lessons.exercise import question_container_key, show_exercise
from pages.ui.lessons.lesson import (
    ALL,
    neighbours_of,
    open_current_lesson_if_any,
    show_lesson_link,
    show_live_text,
    show_takeaway,
)
from pages.ui.lessons.links import open_page_of_pressed_link_if_any
from pages.ui.lessons.notes import show_notes
from pages.ui.lessons.overview import show_overview
from pages.ui.lessons.printed_slides import show_printed_slides
from pages.ui.lessons.sitting import is_done, sitting
from pages.ui.lessons.slides import show_current_slide
from pages.ui.lessons.worksheet import current_sheet_if_any, show_teaching_menu, show_worksheet
from pages.ui.pages import LEARN
from pages.ui.shared.components import ASSETS
from pages.ui.shared.glossary import show_term_buttons
from pages.ui.shared.live import reserve_container, reserve_row
from pages.ui.shared.new_place import scroll_to_top_of_new_place
from tokviz.exercises import Lesson
from tokviz.lessons import LESSONS
from tokviz.lessons.notes import class_minutes

STYLE = (ASSETS / "lessons.css").read_text()
# All these links lead to this page, so Streamlit takes each of them for the current one.
HIGHLIGHT = """
[data-testid^="stPageLink"] a[href*="lesson="]:not(:hover):not([href$="lesson={slug}"]) {{ background: none; }}
[data-testid^="stPageLink"] a[href*="lesson="]:not([href$="lesson={slug}"]) * {{ font-weight: 400; }}
"""


def show_lesson_list() -> None:
    """Show the list of lessons, each a link to its address, with a tick for those that are done."""
    st.page_link(LEARN.script, label="All lessons", icon=":material/list:", query_params={"lesson": ALL})
    for number, other in enumerate(LESSONS, 1):
        show_lesson_link(other, f"{number}. {other.title}" + " ✓" * is_done(other))


def show_lesson(lesson: Lesson, style: str, show_header: Callable[[], None]) -> None:
    """Show a whole lesson to read and work through, its first tokens before the header and all else."""
    scroll_to_top_of_new_place(lesson.slug, style, answer=question_container_key(sitting().opened_last))
    menu = reserve_container("lessons_menu")
    show_kept_problem_if_any()
    listed, shown = st.columns([1, 4], gap="large")
    with listed:
        contents = reserve_container("lessons", gap=None)
    with shown:
        st.title(lesson.title, anchor=False)
        with st.container(key="lesson_place", horizontal=True, vertical_alignment="center", gap="small"):
            where = f"Lesson {LESSONS.index(lesson) + 1} of {len(LESSONS)}. "
            where += f"About {lesson.minutes} minutes alone, {class_minutes(lesson)} with a class."
            st.caption(f"{where} {sitting().score_text}", width="stretch")
            place = reserve_row("lesson_tools")
        st.markdown(lesson.opening)
        if lesson.live_text:
            show_live_text(lesson)
    show_header()
    # Its key changes with the lesson, so that it closes when one is chosen.
    with menu, st.popover("Lessons", icon=":material/menu_book:", type="tertiary", key=f"lessons_{lesson.slug}"):
        show_lesson_list()
    with contents:
        show_lesson_list()
    with place:
        show_teaching_menu(lesson)
    with shown:
        show_term_buttons(*lesson.terms)
        for number in range(1, len(lesson.exercises) + 1):
            st.divider()
            show_exercise(lesson, number=number)
        show_takeaway(lesson)
        show_neighbour_links(lesson)


def show_neighbour_links(lesson: Lesson) -> None:
    """Show the links to the lessons before and after."""
    before, after = neighbours_of(lesson)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        for other, label in ((before, "← {}"), (after, "{} →")):
            if other:
                show_lesson_link(other, label.format(other.title))


open_page_of_pressed_link_if_any()
set_up_page(LEARN)
lesson = open_current_lesson_if_any()
bar, show_rest = begin_header(LEARN, style=STYLE)
style = HIGHLIGHT.format(slug=lesson.slug if lesson else ALL)
if lesson is None:
    scroll_to_top_of_new_place(ALL, style)
    show_kept_problem_if_any()
    show_overview(bar)
    show_rest()
elif bar:
    show_current_slide(lesson, bar, style)
    show_rest()
elif st.query_params.get("notes") == "1":
    scroll_to_top_of_new_place(f"notes {lesson.slug}", style)
    show_notes(lesson)
    show_rest()
elif sheet := current_sheet_if_any():
    scroll_to_top_of_new_place(f"{sheet} {lesson.slug}", style)
    show_kept_problem_if_any()
    (show_printed_slides if sheet == "slides" else show_worksheet)(lesson)
    show_rest()
else:
    show_lesson(lesson, style, show_rest)
