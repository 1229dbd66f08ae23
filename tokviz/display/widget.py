"""The live views in a notebook, with anywidget: the kernel answers in place of a server.

Jupyter and marimo show the widget. Its code is that of the pages, with a socket that speaks over the widget's
messages (`assets/notebook`).
"""

from typing import Any

import anywidget
import traitlets

from tokviz.display.components import (
    COLUMNS,
    EDITING,
    HISTORY,
    LOOK_OF_HISTORY,
    LOOK_OF_TOKENS,
    TOKENS,
    Component,
    theme_css,
)
from tokviz.display.html_text import DARK_AROUND, LIGHT_AROUND
from tokviz.display.pieces import allowed_names_of
from tokviz.display.shown import Shown
from tokviz.live.kernel import Kernel
from tokviz.live.session import LiveSession
from tokviz.live.views.compare_view import CompareView
from tokviz.live.views.history_view import HistoryView
from tokviz.live.views.token_view import TokenView

VIEW = "view"
HEIGHT = 240  # pixels
AROUND = {"dark": ",".join(DARK_AROUND), "light": ",".join(LIGHT_AROUND)}


class LiveWidget(anywidget.AnyWidget):
    """A view of the pages in a notebook. shown: what the browser needs to draw it."""

    shown = traitlets.Dict().tag(sync=True)

    def __init__(self, what: Shown) -> None:
        session = LiveSession()
        component, data = _viewed(what, session)
        code, notebook = component.script("notebook/widget.js")
        super().__init__(
            _esm=f"{code}export default {notebook}.widgetOf({component.variable}.default);\n",
            shown={
                "data": {"token": session.token, "session": session.token, "view": VIEW, **data},
                "markup": component.markup,
                "sheet": theme_css(":host") + component.sheet("notebook"),
                "around": AROUND,
            },
        )
        self.kernel = Kernel(session)
        self.on_msg(_take)


def _take(widget: LiveWidget, content: dict[str, Any], _buffers: object) -> None:
    """Take a message of the browser, and answer it."""
    if "opens" in content:
        widget.kernel.open()
    else:
        for message in widget.kernel.answers(content["message"]):
            widget.send({"message": message})


def _viewed(what: Shown, session: LiveSession) -> tuple[Component, dict[str, Any]]:
    """Return the component for what is to be shown, and what is said to it, with documents and views in the session."""
    name = f"text {session.token[:8]}"  # the tab keeps texts by their names
    document = session.document(name, what.text)
    base = {"document": name, "source": name}
    if what.history is not None:
        traced = what.history.tokenizer
        session.view(VIEW, HistoryView, document, traced, allow_special=bool(what.history.special_ends))
        step = len(traced.merge_tokens) if what.step is None else what.step
        return HISTORY, {**LOOK_OF_HISTORY, **base, "shows": [traced.name, 1], "step": step}
    if len(what.tokenizers) > 1:
        session.view(VIEW, CompareView, document, what.tokenizers)
        return COLUMNS, {**EDITING, **base, "reference": what.tokenizers[0][0]}
    (_, tokenizer), *_ = what.tokenizers
    allowed = allowed_names_of(tokenizer, what.allowed_special)
    session.view(VIEW, TokenView, document, tokenizer, allowed_special=_plain(allowed))
    return TOKENS, {**LOOK_OF_TOKENS, **base, "editable": True, "label_visible": True, "height": HEIGHT}


def _plain(allowed: Any) -> str | tuple[str, ...]:
    return allowed if isinstance(allowed, str) else tuple(sorted(allowed))
