"""The notes of a lesson in a second window, which follows the slides of the first."""

import streamlit as st

from pages.ui.shared.components import Component
from tokviz.exercises import Lesson
from tokviz.exercises.slides import Part
from tokviz.lessons.notes import Note, class_minutes, notes_of

FOLLOWER = Component("notes")
HEADING = {Part.TITLE: "Title", Part.EXERCISE: "{}", Part.ANSWER: "{} · the answer", Part.END: "Why it matters"}


def show_notes_link(lesson: Lesson) -> None:
    """Show the link that opens the notes in a window of their own."""
    st.link_button(
        "Notes in a second window", f"?lesson={lesson.slug}&notes=1", icon=":material/speaker_notes:", type="tertiary"
    )


def show_notes(lesson: Lesson) -> None:
    """Show the notes of a lesson; the browser marks that of the slide which another window presents."""
    notes = notes_of(lesson)
    with st.container(key="notes"):
        st.title(lesson.title, anchor=False)
        minutes = class_minutes(lesson)
        st.caption(f"{minutes} minutes with a class. Present the lesson in another window, and these notes follow it.")
        for note in notes:
            with st.container(key=f"note-{note.key}", gap="small"):
                st.header(note_heading(lesson, note), anchor=False)
                st.markdown(note.markdown)
        FOLLOWER.show(key="notes_follower", data={"lesson": lesson.slug})


def note_heading(lesson: Lesson, note: Note) -> str:
    """Return what a note is for, in words."""
    title = f"{note.number}. {lesson.exercises[note.number - 1].title}" if note.number else ""
    return HEADING[note.part].format(title)
