"""A worksheet of a lesson, to print: its exercises with room to write, and the answers on a page of their own."""

from functools import partial

import streamlit as st

from pages.ui.lessons.notes import note_heading, show_notes_link
from pages.ui.lessons.reveal import show_blocks
from pages.ui.lessons.texts import current_exercise_texts
from pages.ui.shared.components import ASSETS, Component
from tokviz.display.lesson_notebook import lesson_notebook_json
from tokviz.exercises import Lesson
from tokviz.exercises.worksheet import Task, tasks_of
from tokviz.lessons.notes import notes_of

STYLE = (ASSETS / "worksheet.css").read_text()
# What can be printed, by its name in the address.
SHEETS = {
    "worksheet": (
        "Worksheet",
        "The texts of the lesson, or your own, with room to write; answers and notes print separately.",
    ),
    "slides": ("Slides to print", "All slides with their answers, one a page, without the notes."),
}
PRINT_BUTTON = Component("action_button", ("action_button",))


def show_teaching_menu(lesson: Lesson) -> None:
    """Show the menu of what a class needs, on paper, in a window and as a file, each with what it gives."""
    with st.popover("For teachers", icon=":material/co_present:", type="tertiary", key=f"teach_{lesson.slug}"):
        for sheet, (label, words) in SHEETS.items():
            st.button(label, icon=":material/print:", type="tertiary", on_click=st.query_params.update,
                      kwargs={"print": sheet})  # fmt: skip
            st.caption(words)
        show_notes_link(lesson)
        st.caption("What to ask, and what usually goes wrong. They follow the slides that you present.")
        st.download_button(
            "Jupyter notebook", partial(lesson_notebook_json, lesson), file_name=f"{lesson.slug}.ipynb",
            on_click="ignore", mime="application/x-ipynb+json", icon=":material/download:", type="tertiary",
        )  # fmt: skip
        st.caption("The same questions and answers, about any text. It opens in VS Code and marimo too.")


def current_sheet_if_any() -> str:
    """Return what the address asks to print: "worksheet", "slides", or "" for neither."""
    sheet = st.query_params.get("print", "")
    return sheet if sheet in SHEETS else ""


def _go_back_to_lesson() -> None:
    """Show the lesson again."""
    st.query_params.pop("print", None)


def show_print_tools(words: str, **labels: str) -> None:
    """Show the button that goes back, and before it one that prints each of these parts of the page."""
    with st.container(key="worksheet-tools", horizontal=True, vertical_alignment="center"):
        for part, label in labels.items():
            PRINT_BUTTON.show(key=f"print_{part}", data={"label": label, "part": part}, width="content")
        st.button("Back to the lesson", on_click=_go_back_to_lesson)
        st.caption(words, width="stretch")


def show_worksheet(lesson: Lesson) -> None:
    """Show the worksheet of a lesson as it will be on paper, and above it the buttons that print and go back."""
    st.html(f"<style>{STYLE}</style>")
    show_print_tools("With your texts.", tasks="Print for students", answers="Print answers and notes")
    tasks = tasks_of(lesson, current_exercise_texts(lesson))
    with st.container(key="worksheet", gap=None):
        with st.container(key="tasks"):
            st.title(lesson.title, anchor=False)
            with st.container(horizontal=True):
                _show_line_to_write_on("Name:", key="name")
                _show_line_to_write_on("Date:", key="date")
            st.markdown(lesson.opening)
            for number, task in enumerate(tasks, 1):
                _show_task(task, number)
        with st.container(key="answers"):
            st.title(f"Answers: {lesson.title}", anchor=False)
            for number, task in enumerate(tasks, 1):
                with st.container(key=f"answer-{number}"):
                    st.header(f"{number}. {task.exercise.title}", anchor=False)
                    show_blocks(task.answer, key=f"worksheet answer {number}")
            if notes := notes_of(lesson):
                with st.container(key="teachers-notes"):
                    st.title(f"Notes: {lesson.title}", anchor=False)
                    for note in notes:
                        st.markdown(f"**{note_heading(lesson, note)}**\n\n{note.markdown}")


def _show_task(task: Task, number: int) -> None:
    """Show an exercise with room to write."""
    with st.container(key=f"task-{number}"):
        st.header(f"{number}. {task.exercise.title}", anchor=False)
        st.markdown(task.exercise.say)
        st.code(task.text, language=None, wrap_lines=True)
        show_question_on_paper(task, f"worksheet {number}")
        for n, line in enumerate(task.lines):
            _show_line_to_write_on(line, key=f"{number}-{n}")


def show_question_on_paper(task: Task, key: str) -> None:
    """Show a question, with what is to be ticked, filled in or marked."""
    show_blocks(task.given, key=f"{key} given")
    st.markdown(task.ask)
    show_blocks(task.blanks, key=f"{key} blanks")
    if task.marked:
        st.code(task.marked, language=None, wrap_lines=True)


def _show_line_to_write_on(label: str, *, key: str) -> None:
    """Show a line to write on."""
    with st.container(key=f"line-{key}"):
        st.markdown(label)
