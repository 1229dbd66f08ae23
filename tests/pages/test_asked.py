"""Requests of a browser that meet others of its session."""

from types import SimpleNamespace

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.scriptrunner import RerunData

from pages.ui.asked import add_values, follow_link, note_link


def request(page: str, *, query: str = "", part: str = "", **values: str) -> ClientState:
    asked = ClientState(page_script_hash=page, query_string=query, fragment_id=part)
    for name, value in values.items():
        state = asked.widget_states.widgets.add(id=name)
        if name == "press":
            state.trigger_value = True
        else:
            state.string_value = value
    return asked


def followed(session: SimpleNamespace, page: str, *, waits: RerunData | None = None) -> tuple[str, str] | None:
    """Return the page and query a request of a part of a page is left with, None where it is not to be asked."""
    asked = request(page, query="old", part="a")
    return (asked.page_script_hash, asked.query_string) if follow_link(session, asked, waits) else None


def test_a_part_of_a_page_that_was_left_goes_with_the_link_or_is_gone():
    session = SimpleNamespace(page_script_hash="")
    assert followed(session, "lessons") == ("lessons", "old")
    note_link(session, request(""))  # the first request of a browser knows no page
    session.page_script_hash = "lessons"
    assert followed(session, "lessons") == ("lessons", "old")
    note_link(session, request("train"))
    assert followed(session, "lessons", waits=RerunData(page_script_hash="train", query_string="x")) == ("train", "x")
    assert followed(session, "lessons") is None
    assert followed(session, "lessons", waits=RerunData(fragment_id_queue=["b"])) is None
    session.page_script_hash = "train"  # its run has begun, but the browser may not have heard of it
    assert followed(session, "lessons") is None
    assert followed(session, "train") == ("train", "old")
    note_link(session, request("compare"))
    note_link(session, request("merges"))  # before the run of the one before has begun
    assert followed(session, "train") is followed(session, "compare") is None
    session.page_script_hash = "merges"
    note_link(session, request("train"))  # and back
    assert followed(session, "train") == ("train", "old")


def test_a_page_that_the_script_goes_to_is_not_one_that_was_left():
    session = SimpleNamespace(page_script_hash="playground")
    note_link(session, request("lessons"))
    session.page_script_hash = "lessons"
    note_link(session, request("lessons", press=""))  # of a button that leads to the playground
    session.page_script_hash = "playground"
    assert followed(session, "playground") == ("playground", "old")


def test_values_that_wait_go_with_the_next_request_but_presses_are_left_to_streamlit():
    asked = request("train", text="new")
    earlier = request("lessons", text="old", number="7", press="")
    add_values(asked, RerunData(widget_states=earlier.widget_states))
    assert {state.id: state.string_value for state in asked.widget_states.widgets} == {"text": "new", "number": "7"}
    add_values(asked, RerunData())
    add_values(asked, None)
    assert len(asked.widget_states.widgets) == 2
