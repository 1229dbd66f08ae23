"""The time machine: a text at any step of a tokenizer's merges, drawn by the component in `assets/time_machine`.

In: a tokenizer and a text. What the two sides say to each other is in `machine_data`; the step is shared
by all runs under the key "step". Call it in an `st.fragment`, so that a question reruns nothing else.
"""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.ui.kept import kept_value, session_id
from pages.ui.machine_data import MachineState, history
from pages.ui.palette import palette_css
from pages.ui.records import Trained
from tokviz import Tokenizer, trace

ASSETS = Path(__file__).parents[2] / "assets"
SCRIPTS = (
    "storage", "token_view/text", "token_view/model", "token_view/pieces", "token_view/panel", "token_view/inspector",
    "time_machine/history", "time_machine/step_panel", "time_machine/timeline", "time_machine/decision",
    "time_machine/glass", "time_machine/component",
)  # fmt: skip


@cache
def _component() -> Callable[..., Any]:
    """Return the component, registered once; its scripts are joined to one module."""
    styles = [(ASSETS / folder / "component.css").read_text() for folder in ("token_view", "time_machine")]
    return st.components.v2.component(
        "time_machine",
        html=(ASSETS / "time_machine" / "component.html").read_text(),
        css="\n".join([*styles, palette_css()]),
        js="\n".join((ASSETS / f"{name}.js").read_text() for name in SCRIPTS),
    )


def time_machine(
    tokenizer: Tokenizer, text: str, *, key: str, trained: Trained | None = None, height: int = 440
) -> None:
    """Show a text, which is not empty, at the step of this session; `height` of the text is in pixels.

    `trained` is the record of a tokenizer trained in this session, for the counts of its training text.
    Raises ValueError where the split pattern does not end.
    """
    state: MachineState = st.session_state.setdefault(f"{key}:state", MachineState())
    source = (tokenizer, text, trained)
    if state.source is None or state.source[0] is not tokenizer or state.source[1:] != (text, trained):
        state.take_trace(trace(tokenizer, text), source)
    # A run of the whole page may have mounted the component anew, with nothing in its hands.
    whole = not getattr(get_script_run_ctx(), "fragment_ids_this_run", None)
    step = kept_value("step")
    _component()(
        key=key,
        data={
            "session": session_id(),
            "made": state.made,
            "history": history(state.trace, trained) if whole or state.have != state.made else None,
            "step": step,
            "step_version": st.session_state.get("step:version", 0),
            "answer": state.answer(step),
            "client": state.client,
            "ack": state.acknowledged,
            "height": height,
        },
        on_message_change=partial(_receive, key, state),
    )


def _receive(key: str, state: MachineState) -> None:
    """Take the browser's message, before the page runs."""
    # A message that comes with a change of page finds the component's state gone.
    message = (st.session_state.get(key) or {}).get("message")
    if not message:
        return
    state.receive(message)
    if message["made"] == state.made:
        st.session_state.step = message["step"]
