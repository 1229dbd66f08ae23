"""The list of all lessons: which to take when, what each is for, and how long it takes, beside a word in its tokens."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.lessons.lesson import show_lesson_link
from pages.ui.lessons.reveal import show_blocks
from pages.ui.lessons.sitting import is_done
from pages.ui.lessons.slides import open_lesson
from pages.ui.pages import LEARN
from pages.ui.shared.live import reserve_row
from tokviz.exercises import Lesson, Lines
from tokviz.lessons import LESSONS
from tokviz.lessons.notes import class_minutes

# Each group begins with the lesson of this name, and is introduced in a few words.
GROUPS = {
    "token": ("Start here", "Take these two first, in this order."),
    "spelling": ("What tokens do to text", "In any order, each on its own."),
    "languages": ("Languages and characters", "Bytes matter here: take Unicode if they are new to you."),
    "special-tokens": ("Inside a tokenizer", "For those who train or choose one; after the first two."),
    "hidden-text": ("Tokens in use", "For those who write prompts or programs with a model."),
}


def show_overview(bar: DeltaGenerator | None) -> None:
    """Show all lessons in groups, each with its number, title, length, and what one can do after it.

    bar: where the page is presented, what has its title, and the key to the first lesson.
    """
    least, most = (limit(lesson.minutes for lesson in LESSONS) for limit in (min, max))
    with bar or reserve_row("title"):
        st.title(LEARN.title, anchor=False, width="content")
        if bar:
            st.button("First lesson", shortcut="Right", on_click=open_lesson, args=(LESSONS[0].slug,))
        else:
            st.caption(
                f"{len(LESSONS)} lessons of {least} to {most} minutes: predict, see the answer, then try your own "
                "text. Each says what you can do after it. For a class, it has slides, a worksheet and notes."
            )
    firsts = [n for n, lesson in enumerate(LESSONS) if lesson.slug in GROUPS]
    with st.container(key="overview", gap=None):
        for first, end in zip(firsts, [*firsts[1:], len(LESSONS)], strict=True):
            with st.container(key=f"group-{LESSONS[first].slug}", gap=None):
                title, when = GROUPS[LESSONS[first].slug]
                st.markdown(f"**{title}** · :small[{when}]")
                for number, lesson in enumerate(LESSONS[first:end], first + 1):
                    _show_listed_lesson(lesson, number, presented=bar is not None)


def _show_listed_lesson(lesson: Lesson, number: int, *, presented: bool) -> None:
    """Show the link to a lesson, how long it takes, what one can do after it, and its cover."""
    with st.container(key=f"listed-{lesson.slug}", gap=None):
        show_lesson_link(lesson, f"{number}. {lesson.title}" + " ✓" * is_done(lesson))
        minutes = class_minutes(lesson)
        length = f"{minutes} min" if presented else f"{lesson.minutes} min *({minutes} with a class)*"
        st.caption(length, width="content")
        st.caption(f"{lesson.aim[:1].upper()}{lesson.aim[1:]}")
        if lesson.cover:
            show_blocks([Lines(lesson.cover())], key=f"cover {lesson.slug}")
