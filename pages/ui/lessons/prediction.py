"""A prediction: what the learner guesses before the answer is shown, and the verdict.

A number is a Streamlit widget. What is selected may quote the text, so the component in `assets/prediction` draws it.
"""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.lessons.sitting import Name, NamedQuestion, sitting
from pages.ui.shared.components import Component, message_from
from tokviz.exercises import Selection

PREDICTION = Component("prediction", ("token_view", "prediction"))
GUESS_MAX = 1_000_000


def show_guess_and_answer_button(
    asked: NamedQuestion,
    label: str,
    on_click: Callable[..., None],
    args: tuple[Any, ...],
    *,
    open_: bool = False,
    shortcut: str | None = None,
) -> None:
    """Show the guess at a question, and the button that opens or closes the answer."""
    # Two buttons: whoever presses it again, since nothing has come of it yet, does not mean to hide the answer.
    name, look = ("_hide_", "secondary") if open_ else ("_reveal_", "primary")

    def show_button(kind: Callable[..., bool]) -> None:
        """Show the button that opens or closes the answer."""
        kind(label, key=f"{name}{asked.key}", type=look, on_click=on_click, args=args, shortcut=shortcut)

    if isinstance(asked.question, Selection):
        with st.container(key=f"selected {asked.key}"):
            show_selection(asked, asked.question, open_=open_)
            show_button(st.button)
        return
    # In a form, so that Enter presses the button.
    with (
        st.form(f"guess {asked.key}", border=False, width="content"),
        st.container(horizontal=True, gap="small", vertical_alignment="center"),
    ):
        if not open_ or asked.name in sitting().guesses:
            _show_number_input_and_keep_guess(asked.name, open_)
        show_button(st.form_submit_button)


def verdict_badge_or_none(asked: NamedQuestion) -> str | None:
    """Return in markdown whether the number that was guessed is right, None without a guess."""
    if not (said := sitting().verdict(asked)):
        return None
    right = said.startswith("Right")
    return f":{'green' if right else 'orange'}-background[{'✓' if right else '✕'} {said}]"


def check_guess_if_given(asked: NamedQuestion) -> bool:
    """Check the guess at a question, if there is one, and score the first; return whether there is one.

    It can arrive together with the press of a button, whose callback may run before the page. To select nothing is a
    guess too where it is right.
    """
    question, name = asked
    now, guesses = sitting(), sitting().guesses
    if isinstance(question, Selection):
        _keep_guess_if_for_question(asked, question)
        if question.is_right(nothing := question.guess_at([])):
            guesses.setdefault(name, nothing)
    elif (guess := st.session_state.get(_number_box_key(name))) is not None:
        guesses[name] = int(guess)
    if name in guesses:
        now.checked[name] = guesses[name]
        now.score.setdefault(name, question.is_right(guesses[name]))
    return name in guesses


def _number_box_key(name: Name) -> str:
    """Return the key of the box for the number that answers a question."""
    # Another text is another question, with its own box; the text itself does not belong in a key.
    return f"_guess_{hashlib.sha256(repr(name).encode()).hexdigest()[:16]}"


def _show_number_input_and_keep_guess(name: Name, open_: bool) -> None:
    """Show the box for a number."""
    key = _number_box_key(name)
    if open_ or key not in st.session_state:
        # A widget disabled by the message that brings its value would go back to the value before.
        st.session_state[key] = sitting().guesses.get(name)
    guess = st.number_input(
        "Your guess",
        min_value=0,
        max_value=GUESS_MAX,
        step=1,
        value=None,
        key=key,
        placeholder="Your guess",
        label_visibility="collapsed",
        disabled=open_,
        width=180,
    )
    if guess is not None:
        sitting().guesses[name] = int(guess)


def show_selection(asked: NamedQuestion, question: Selection, *, open_: bool) -> None:
    """Show what can be selected; the guess can change until the answer is open."""
    PREDICTION.show(
        key=f"prediction {asked.key}",
        data={
            "question": json.dumps([*asked.name, question.drawing_data]),
            "ask": question.ask.replace("**", ""),
            "guess": question.places(sitting().guesses.get(asked.name)),
            "solution": question.solution if open_ else None,
            "verdict": sitting().verdict(asked),
            **question.drawing_data,
        },
        message=lambda _: _keep_guess_if_for_question(asked, question),
    )


def _keep_guess_if_for_question(asked: NamedQuestion, question: Selection) -> None:
    """Take a guess of the browser, before the page runs."""
    message = message_from(f"prediction {asked.key}")
    if not message or json.loads(message["question"])[:-1] != [*asked.name]:
        return
    guess = question.guess_at([place for place in message["guess"] if isinstance(place, int)])
    if guess is not None:
        sitting().guesses[asked.name] = guess
