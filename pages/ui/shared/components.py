"""The custom components on the pages: how they are shown, with or without a live view, and what their browsers say.

Streamlit carries markup, style sheet and data. The code of all of them is one module that the browser imports from this
server.
"""

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from types import MappingProxyType
from typing import Any, TypeVar

import streamlit as st

from pages.ui.shared.live import live_session, view_component_data
from tokviz.display.components import ComponentFiles
from tokviz.display.palette import theme_css
from tokviz.live.view import View
from tokviz.server.assets import PATH, VERSION
from tokviz.system.installation import ASSETS

V = TypeVar("V", bound=View)

CONTROLS = (ASSETS / "controls.css").read_text()
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Component(ComponentFiles):
    """A component, named like its folder in assets; one without styles shows nothing of its own.

    The default export of its `component.js` is called with the data to show. page_style: a style sheet for
    the page around it.
    """

    page_style: str | None = None

    def show(
        self, *, key: str, data: Any = None, width: int | str = "stretch", **takes: Callable[[Any], object]
    ) -> None:
        """Show the component with data of JSON; `width` as Streamlit has it.

        takes: what takes a message of the browser before the page runs, by the name under which it comes.
        """
        # Bytes are sent as they are; for anything else Streamlit takes long to find out whether it is a table.
        packed = json.dumps(data, separators=(",", ":")).encode()
        callbacks = {f"on_{name}_change": partial(_hand_on_message, key, name, take) for name, take in takes.items()}
        _mount_function(self)(key=key, data=packed, width=width, **callbacks)

    def show_view(
        self,
        key: str,
        kind: Callable[..., V],
        document: str | None,
        *sources: Any,
        name: str = "",
        tells_ahead: bool = True,
        data: Mapping[str, Any] = NOTHING,
        takes: Mapping[str, Any] = NOTHING,
        **options: Any,
    ) -> V:
        """Show a live view of this session, `kind(document, *sources, **options)`, and return it.

        The view is made anew if any of these changed. document: the name of the one whose state its replies name; None
        for a view of several, which are among the sources. name: that of the view, by default the key. tells_ahead and
        data: as in `view_component_data`. takes: as in `show`.
        """
        session, name = live_session(), name or key
        edited = [] if document is None else [session.get_or_add_document(document)]
        view = session.get_or_add_view(name, kind, *edited, *sources, **options)
        self.show(key=key, data=view_component_data(name, document, tells_ahead=tells_ahead, **data), **takes)
        return view


@cache
def _mount_function(component: Component) -> Callable[..., Any]:
    """Return what mounts a component, under a name that changes with the code: a tab may be older than the server."""
    name, html, css = f"{component.name} {VERSION}", None, component.page_style
    if css:
        name += f" {zlib.crc32(css.encode())}"
    if component.styles:
        html, css = component.markup, f"{component.style_sheet}\n{theme_css('.sheet')}"
    return st.components.v2.component(
        name, html=html, css=css, js=_loader_code(component.name), isolate_styles=bool(component.styles)
    )


def _loader_code(name: str) -> str:
    """Return the code that calls what this server's module exports for a component."""
    base = st.get_option("server.baseUrlPath").strip("/")
    path = f"/{base}/{PATH}" if base else PATH  # relative to the page, since a proxy may have put a path before it
    return f"""
export default async ({{ data, ...component }}) => {{
  const {{ components }} = await import(new URL({json.dumps(path)}, location.href));
  return components.{name}({{ ...component, data: JSON.parse(new TextDecoder().decode(data)) }});
}};
"""


def message_from(key: str, name: str = "message") -> Any:
    """Return what a component's browser said under a name, None if it said nothing.

    When a message arrives with a change of page, the component's state is gone.
    """
    return (st.session_state.get(key) or {}).get(name)


def _hand_on_message(key: str, name: str, take: Callable[[Any], object]) -> None:
    """Hand on what a component's browser said under a name, if it said anything."""
    if (message := message_from(key, name)) is not None:
        take(message)
