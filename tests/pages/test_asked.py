"""Requests of a browser that meet others of its session."""

from types import SimpleNamespace
from unittest.mock import patch

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType

from pages.ui import asked
from pages.ui.asked import add_values, gives_way, is_from_left_page, note_page, replace_busy, waiting_request


def request(page: str, *, fragment: str = "", **values: str) -> ClientState:
    """Return a request of a browser; without values it is that of a link."""
    state = ClientState(page_script_hash=page, fragment_id=fragment)
    for name, value in values.items():
        widget = state.widget_states.widgets.add(id=name)
        if name == "press":
            widget.trigger_value = True
        else:
            widget.string_value = value
    return state


def session(page: str, *, busy: bool = True) -> SimpleNamespace:
    return SimpleNamespace(page_script_hash=page, _scriptrunner=object() if busy else None)


def test_what_is_asked_on_a_page_after_a_link_is_from_a_left_page():
    here = session("")
    assert not is_from_left_page(here, request("lessons", fragment="a"))
    note_page(here, request(""))  # the first request of a browser knows no page
    here.page_script_hash = "lessons"
    assert not is_from_left_page(here, request("lessons", fragment="a"))
    note_page(here, request("train"))
    assert is_from_left_page(here, request("lessons", fragment="a"))
    assert is_from_left_page(here, request("lessons", press=""))
    assert not is_from_left_page(here, request("lessons"))  # a link back
    here.page_script_hash = "train"  # its run has begun, but the browser may not have heard of it
    assert is_from_left_page(here, request("lessons", fragment="a"))
    assert not is_from_left_page(here, request("train", fragment="a"))
    note_page(here, request("compare"))
    note_page(here, request("merges"))  # before the run of the one before has begun
    assert all(is_from_left_page(here, request(page, fragment="a")) for page in ("lessons", "train", "compare"))
    note_page(here, request("train"))  # and back
    assert not is_from_left_page(here, request("train", fragment="a"))


def test_a_page_that_the_script_goes_to_was_not_left():
    here = session("playground")
    note_page(here, request("lessons"))
    here.page_script_hash = "lessons"
    note_page(here, request("lessons", press=""))  # of a button that leads to the playground
    here.page_script_hash = "playground"
    assert not is_from_left_page(here, request("playground", fragment="a"))


def test_a_page_that_stays_because_no_run_of_the_link_came_was_not_left():
    here = session("train")
    note_page(here, request("lessons"))
    assert is_from_left_page(here, request("train", fragment="a"))
    here._scriptrunner = None
    assert not is_from_left_page(here, request("train", fragment="a"))


def test_values_that_wait_go_with_the_next_request_but_presses_are_left_to_streamlit():
    link = request("train", text="new")
    earlier = request("lessons", text="old", number="7", press="")
    add_values(link, RerunData(widget_states=earlier.widget_states))
    assert {state.id: state.string_value for state in link.widget_states.widgets} == {"text": "new", "number": "7"}
    add_values(link, RerunData())
    add_values(link, None)
    assert len(link.widget_states.widgets) == 2


@pytest.mark.parametrize(
    ("goes_to", "waits_for", "gives"),
    [
        ("train", "train", True),  # the browser's run does what running again would do
        ("train", "lessons", True),
        ("merges", "lessons", True),  # the link was clicked last
        ("merges", "train", False),  # a press on this page, and the script leads away from it
    ],
)
def test_a_script_that_runs_again_or_leads_elsewhere_gives_way_to_a_link(goes_to: str, waits_for: str, gives: bool):
    running = SimpleNamespace(page_script_hash="train")
    waits = RerunData(page_script_hash=waits_for, widget_states=WidgetStates())
    with patch.object(asked, "get_script_run_ctx", lambda **_: running):
        assert gives_way(RerunData(page_script_hash=goes_to), waits) is gives
        assert not gives_way(RerunData(page_script_hash=goes_to), None)
        assert not gives_way(RerunData(page_script_hash=goes_to), RerunData(fragment_id_queue=["a"]))
        assert not gives_way(RerunData(page_script_hash=goes_to, widget_states=WidgetStates()), waits)


class Busy:
    """A session with a runner that has begun one request, with another that waits for it."""

    def __init__(self, **waits: object) -> None:
        self.requests = ScriptRequests()
        self.requests.request_rerun(RerunData())
        self.requests.on_scriptrunner_ready()
        self.requests.request_rerun(RerunData(**waits))
        self.request = waiting_request(self.requests)
        self.runner = SimpleNamespace(_requests=self.requests, _execing=True)
        self.begun: list[RerunData] = []
        self.later: list[tuple] = []
        self.session = SimpleNamespace(
            _scriptrunner=self.runner,
            _create_scriptrunner=self.begun.append,
            _event_loop=SimpleNamespace(call_later=lambda *args: self.later.append(args)),
        )

    def wait(self) -> list[RerunData]:
        replace_busy(self.session, self.runner, self.request)
        return self.begun


def test_a_request_that_waits_for_a_busy_run_gets_a_new_runner():
    busy = Busy(page_script_hash="train")
    assert busy.wait() == [busy.request] and busy.session._scriptrunner is None
    assert busy.requests._state is ScriptRequestType.STOP


def test_a_request_that_was_begun_or_joined_or_is_for_a_fragment_gets_none():
    begun, joined, other = Busy(), Busy(), Busy()
    begun.requests.on_scriptrunner_yield()
    joined.requests.request_rerun(RerunData(page_script_hash="train"))
    other.session._scriptrunner = SimpleNamespace()
    for busy in (begun, joined, other, Busy(fragment_id="a")):
        assert busy.wait() == busy.later == []
        assert busy.requests._state is not ScriptRequestType.STOP


def test_a_run_that_takes_in_what_was_asked_for_is_waited_for():
    busy = Busy()
    busy.runner._execing = False
    assert busy.wait() == [] and len(busy.later) == 1
    busy.runner._execing = True
    _, again, *args = busy.later[0]
    again(*args)
    assert busy.begun == [busy.request]
