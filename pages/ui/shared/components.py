"""What the custom components share: how they are shown, and the messages their browsers send.

Streamlit carries markup, style sheet and data. The code of all of them is one module that the browser imports from this
server.
"""

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import streamlit as st

from tokviz.display.palette import palette_css, theme_css
from tokviz.server.assets import PATH, VERSION
from tokviz.system.installation import ASSETS

STEPS = (ASSETS / "steps.css").read_text()


@dataclass(frozen=True)
class Component:
    """A component, named like its folder in assets; one without styles shows nothing of its own.

    The default export of its `component.js` is called with whatever there is to show. `styles` are the folders
    of its style sheets. page_style: a style sheet for the page around it.
    """

    name: str
    styles: tuple[str, ...] = ()
    page_style: str | None = None

    def show(
        self, *, key: str, data: Any = None, width: int | str = "stretch", **callbacks: Callable[[], None]
    ) -> None:
        """Show the component with data of JSON; `width` and `callbacks` as Streamlit has them."""
        # Bytes are sent as they are; for anything else Streamlit takes long to find out whether it is a table.
        packed = json.dumps(data, separators=(",", ":")).encode()
        _mounting(self)(key=key, data=packed, width=width, **callbacks)


@cache
def _mounting(component: Component) -> Callable[..., Any]:
    """Return what mounts a component, under a name that changes with the code: a tab may be older than the server."""
    name, html, css = f"{component.name} {VERSION}", None, component.page_style
    if css:
        name += f" {zlib.crc32(css.encode())}"
    if component.styles:
        html = (ASSETS / component.name / "component.html").read_text()
        sheets = [(ASSETS / folder / "component.css").read_text() for folder in component.styles]
        css = "\n".join([STEPS, *sheets, palette_css(), theme_css(".sheet")])
    return st.components.v2.component(
        name, html=html, css=css, js=_loader(component.name), isolate_styles=bool(component.styles)
    )


def _loader(name: str) -> str:
    """Return the code that calls what this server's module exports for a component."""
    base = st.get_option("server.baseUrlPath").strip("/")
    path = f"/{base}/{PATH}" if base else PATH  # relative to the page, since a proxy may have put a path before it
    return f"""
export default async ({{ data, ...component }}) => {{
  const {{ components }} = await import(new URL({json.dumps(path)}, location.href));
  return components.{name}({{ ...component, data: JSON.parse(new TextDecoder().decode(data)) }});
}};
"""


def message_of(key: str) -> dict[str, Any] | None:
    """Return the message that a component's browser sent, None if there is none.

    When a message arrives with a change of page, the component's state is gone.
    """
    return (st.session_state.get(key) or {}).get("message")
