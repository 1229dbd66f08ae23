"""Which lesson is open, its address, and the parts of it that are not exercises."""

import streamlit as st

from pages.ui.lessons.reveal import show_blocks
from pages.ui.options import option_value, set_option
from pages.ui.pages import LEARN
from pages.ui.shared.live import await_view, document
from pages.ui.shared.token_view import show_token_view
from tokviz.exercises import Lesson, load
from tokviz.lessons import LESSONS, lesson_named

ALL = "all"  # in the address, the list of all lessons


def open_current_lesson_if_any() -> Lesson | None:
    """Return the lesson of the address, else the one that was open last, and put it into the address.

    Return None for the list of all, which is shown until a lesson was chosen.
    """
    named = st.query_params.get("lesson")
    places = [ALL, *(lesson.slug for lesson in LESSONS)]
    if named is not None and named not in places:
        st.session_state.problem = f"There is no lesson {named!r}. These are the lessons:"
    wanted = option_value("lesson") if named is None else named
    place = wanted if wanted in places else ALL
    if option_value("lesson") != place:
        set_option("lesson", place)
        set_option("slide", 0)
    # A link within the page gives the server its address, but does not change the browser's.
    if named != place or st.session_state.get("lesson:address") != place:
        st.query_params["lesson"] = place
    st.session_state["lesson:address"] = place
    return None if place == ALL else lesson_named(place)


def show_lesson_link(lesson: Lesson, label: str, *, icon: str | None = None) -> None:
    """Show a link to a lesson, for any page."""
    st.page_link(LEARN.script, label=label, icon=icon, query_params={"lesson": lesson.slug})


def neighbours_of(lesson: Lesson) -> tuple[Lesson | None, Lesson | None]:
    """Return the lessons before and after one, None at either end."""
    place = LESSONS.index(lesson)
    return LESSONS[place - 1] if place else None, LESSONS[place + 1] if place + 1 < len(LESSONS) else None


def show_live_text(lesson: Lesson, *, height: str = "7.5rem") -> None:
    """Show the text that the lesson begins with and its tokens, to be changed."""
    name = f"lesson:{lesson.slug}"
    document(name, lesson.live_text)
    key = f"live {name}"
    show_token_view(
        load("cl100k_base"),
        key=key,
        document=name,
        label="Type anything, and watch where it is cut",
        height=height,
        big=True,
        panes=("counts", "tokens"),
    )
    await_view(key)


def show_takeaway(lesson: Lesson, *, on_slide: bool = False) -> None:
    """Show what follows for a language model: on a slide in few words, with a picture that may answer a question."""
    with st.container(key="takeaway", border=True):
        if on_slide:
            st.header("Why it matters", anchor=False)
        else:
            st.markdown("**Why it matters**")
        st.markdown(lesson.takeaway)
        if not on_slide:
            st.markdown(lesson.more)
        elif lesson.picture:
            show_blocks([lesson.picture()], key=f"picture {lesson.slug}")
