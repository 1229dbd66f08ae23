"""A lesson on the projector: one exercise a slide, in large type, without the sidebar, moved by keys.

The first slide is the title, and the last says what follows for a language model.
"""

import streamlit as st

from pages.ui.lessons.exercise import show_exercise
from pages.ui.lessons.lesson import next_and_previous, open_lesson, takeaway
from pages.ui.lessons.sitting import sitting
from pages.ui.shared.options import option_value, set_option
from tokviz.exercises.lesson import Lesson

# Streamlit and our components measure everything in rem, so one size, which follows the screen, enlarges all of it,
# even widths that Streamlit is given in pixels. The document itself scrolls, so keys scroll it without a click first.
LARGE = """<style>
html { font-size: clamp(17px, min(1.75vw, 3vh), 48px); --text-size: 1.2rem; }
[data-testid="stMainBlockContainer"] { padding: 0.8rem 2rem 1rem; max-width: 62rem; margin: 0 auto; }
[data-testid="stVerticalBlock"] { gap: 0.5rem; }
[data-testid="stApp"], [data-testid="stAppViewContainer"], [data-testid="stMain"] {
  position: static; height: auto; overflow: visible;
}
.stElementContainer:has([data-testid="stNumberInput"]) { flex: 0 0 13rem; width: 13rem; max-width: 13rem; }
[class*="st-key-text-lesson"] { min-width: min(24rem, 100%); }
</style>"""


def present(lesson: Lesson) -> None:
    """Show the current slide, and above it the buttons and keys that move on."""
    st.html(LARGE)
    last = len(lesson.exercises) + 1
    slide = min(max(option_value("slide"), 0), last)
    _bar(lesson, slide, last)
    if slide == 0:
        st.title(lesson.title, anchor=False)
        st.markdown(lesson.intro)
    elif slide < last:
        show_exercise(lesson, lesson.exercises[slide - 1], number=slide, on_slide=True)
    else:
        takeaway(lesson)


def _bar(lesson: Lesson, slide: int, last: int) -> None:
    """Show where we are, and the buttons, each with its key."""
    before, after = next_and_previous(lesson)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
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
