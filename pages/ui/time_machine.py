"""The time machine: a text at any step of a tokenizer's merges, drawn by the component in `assets/time_machine`.

In: a tokenizer and a text. What the browser is sent is made by `machine_state` and `machine_data`; the step is shared
by all runs under the key "step". Call it in an `st.fragment`, so that a question reruns nothing else.
"""

from functools import partial

import streamlit as st

from pages.ui.components import Component, message_of
from pages.ui.kept import kept_value, session_id, version_of
from pages.ui.machine_state import MachineState, Source
from pages.ui.records import Trained
from tokviz import Tokenizer
from tokviz.live.views.machine_data import history

TIME_MACHINE = Component("time_machine", ("token_view", "time_machine"))


def time_machine(
    tokenizer: Tokenizer,
    text: str,
    *,
    key: str,
    trained: Trained | None = None,
    allow_special: bool = False,
    height: int = 440,
) -> None:
    """Show a text, which is not empty, at the step of this session; `height` of the text is in pixels.

    `trained` is the record of a tokenizer trained in this session, for the counts of its training text.
    Special tokens in the text are plain text unless allowed. Raises ValueError where the split pattern does not end.
    """
    state: MachineState = st.session_state.setdefault(f"{key}:state", MachineState())
    trace = state.take(Source(tokenizer, text, trained, allow_special))
    step = kept_value("step")
    TIME_MACHINE.show(
        key=key,
        data={
            "session": session_id(),
            "made": state.made,
            "history": history(trace, trained),
            "step": step,
            "step_version": version_of("step"),
            "answer": state.answer(step),
            "client": state.client,
            "ack": state.acknowledged,
            "height": height,
        },
        on_message_change=partial(_receive, key, state),
    )


def _receive(key: str, state: MachineState) -> None:
    """Take the browser's message, before the page runs."""
    message = message_of(key)
    if not message:
        return
    state.receive(message)
    if message["made"] == state.made:
        st.session_state.step = message["step"]
