"""A prediction: the question, and what the learner guesses before the answer is shown.

A number is a Streamlit widget. Options and cuts may quote the text, so the component in `assets/prediction` draws them.
"""

import hashlib
import json
from functools import partial
from typing import Any

import streamlit as st

from pages.ui.lessons.sitting import sitting
from pages.ui.shared.components import Component, message_of
from tokviz.exercises.questions import Choice, Cuts, Number, Question

PREDICTION = Component("prediction", ("token_view", "prediction"))
GUESS_MAX = 1_000_000


def prediction(question: Question, *, name: tuple[str, ...], key: str, open_: bool) -> None:
    """Show the guess at a question, and whether it was right; it can change until the answer is open.

    `name` names the question for the sitting, which keeps the guess; `key` names its place on the page.
    """
    if isinstance(question, Number):
        _number(name, open_)
    else:
        _picker(question, name, key, open_)


def take_guess(question: Question, *, name: tuple[str, ...], key: str) -> None:
    """Take a guess that arrives together with the press of a button, whose callback may run first.

    To leave a text whole is a guess too; it counts where it is right.
    """
    if not isinstance(question, Number):
        _receive(key, question, name)
        if isinstance(question, Cuts) and not question.answer:
            sitting().guesses.setdefault(name, [])
    elif (guess := st.session_state.get(_number_key(name))) is not None:
        sitting().guesses[name] = int(guess)


def _number_key(name: tuple[str, ...]) -> str:
    # Another text is another question, with its own box; the text itself does not belong in a key.
    return f"_guess_{hashlib.sha256(repr(name).encode()).hexdigest()[:16]}"


def _number(name: tuple[str, ...], open_: bool) -> None:
    key = _number_key(name)
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


def _picker(question: Choice | Cuts, name: tuple[str, ...], key: str, open_: bool) -> None:
    """Show options to choose from, or a text to cut."""
    guess = sitting().guesses.get(name)
    if isinstance(question, Choice):
        question_data: dict[str, Any] = {"kind": "options", "options": list(question.options)}
        picked = [question.options.index(guess)] if guess in question.options else []
        solution = [i for i, option in enumerate(question.options) if option in question.answers]
    else:
        question_data = {"kind": "cuts", "text": question.text}
        picked, solution = sorted(guess or ()), sorted(question.answer)
    PREDICTION.show(
        key=key,
        data={
            "question": json.dumps([*name, *question_data.get("options", ())]),
            "ask": question.ask.replace("**", ""),
            "guess": picked,
            "solution": solution if open_ else None,
            "verdict": sitting().verdict(name, question),
            **question_data,
        },
        on_message_change=partial(_receive, key, question, name),
    )


def _receive(key: str, question: Choice | Cuts, name: tuple[str, ...]) -> None:
    """Take a guess of the browser, before the page runs."""
    message = message_of(key)
    if not message or json.loads(message["question"])[: len(name)] != list(name):
        return
    picked = [place for place in message["guess"] if isinstance(place, int)]
    if isinstance(question, Cuts):
        sitting().guesses[name] = tuple(sorted(picked))
    elif picked and 0 <= picked[0] < len(question.options):
        sitting().guesses[name] = question.options[picked[0]]
