"""What a new session takes from the tab: all of it, though its runs are cut short; and each name once."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SessionState
from streamlit.testing.v1 import AppTest

import tokviz
from pages.ui import tab
from pages.ui.asked import heed_all_that_is_asked
from pages.ui.opened import opened_list
from pages.ui.records import NAME_MAX, Trained, renamed

heed_all_that_is_asked()
LONG = "n" * NAME_MAX


class CutShortError(BaseException):
    """As Streamlit ends a run where another one is asked for: at any reach into the session."""


def trained(name: str, text: str) -> Trained:
    steps = tuple(tokviz.train_steps(text, vocab_size=258))
    return Trained(tokviz.Tokenizer.from_steps(steps, split_pattern="gpt2", name=name), steps, len(text))


KEPT = {
    "trained": [trained("mine", "low lower").packed, trained("other", "to be or").packed],
    "opened": [opened_list("a", "words", ["a"]).packed, opened_list("b", "words", ["b"]).packed],
    "options": {"compared": ["a", "b", "mine", "gpt2"], "mix_vocab_size": 400, "shares": ['["Thai", 3]']},
    "rows": [["0123456789ab", "user"]],
}


def restored(kept: dict[str, Any], *, here: tuple[Trained, ...] = ()) -> dict[str, Any]:
    """Return what a session has after the tab gave back what it kept, twice, and every run was to end at once."""

    def script(kept, here, out):
        from pages.ui.chat_rows import chat_rows
        from pages.ui.kept import kept_values, session_id
        from pages.ui.shelf import opened_here, put_on_shelf, trained_here

        for one in here:
            put_on_shelf(one)
        for _ in range(2):
            out["give"]({"session": session_id(), "kept": kept})
        rows = [(row.key, row.role) for row in chat_rows()]
        out |= {"tokenizers": trained_here() | opened_here(), "options": kept_values(), "rows": rows}

    out: dict[str, Any] = {"give": give}
    app = AppTest.from_function(script, default_timeout=60, kwargs={"kept": kept, "here": here, "out": out})
    assert not app.run().exception
    return out


def give(message: dict[str, Any]) -> None:
    """Give a message of the tab to a session in which another run is asked for already."""
    state = get_script_run_ctx().session_state
    runner = state._yield_callback.__self__
    with patch.object(runner, "_requests", SimpleNamespace(on_scriptrunner_yield=cut_short)):
        with (
            patch.object(SessionState, "on_script_will_rerun", lambda *_, **__: tab._restore_tab()),
            patch.object(tab, "message_of", lambda _: message),
        ):
            state.on_script_will_rerun(None)
        with pytest.raises(CutShortError):
            state["session_id"]


def cut_short() -> None:
    raise CutShortError


def test_all_is_taken_once_though_another_run_is_asked_for():
    found = restored(KEPT, here=(trained("mine", "the theory"),))
    assert list(found["tokenizers"]) == ["mine (2)", "other", "mine", "a", "b"]
    assert found["options"] == KEPT["options"] and found["rows"] == [("0123456789ab", "user")]


@pytest.mark.parametrize("other", ["a", LONG, f"{LONG} (2)"])
def test_tokenizers_of_the_same_long_name_stay_two(other):
    opened = [opened_list(LONG, "words", ["a"]), opened_list(other, "words", ["b"])]
    found = restored({"opened": [one.packed for one in opened]})["tokenizers"]
    assert [one.source["tokens"] for one in found.values()] == [["a"], ["b"]]
    assert all(len(name) <= NAME_MAX for name in found)


def test_a_name_of_full_length_is_the_same_after_a_reload():
    taken: list[str] = []
    packed = []
    for text in ("low lower", "to be or", "the theory"):
        one = renamed(trained(LONG, text), taken)
        taken.append(one.tokenizer.name)
        packed.append(one.packed)
    assert list(restored({"trained": packed})["tokenizers"]) == taken and len(set(taken)) == 3
