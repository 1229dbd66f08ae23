"""A lesson on the projector: one exercise a slide, in large type, without the sidebar, moved by keys."""

import streamlit as st

from pages.ui.kept import kept_value, replace_kept
from pages.ui.lessons.exercise import show_exercise
from pages.ui.lessons.lesson import next_and_previous, open_lesson, takeaway
from pages.ui.lessons.sitting import sitting
from tokviz.lessons import LESSONS
from tokviz.lessons.parts import Lesson

# Everything of Streamlit and of our components is measured in rem, so one size enlarges all of it.
LARGE = """<style>
html { font-size: 24px; }
@media (max-width: 900px) { html { font-size: 18px; } }
[data-testid="stMainBlockContainer"] { padding: 1.2rem 2.2rem 1rem; max-width: 62rem; margin: 0 auto; }
[data-testid="stHeader"] { display: none; }
</style>"""


def present(lesson: Lesson) -> None:
    """Show the slide that stands now, and the buttons and keys that go on."""
    st.html(LARGE)
    last = len(lesson.exercises)
    slide = min(max(kept_value("slide"), 0), last)
    st.caption(f"{lesson.title} · {slide + 1} of {last + 1} · {sitting().words}")
    if slide == 0:
        st.markdown(lesson.intro)
    if slide < last:
        show_exercise(lesson, lesson.exercises[slide], number=slide + 1, reveal_key="A")
    else:
        takeaway(lesson)
    _buttons(lesson, slide, last)


def _buttons(lesson: Lesson, slide: int, last: int) -> None:
    """Show the buttons below a slide."""
    before, after = next_and_previous(lesson)
    with st.container(horizontal=True, gap="small"):
        st.button("Back", shortcut="Left", on_click=_go, args=(lesson, slide - 1, before),
                  disabled=slide == 0 and before is None)  # fmt: skip
        st.button("Next", shortcut="Right", on_click=_go, args=(lesson, slide + 1, after),
                  disabled=slide == last and after is None)  # fmt: skip
        st.button("Leave", shortcut="Esc", on_click=replace_kept, args=("presenting", False))


def _go(lesson: Lesson, slide: int, neighbour: Lesson | None) -> None:
    """Go to a slide; beyond the ends of a lesson to the last or first slide of its neighbour."""
    if 0 <= slide <= len(lesson.exercises):
        replace_kept("slide", slide)
    elif neighbour in LESSONS:
        open_lesson(neighbour, slide=len(neighbour.exercises) if slide < 0 else 0)
