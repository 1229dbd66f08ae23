"""The live views in a notebook, with anywidget: the kernel answers in place of a server.

Jupyter and marimo show the widget. Its code is that of the pages, with a socket that speaks over the widget's
messages (`assets/notebook`).
"""

from typing import Any
from uuid import uuid4

import anywidget
import traitlets

from tokviz.display.components import TOKENS, ComponentFiles
from tokviz.display.html_text import DARK_AROUND, LIGHT_AROUND
from tokviz.display.palette import theme_css
from tokviz.display.show import Shown
from tokviz.display.view_spec import ViewSpec, columns_view_spec, history_view_spec, tokens_view_spec
from tokviz.live.kernel import Kernel
from tokviz.live.session import LiveSession

VIEW = "view"
HEIGHT = 240  # pixels
AROUND = {"dark": ",".join(DARK_AROUND), "light": ",".join(LIGHT_AROUND)}


class LiveWidget(anywidget.AnyWidget):
    """A view of the pages in a notebook. shown: what the browser needs to draw it.

    still: the class of the coloured text that is shown where the view is not alive.
    """

    shown = traitlets.Dict().tag(sync=True)

    def __init__(self, what: Shown) -> None:
        session = LiveSession()
        component, data = _add_view_to_session(what, session)
        self.still = f"tokviz-{uuid4().hex}"
        code, notebook = component.script_and_variable("notebook/widget.js")
        super().__init__(
            _esm=f"{code}export default {notebook}.widgetOf({component.variable}.default);\n",
            shown={
                "data": {"token": session.token, "session": session.token, "view": VIEW, **data},
                "markup": component.markup,
                "sheet": theme_css(":host") + component.place_style_sheet("notebook"),
                "around": AROUND,
                "still": self.still,
            },
        )
        self.kernel = Kernel(session)
        self.on_msg(_receive_and_answer)

    def view_bundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the view as an output and its metadata, without words for where no widget is drawn."""
        data, metadata = self._repr_mimebundle_() or ({}, {})
        return {kind: value for kind, value in data.items() if kind != "text/plain"}, metadata


def _receive_and_answer(widget: LiveWidget, content: dict[str, Any], _buffers: object) -> None:
    """Take a message of the browser, and answer it."""
    if "opens" in content:
        widget.kernel.reset_page()
    else:
        for message in widget.kernel.receive_and_respond(content["message"]):
            widget.send({"message": message})


def _add_view_to_session(what: Shown, session: LiveSession) -> tuple[ComponentFiles, dict[str, Any]]:
    """Return the component for what is to be shown, and what is said to it, with documents and views in the session."""
    name = f"text {session.token[:8]}"  # the tab keeps texts by their names
    spec = _view_spec(what)
    session.get_or_add_view(VIEW, spec.view, session.get_or_add_document(name, what.text), spec.of, **spec.options)
    said = {**spec.said, "document": name, "source": name}
    if spec.component == TOKENS:
        said |= {"editable": True, "label_visible": True, "height": HEIGHT}
    return spec.component, said


def _view_spec(what: Shown) -> ViewSpec:
    if what.history is not None:
        is_special = bool(what.history.special_ends)
        return history_view_spec(what.history.tokenizer, step=what.step, allow_special=is_special)
    (_, tokenizer), *others = what.tokenizers
    if others:
        return columns_view_spec(what.tokenizers)
    return tokens_view_spec(tokenizer, allowed_special=what.allowed_special)
