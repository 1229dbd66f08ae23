"""What a token view is sent: all of it to a browser that holds nothing, else what changed."""

import tokviz
from pages.ui.token_data import ViewState


def reply(state: ViewState, *, whole: bool = False) -> dict:
    tokenizer = tokviz.load("gpt2")
    return state.next_reply(tokviz.token_spans(tokenizer, tokenizer.encode(state.text)), whole=whole)


def test_a_reply_after_an_edit_holds_the_difference():
    state = ViewState()
    state.set_text("one two three")
    first = reply(state)
    assert first["base"] is None and first["text"] == [0, 0, "one two three"]
    edit = {"start": 4, "removed": 3, "insert": "2", "length": 11}
    message = {"client": "a", "n": 1, "have": first["reply"], "version": first["version"], "edit": edit}
    assert state.receive(message) and state.text == "one 2 three"
    second = reply(state)
    assert second["base"] == first["reply"] and second["text"] == [4, 3, "2"]
    assert second["ack"] == 1


def test_a_browser_that_missed_the_first_reply_gets_all_when_it_asks():
    state = ViewState()
    state.set_text("one two")
    reply(state)
    assert reply(state)["base"] is not None
    state.receive({"client": "b", "n": 1, "have": None, "version": None, "resync": True})
    assert reply(state)["base"] is None
    assert state.text == "one two"


def test_an_edit_of_a_text_that_was_replaced_changes_nothing():
    state = ViewState()
    state.set_text("mine")
    old = reply(state)
    state.set_text("theirs")
    edit = {"start": 0, "removed": 0, "insert": "x", "length": 5}
    assert not state.receive({"client": "a", "n": 1, "have": old["reply"], "version": old["version"], "edit": edit})
    assert state.text == "theirs"


def test_a_message_that_comes_twice_counts_once():
    state = ViewState()
    state.set_text("ab")
    first = reply(state)
    edit = {"start": 2, "removed": 0, "insert": "c", "length": 3}
    message = {"client": "a", "n": 1, "have": first["reply"], "version": first["version"], "edit": edit}
    assert state.receive(message)
    assert not state.receive(message)
    assert state.text == "abc"
