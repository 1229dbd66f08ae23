"""What the custom components share: their code, how they are shown, and the messages of their browsers.

Streamlit sends all that a component consists of whenever it is shown, and one that follows the typing is shown for
every key. So the code of a page's components is an element of its own, which comes once with the page; what is shown
again and again is data alone, for a loader of a few lines that waits for the code.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.ui.palette import palette_css
from pages.ui.unsent import keep_what_finished_runs_drew

ASSETS = Path(__file__).parents[2] / "assets"
# The scripts of whatever shows tokens in a panel of blocks, first in the list of each.
PANEL = ("storage", "mounted", "token_view/text", "token_view/model", "token_view/pieces", "token_view/panel")

keep_what_finished_runs_drew()


@dataclass(frozen=True)
class Component:
    """A component by its name, which is that of its folder of assets; one without styles shows nothing.

    `scripts`, files without suffix, share one scope; the last of them has a function `render`. `styles` are the
    folders of the style sheets.
    """

    name: str
    scripts: tuple[str, ...]
    styles: tuple[str, ...] = ()

    def show(self, *, key: str, data: Any = None, **callbacks: Callable[[], None]) -> None:
        """Show the component with data of JSON, on a page that has its code; `callbacks` as Streamlit names them."""
        # Bytes are sent as they are; of anything else Streamlit asks at length whether it is a table.
        packed = json.dumps(data, separators=(",", ":")).encode()
        _mounting(_full_name(self), _script("code", "loader"))(key=key, data=packed, **callbacks)


def send_code(*components: Component) -> None:
    """Send the code of the components of a page, outside its fragments; once a run."""
    name = " ".join(_full_name(component) for component in components)
    _mounting(f"code of {name}", _handing_over(components))(key="code")


@cache
def _handing_over(components: tuple[Component, ...]) -> str:
    """Return the script that hands over the code of components to the loaders that wait for it."""
    calls = (f"hand({json.dumps(_full_name(component))}, {_code(component)});" for component in components)
    return "\n".join([_script("code", "handing"), *calls, "export default () => {};"])


@cache
def _full_name(component: Component) -> str:
    """Return a name that changes with the code: a tab may be older than the server it has come back to."""
    return f"{component.name} {hashlib.sha256(_code(component).encode()).hexdigest()[:8]}"


@cache
def _code(component: Component) -> str:
    """Return markup, style sheet and scope of a component as three arguments of a call."""
    html = css = ""
    if component.styles:
        html = (ASSETS / component.name / "component.html").read_text()
        sheets = [(ASSETS / folder / "component.css").read_text() for folder in component.styles]
        css = "\n".join([*sheets, palette_css()])
    return f"{json.dumps(html)}, {json.dumps(css)}, () => {{\n{_script(*component.scripts)}\nreturn render;\n}}"


@cache
def _script(*files: str) -> str:
    return "\n".join((ASSETS / f"{file}.js").read_text() for file in files)


@cache
def _mounting(name: str, script: str) -> Callable[..., Any]:
    return st.components.v2.component(name, js=script)


def message_of(key: str) -> dict[str, Any] | None:
    """Return the message that a component's browser sent, None where there is none.

    A message that comes with a change of page finds the component's state gone.
    """
    return (st.session_state.get(key) or {}).get("message")


def may_be_mounted_anew() -> bool:
    """Return whether the whole page runs: its components may then be new, with nothing in their hands."""
    return not getattr(get_script_run_ctx(), "fragment_ids_this_run", None)
