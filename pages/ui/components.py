"""What the custom components share: their files, the messages of their browsers, and who sends them all."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.ui.palette import palette_css

ASSETS = Path(__file__).parents[2] / "assets"


@cache
def registered(name: str, scripts: tuple[str, ...], styles: tuple[str, ...] = ()) -> Callable[..., Any]:
    """Return the component of a folder of assets, registered once; one without styles shows nothing.

    `scripts`, files without suffix, are joined to one module; `styles` are the folders of the style sheets.
    """
    sheets = [(ASSETS / folder / "component.css").read_text() for folder in styles]
    return st.components.v2.component(
        name,
        html=(ASSETS / name / "component.html").read_text() if styles else "<span hidden></span>",
        css="\n".join([*sheets, palette_css()]) if styles else None,
        js="\n".join((ASSETS / f"{script}.js").read_text() for script in scripts),
    )


def message_of(key: str) -> dict[str, Any] | None:
    """Return the message that a component's browser sent, None where there is none.

    A message that comes with a change of page finds the component's state gone.
    """
    return (st.session_state.get(key) or {}).get("message")


def may_be_mounted_anew() -> bool:
    """Return whether the whole page runs: its components may then be new, with nothing in their hands."""
    return not getattr(get_script_run_ctx(), "fragment_ids_this_run", None)
