"""The lessons: guess, see the answer, change the example, and take it to the other pages."""

from collections.abc import Callable

import streamlit as st

from pages.ui.frame.frame import begin, header, say_problem
from pages.ui.lessons.exercise import show_exercise
from pages.ui.lessons.lesson import begin_at_top, current_lesson, lesson_link, live_text, neighbours_of, takeaway
from pages.ui.lessons.links import follow_link
from pages.ui.lessons.sitting import is_done, sitting
from pages.ui.lessons.slides import present
from pages.ui.lessons.worksheet import notebook_button, worksheet, worksheet_button
from pages.ui.options import option_value
from pages.ui.pages import LEARN
from pages.ui.shared.components import ASSETS
from pages.ui.shared.glossary import terms
from pages.ui.shared.live import row_to_fill, to_fill
from tokviz.exercises import Lesson
from tokviz.lessons import LESSONS

STYLE = (ASSETS / "lessons.css").read_text()
# All these links lead to this page, so Streamlit takes each of them for the current one.
HIGHLIGHT = """
[data-testid^="stPageLink"] a[href*="lesson="]:not(:hover):not([href$="lesson={slug}"]) {{ background: none; }}
[data-testid^="stPageLink"] a[href*="lesson="]:not([href$="lesson={slug}"]) * {{ font-weight: 400; }}
"""


def index() -> None:
    """Show the list of lessons, each a link to its address, with a tick for those that are done."""
    for number, other in enumerate(LESSONS, 1):
        lesson_link(other, f"{number}. {other.title}" + " ✓" * is_done(other))


def read(lesson: Lesson, style: str, show_header: Callable[[], None]) -> None:
    """Show a whole lesson to read and work through, its first tokens before the header and all else."""
    begin_at_top(lesson.slug, style)
    menu = to_fill("lessons_menu")
    say_problem()
    listed, shown = st.columns([1, 4], gap="large")
    with listed:
        contents = to_fill("lessons", gap=None)
    with shown:
        st.title(lesson.title, anchor=False)
        place = row_to_fill("lesson_place")
        st.markdown(lesson.intro)
        if lesson.live_text:
            live_text(lesson)
    show_header()
    # Its key changes with the lesson, so that it closes when one is chosen.
    with menu, st.popover("Lessons", icon=":material/menu_book:", type="tertiary", key=f"lessons_{lesson.slug}"):
        index()
    with contents:
        index()
    with place:
        where = f"Lesson {LESSONS.index(lesson) + 1} of {len(LESSONS)}. About {lesson.minutes} minutes."
        st.caption(f"{where} {sitting().words}", width="stretch")
        worksheet_button()
        notebook_button(lesson)
    with shown:
        terms(*lesson.terms)
        for number in range(1, len(lesson.exercises) + 1):
            st.divider()
            show_exercise(lesson, number=number)
        takeaway(lesson)
        neighbours(lesson)


def neighbours(lesson: Lesson) -> None:
    """Show the links to the lessons before and after."""
    before, after = neighbours_of(lesson)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        for other, label in ((before, "← {}"), (after, "{} →")):
            if other:
                lesson_link(other, label.format(other.title))


follow_link()
begin(LEARN)
lesson = current_lesson()
bar, show_rest = header(LEARN)
style = f"{STYLE}{HIGHLIGHT.format(slug=lesson.slug)}"
if bar:
    present(lesson, bar, style)
    show_rest()
elif option_value("worksheet"):
    begin_at_top(f"worksheet {lesson.slug}", style)
    say_problem()
    worksheet(lesson)
    show_rest()
else:
    read(lesson, style, show_rest)
