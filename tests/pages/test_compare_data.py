"""What a compare view is sent: all columns to a browser that holds nothing, else what changed in each."""

import tokviz
from pages.ui.compare_data import COMPARED_CHARACTERS_MAX, CompareState

TOKENIZERS = {name: tokviz.load(name) for name in ("gpt2", "cl100k_base")}


def reply(state: CompareState, tokenizers: dict = TOKENIZERS, *, whole: bool = False) -> dict:
    state.follow(tokenizers)
    return state.next_reply(whole=whole)


def message(of: dict, **said: object) -> dict:
    return {"client": "a", "n": of["ack"] + 1, "have": of["reply"], "version": of["version"], **said}


def test_a_reply_after_an_edit_holds_the_difference_in_every_column():
    state = CompareState()
    state.set_text("one two three")
    first = reply(state)
    assert first["base"] is None
    assert [column["tokens"]["removed"] for column in first["columns"]] == [0, 0]
    assert state.receive(message(first, edit={"start": 4, "removed": 3, "insert": "2", "length": 11}))
    second = reply(state)
    assert second["base"] == first["reply"] and second["text"] == [4, 3, "2"]
    for column, (name, tokenizer) in zip(second["columns"], TOKENIZERS.items(), strict=True):
        assert column["name"] == name
        assert column["counts"]["tokens"] == len(tokenizer.encode("one 2 three"))
        assert column["tokens"]["at"] == 1 and column["tokens"]["end"] == 11


def test_other_tokenizers_make_the_next_reply_whole_and_keep_what_they_share():
    state = CompareState()
    state.set_text("one two three")
    reply(state)
    assert reply(state)["base"] is not None
    spans = state.columns["gpt2"].spans
    more = {**TOKENIZERS, "o200k_base": tokviz.load("o200k_base")}
    whole = reply(state, more)
    assert whole["base"] is None and len(whole["columns"]) == 3
    assert state.columns["gpt2"].spans is spans
    # One of the same name that was trained anew is another.
    assert reply(state, {**more, "gpt2": tokviz.load("gpt2").truncated(300)})["base"] is None


def test_the_reference_of_a_message_is_taken_whatever_text_it_is_of():
    state = CompareState()
    state.set_text("one")
    first = reply(state)
    state.set_text("another")
    assert not state.receive(message(first, reference="cl100k_base"))
    assert state.chosen == "cl100k_base" and state.text == "another"


def test_a_huge_text_is_compared_up_to_the_limit():
    state = CompareState()
    state.set_text("ab " * COMPARED_CHARACTERS_MAX)
    assert {column["counts"]["characters"] for column in reply(state)["columns"]} == {COMPARED_CHARACTERS_MAX}
    assert len(state.text) == 3 * COMPARED_CHARACTERS_MAX
