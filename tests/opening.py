"""Pages opened without a browser, by Streamlit's own way to test apps."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.ui.options import option_default
from tokviz.jobs.job import TrainingJob
from tokviz.live.session import LiveSession
from tokviz.records.packing import pack

ROOT = Path(__file__).parents[1]
NONE: Mapping[str, str] = MappingProxyType({})


def opened(
    page: str, text: str | None = None, *, query: Mapping[str, str] = NONE, script: str = "app.py", **state: object
) -> AppTest:
    """Return a page that has run, with a shared text, a query in its address, and values of the session.

    script: of the app that it is a page of, from the top of the repository.
    """
    app = AppTest.from_file(ROOT / script, default_timeout=60)
    if page != script:
        app.switch_page(page)
    for key, value in query.items():
        app.query_params[key] = value
    if text is not None:
        set_document_text(app, text)
    for key, value in state.items():
        app.session_state[key] = value
    return app.run()


def part(script: Callable[[], None], text: str | None = None, **state: object) -> AppTest:
    """Return a part of a page that has run alone, which is cheaper, with a shared text and values of the session.

    script: shows the part. It is run from its source, so it imports what it uses.
    """
    app = AppTest.from_function(script, default_timeout=60)
    if text is not None:
        set_document_text(app, text)
    for key, value in state.items():
        app.session_state[key] = value
    return app.run()


def linked(page: str = "app.py", **shown: object) -> AppTest:
    """Return a page opened by a link that holds this."""
    return opened(page, query={"s": pack(shown)})


@cache
def seen(page: str, text: str | None = None, **query: str) -> AppTest:
    """Return a page as it is at first, run once for all tests that only read it."""
    app = opened(page, text, query=query)
    app.default_timeout = 0  # it refuses to run again
    return app


class State(dict):
    """A session's state where no script runs."""

    __getattr__ = dict.get
    __setattr__ = dict.__setitem__


@contextmanager
def without_script() -> Iterator[State]:
    """Let what pages are made of have a session's state, as in a script."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(st, "session_state", State())
        yield st.session_state


def set_document_text(app: AppTest, text: str) -> None:
    """Give an app that has not run yet a shared text."""
    app.session_state["live"] = session = LiveSession()
    session.get_or_add_document("text", text)


def text_of(app: AppTest, document: str = "text") -> str:
    """Return the text of a document of an app that has run."""
    return app.session_state["live"].get_or_add_document(document).text


def option_of(app: AppTest, key: str) -> object:
    """Return the value of an option, set or not."""
    return app.session_state[key] if key in app.session_state else option_default(key)


def button(app: AppTest, label: str):
    return next(button for button in app.button if button.label == label)


def box(boxes: Iterable[Any], label: str = "") -> Any:
    """Return the first of these widgets whose label begins so."""
    return next(each for each in boxes if each.label.startswith(label))


def uploaded(app: AppTest, *files: tuple[str, bytes], label: str = "") -> AppTest:
    """Return the app after files were given to the uploader whose label begins so, by default the first."""
    given = [(name, data, "application/octet-stream") for name, data in files]
    return box(app.file_uploader, label).set_value(given).run()


def charts(app: AppTest) -> list[dict[str, Any]]:
    """Return the specifications of all charts."""
    return [json.loads(chart.proto.spec) for chart in app.get("vega_lite_chart")]


def labels(app: AppTest, kind: str = "button") -> list[str]:
    """Return the labels of all elements of a kind, such as the buttons."""
    return [each.label for each in app.get(kind)]


def data_sent(app: AppTest) -> list[Any]:
    """Return what the components of a page were sent that take any data."""
    packed = [component.proto.bytes for component in app.get("bidi_component")]
    return [data for data in (json.loads(each) for each in filter(None, packed)) if data]


def after_training(app: AppTest, press: str = "Train") -> AppTest:
    """Press the button that trains, and return the app once the training has ended and it has run again."""
    return once_trained(button(app, press).click().run())


def once_trained(app: AppTest) -> AppTest:
    """Return the app once the trainings under way have ended and it has run again."""
    while jobs := jobs_of(app):
        assert all(job.wait(60) for job in jobs), "a training has not ended"
        app = app.run()
    return app


def jobs_of(app: AppTest) -> list[TrainingJob]:
    """Return the trainings that the session of an app has under way, on the page that trains or in a mix."""
    held, mix = map(app.session_state.get, ("held_jobs", "mix_run"))
    return [*(held or ()), *(mix[1].values() if mix else ())]
