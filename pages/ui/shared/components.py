"""What the custom components share: how they are shown, the messages their browsers send, and the colours of tokens.

Streamlit carries markup, style sheet and data. The code is a module that the browser imports from this server; its
address comes with the data.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from tokviz.server.assets import VERSION, module_path

ASSETS = Path(__file__).parents[3] / "assets"
LOADER = """
export default async ({ data, ...component }) => {
  const { module, shown } = JSON.parse(new TextDecoder().decode(data));
  return (await import(new URL(module, location.origin))).default({ ...component, data: shown });
};
"""
# The colours of tokens; `assets/shared/colours.js` says which token has which. For each theme 24 tints, two of
# each twelfth of the hues, at least 4 apart (CIEDE2000) for normal sight and simulated protanopia, deuteranopia and
# tritanopia, each at least 7:1 against the text colour. Where one token ends and the next begins is told by a rim, at
# least 15 apart from every tint. A test computes all three.
PALETTE = {
    "light": (
        "#f7afb5", "#ebc7cd", "#dfb59d", "#fddfcd", "#fdd379", "#f1af67", "#d9c785", "#fdf197",
        "#cdd9b5", "#d9f7b5", "#91fdd3", "#91c7af", "#bbf7eb", "#25e5cd", "#d3f7fd", "#bbdfe5",
        "#a9d3fd", "#7fc7fd", "#cdcdeb", "#e5dffd", "#c7b5d3", "#e5a9e5", "#d9b5c1", "#fdc1d9",
    ),
    "dark": (
        "#6d1f37", "#5b011f", "#61493d", "#5b1f19", "#553d2b", "#372501", "#3d3701", "#4f4f2b",
        "#3d5513", "#374919", "#253d37", "#1f3125", "#194343", "#314f4f", "#07313d", "#015561",
        "#25496d", "#01375b", "#313773", "#134f8b", "#431349", "#3d374f", "#491331", "#73374f",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Component:
    """A component, named like its folder in assets; one without styles shows nothing.

    The default export of its module `component.js` is called with whatever there is to show. `styles` are the folders
    of its style sheets.
    """

    name: str
    styles: tuple[str, ...] = ()

    def show(
        self, *, key: str, data: Any = None, width: int | str = "stretch", **callbacks: Callable[[], None]
    ) -> None:
        """Show the component with data of JSON; `width` and `callbacks` as Streamlit has them."""
        base = st.get_option("server.baseUrlPath").strip("/")
        module = "/".join(["", *([base] if base else []), module_path(f"{self.name}/component.js")])
        # Bytes are sent as they are; for anything else Streamlit takes long to find out whether it is a table.
        packed = json.dumps({"module": module, "shown": data}, separators=(",", ":")).encode()
        _mounting(self)(key=key, data=packed, width=width, **callbacks)


@cache
def _mounting(component: Component) -> Callable[..., Any]:
    """Return what mounts a component, under a name that changes with the code: a tab may be older than the server."""
    html = css = None
    if component.styles:
        html = (ASSETS / component.name / "component.html").read_text()
        sheets = [(ASSETS / folder / "component.css").read_text() for folder in component.styles]
        css = "\n".join([*sheets, palette_css()])
    return st.components.v2.component(f"{component.name} {VERSION}", html=html, css=css, js=LOADER)


def message_of(key: str) -> dict[str, Any] | None:
    """Return the message that a component's browser sent, None if there is none.

    When a message arrives with a change of page, the component's state is gone.
    """
    return (st.session_state.get(key) or {}).get("message")


def palette_css() -> str:
    """Return the style rules that give every colour class its tint in both themes."""
    rules = []
    for theme, scope in (("light", ""), ("dark", ".dark ")):
        for i, colour in enumerate(PALETTE[theme]):
            rules.append(f"{scope}.c{i} {{ background-color: {colour}; }}")
    return "\n".join(rules) + "\n"
