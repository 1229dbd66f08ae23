"""All slides of a lesson below one another, to print or to prepare for: each with a teacher's note below it."""

import streamlit as st

from pages.ui.lessons.lesson import show_takeaway
from pages.ui.lessons.reveal import show_blocks
from pages.ui.lessons.slides import SLIDE, lesson_slides, show_slide_blocks
from pages.ui.lessons.texts import current_exercise_texts
from pages.ui.lessons.worksheet import show_print_tools, show_question_on_paper
from pages.ui.shared.components import ASSETS
from tokviz.exercises import Lesson, Lines, Plain, token_line
from tokviz.exercises.slides import Part, Slide
from tokviz.exercises.worksheet import Task, tasks_of
from tokviz.lessons.notes import note_for_slide_or_none

STYLE = (ASSETS / "worksheet.css").read_text() + (ASSETS / "printed_slides.css").read_text()


def show_printed_slides(lesson: Lesson) -> None:
    """Show the slides as they will be printed, one a page, with your texts."""
    st.html(f"<style>{STYLE}</style>")
    show_print_tools("With your texts. One slide a page; the notes stay on the screen.", slides="Print")
    tasks = tasks_of(lesson, current_exercise_texts(lesson))
    last_note = None
    with st.container(key="worksheet", gap=None):
        for n, slide in enumerate(lesson_slides(lesson)[:-1]):  # the last is there for its button
            with st.container(key=f"sheet-{n}"):
                _show_sheet(lesson, slide, tasks[slide.number - 1] if slide.number else None, f"paper {n}")
            note = note_for_slide_or_none(lesson, slide)
            if note and note != last_note:
                with st.expander(f"Notes · {note.minutes} min", key=f"note_{n}"):
                    st.markdown(note.markdown)
            last_note = note
    with st.container(key="unseen_slide"):
        SLIDE.show(key="sheets", data={"sheets": True})


def _show_sheet(lesson: Lesson, slide: Slide, task: Task | None, key: str) -> None:
    """Show a slide on paper, with room to write where the screen has buttons."""
    if task is None:
        _show_sheet_without_exercise(lesson, slide, key)
        return
    st.header(f"{slide.number}. {task.exercise.title}", anchor=False)
    if slide.says:
        st.markdown(task.exercise.say)
    if slide.edits:
        st.code(task.text, language=None, wrap_lines=True)
    if slide.asks and slide.part is Part.EXERCISE:
        show_question_on_paper(task, key)
    elif slide.asks:
        st.markdown(task.ask)
    if slide.tells:
        show_blocks(task.answer[:1], key=f"{key} told")
    show_slide_blocks(slide, key=f"{key} shown")


def _show_sheet_without_exercise(lesson: Lesson, slide: Slide, key: str) -> None:
    """Show the title, the text to try, or what follows from the lesson."""
    if slide.part is Part.TITLE:
        st.title(lesson.title, anchor=False)
        st.markdown(lesson.opening)
    elif slide.part is Part.TRY:
        show_blocks([Plain(lesson.live_text), Lines(token_line("cl100k_base", lesson.live_text))], key=f"{key} try")
    else:
        show_takeaway(lesson, on_slide=True)
