"""What a new session takes from the tab: all of it, whenever Streamlit cuts its runs short; and each name once."""

from typing import Any
from unittest.mock import patch

import pytest
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.testing.v1 import AppTest

import tokviz
from pages.ui import tab as tab_module
from pages.ui.opened import opened_as, opened_list
from pages.ui.records import NAME_MAX, Trained, renamed

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


def restored(kept: dict[str, Any], *, cut_at: int | None = None, here: tuple[Trained, ...] = ()) -> dict[str, Any]:
    """Return what a session has after the tab gave back what it kept, again if the first time was cut short."""

    def script(kept, cut_at, here, out):
        from pages.ui import tab
        from pages.ui.chat_rows import chat_rows
        from pages.ui.kept import kept_values, session_id
        from pages.ui.shelf import opened_here, put_on_shelf, trained_here

        for one in here:
            put_on_shelf(one)
        message = {"session": session_id(), "kept": kept}
        out["cut"] = cut_at is not None and out["given"](tab, message, cut_at)
        out["given"](tab, message, None)
        rows = [(row.key, row.role) for row in chat_rows()]
        out |= {"tokenizers": trained_here() | opened_here(), "options": kept_values(), "rows": rows}

    out: dict[str, Any] = {"given": given}
    given_to = {"kept": kept, "cut_at": cut_at, "here": here, "out": out}
    app = AppTest.from_function(script, default_timeout=60, kwargs=given_to)
    assert not app.run().exception
    return out


def given(tab, message: dict[str, Any], cut_at: int | None) -> bool:
    """Give a message to a session; return whether it was cut short, at so many reaches into it."""
    left = cut_at

    def cut():
        nonlocal left
        if left == 0:
            raise CutShortError
        left = None if left is None else left - 1

    state = get_script_run_ctx().session_state
    before = state._yield_callback
    try:
        with patch.object(tab, "message_of", lambda _: message):
            object.__setattr__(state, "_yield_callback", cut)
            tab._restore_tab()
    except CutShortError:
        return True
    finally:
        object.__setattr__(state, "_yield_callback", before)
    return False


def test_wherever_a_run_is_cut_short_the_next_one_takes_all():
    here = (trained("mine", "the theory"),)
    wanted = restored(KEPT, here=here)
    assert list(wanted["tokenizers"]) == ["mine (2)", "other", "mine", "a", "b"]
    assert wanted["options"] == KEPT["options"] and wanted["rows"] == [("0123456789ab", "user")]
    cut_at = 0
    while (found := restored(KEPT, cut_at=cut_at, here=here)).pop("cut"):
        assert {key: found[key] for key in found} == {key: wanted[key] for key in found}, cut_at
        cut_at += 1
    assert cut_at > 10


def test_a_file_is_read_again_under_another_name_once_however_often_runs_are_cut_short():
    twice = [opened_list("same", "words", [word]).packed for word in "ab"]
    read = []
    with patch.object(tab_module, "opened_as", lambda opened, name: read.append(name) or opened_as(opened, name)):
        cut_at = 0
        while restored({"opened": twice}, cut_at=cut_at)["cut"]:
            assert sorted(read) == ["same", "same (2)"]
            cut_at += 1
            read.clear()
    assert cut_at > 5


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
