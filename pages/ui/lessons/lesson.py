"""Which lesson is open, its address, its link, the parts of it that are not exercises, and its slides.

On the projector a lesson is one exercise a slide, in the type of every page that is presented, moved by keys. The first
slide is the title, and the last says what follows for a language model.
"""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.lessons.exercise import show_exercise
from pages.ui.lessons.sitting import sitting
from pages.ui.lessons.texts import changed_texts
from pages.ui.options import option_value, set_option
from pages.ui.pages import LEARN
from pages.ui.shared.components import Component
from pages.ui.shared.glossary import terms
from pages.ui.shared.live import await_view, document
from pages.ui.shared.token_view import token_view
from tokviz.exercises.lesson import Lesson
from tokviz.formats.pretrained import load
from tokviz.lessons import LESSONS, lesson_named

SCROLL_TOP = Component("scroll_top")
SLIDE = Component("slide")


def current_lesson() -> Lesson:
    """Return the lesson of the address, else the one that was open last, and put it into the address."""
    named = st.query_params.get("lesson")
    slugs = [lesson.slug for lesson in LESSONS]
    if named is not None and named not in slugs:
        st.session_state.problem = f"There is no lesson {named!r}. The lessons are listed on the left."
    slug = named if named in slugs else option_value("lesson")
    lesson = lesson_named(slug) if slug in slugs else LESSONS[0]
    if option_value("lesson") != lesson.slug:
        set_option("lesson", lesson.slug)
        set_option("slide", 0)
    # A link within the page gives the server its address, but does not change the browser's.
    if named != lesson.slug or st.session_state.get("lesson:address") != lesson.slug:
        st.query_params["lesson"] = lesson.slug
    st.session_state["lesson:address"] = lesson.slug
    return lesson


def lesson_link(lesson: Lesson, label: str, *, icon: str | None = None) -> None:
    """Show a link to a lesson, for any page."""
    st.page_link(LEARN.script, label=label, icon=icon, query_params={"lesson": lesson.slug})


def next_and_previous(lesson: Lesson) -> tuple[Lesson | None, Lesson | None]:
    """Return the lessons before and after one, None at either end."""
    place = LESSONS.index(lesson)
    return LESSONS[place - 1] if place else None, LESSONS[place + 1] if place + 1 < len(LESSONS) else None


def begin_at_top(place: str) -> None:
    """Scroll the page to its top when this is another place than before."""
    with st.container(key="unseen_top"):
        SCROLL_TOP.show(key="scroll_top", data={"place": place})


def introduction(lesson: Lesson) -> None:
    """Show what the lesson is about, the words it needs, and a text with its tokens, if it begins with one."""
    st.markdown(lesson.intro)
    terms(*lesson.terms)
    if lesson.live_text:
        name = f"lesson:{lesson.slug}"
        document(name, lesson.live_text)
        key = f"live {name}"
        token_view(
            load("cl100k_base"),
            key=key,
            document=name,
            label="Type anything",
            height="max(4.5rem, 22rem - 60vw)" if option_value("presenting") else "7.5rem",
            big=True,
            panes=("counts", "tokens"),
        )
        await_view(key)


def takeaway(lesson: Lesson) -> None:
    """Show what follows for a language model."""
    with st.container(border=True):
        st.markdown("**What follows for a language model**")
        st.markdown(lesson.takeaway)


def linked_lesson(lesson: Lesson) -> dict[str, Any]:
    """Return what a link holds besides the lesson: the texts of its exercises that were changed."""
    return {"options": changed_texts(lesson)}


def present(lesson: Lesson, bar: DeltaGenerator) -> None:
    """Show the current slide, and in the bar above it the buttons and keys that move on."""
    last = len(lesson.exercises) + 1
    slide = min(max(option_value("slide"), 0), last)
    begin_at_top(f"{lesson.slug} {slide}")
    with bar:
        _where(lesson, slide, last)
    with st.container(key="slide"):
        if slide == 0:
            st.title(lesson.title, anchor=False)
            introduction(lesson)
        elif slide < last:
            show_exercise(lesson, lesson.exercises[slide - 1], number=slide, on_slide=True)
        else:
            takeaway(lesson)
    with st.container(key="unseen_slide"):
        SLIDE.show(key="slide_type", data={"place": f"{lesson.slug} {slide}"})


def _where(lesson: Lesson, slide: int, last: int) -> None:
    """Show where we are, and the buttons, each with its key."""
    before, after = next_and_previous(lesson)
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
        _open(neighbour, slide=len(neighbour.exercises) + 1 if slide < 0 else 0)


def _open(lesson: Lesson, *, slide: int = 0) -> None:
    """Open another lesson in the next run."""
    set_option("lesson", lesson.slug)
    set_option("slide", slide)
    st.query_params["lesson"] = lesson.slug
