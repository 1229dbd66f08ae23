"""Pages opened without a browser, by Streamlit's own way to test apps."""

import json
import time
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from pages.ui.options import option_default
from tokviz.live.session import LiveSession

ROOT = Path(__file__).parents[1]


def opened(page: str, text: str | None = None, **state: object) -> AppTest:
    """Return a page that has run, with a shared text and values of the session."""
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    if page != "app.py":
        app.switch_page(page)
    if text is not None:
        set_document_text(app, text)
    for key, value in state.items():
        app.session_state[key] = value
    return app.run()


def set_document_text(app: AppTest, text: str) -> None:
    """Give an app that has not run yet a shared text."""
    app.session_state["live"] = session = LiveSession()
    session.document("text", text)


def text_of(app: AppTest, document: str = "text") -> str:
    """Return the text of a document of an app that has run."""
    return app.session_state["live"].document(document).text


def option_of(app: AppTest, key: str) -> object:
    """Return the value of an option, set or not."""
    return app.session_state[key] if key in app.session_state else option_default(key)


def button(app: AppTest, label: str):
    return next(button for button in app.button if button.label == label)


def data_sent(app: AppTest) -> list[Any]:
    """Return what the components of a page were sent that take any data."""
    packed = [component.proto.bytes for component in app.get("bidi_component")]
    return [data for data in (json.loads(each) for each in filter(None, packed)) if data]


def after_training(app: AppTest, press: str = "Train") -> AppTest:
    """Press the button that trains, and return the app once the training beside it has ended and it has run again."""
    return once_trained(button(app, press).click().run())


def once_trained(app: AppTest) -> AppTest:
    """Return the app once the training under way has ended and it has run again."""
    until = time.monotonic() + 60
    while any(box.label.startswith("Stop and keep") for box in app.button):
        assert time.monotonic() < until, "the training has not ended"
        time.sleep(0.05)
        app = app.run()
    return app
