"""What a new session takes from the tab: all of it, though its runs are cut short; and each name once."""

from contextlib import suppress
from itertools import count
from typing import Any
from unittest.mock import patch

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from trainings import trained_of

import tokviz
from pages.ui.frame import tab_memory as tab
from tokviz.records.origin import NAME_MAX
from tokviz.records.session_tokenizer import Kept, kept_tokens, unpack_kept
from tokviz.system.sandbox import SandboxError

LONG = "n" * NAME_MAX


class CutShortError(BaseException):
    """As Streamlit ends a run where another one is asked for: at any reach into the session."""


class CutShort:
    """The session's state, which ends the run at the n-th reach into it."""

    def __init__(self, n: int) -> None:
        vars(self).update(state=st.session_state, left=n)

    def _reach(self) -> Any:
        vars(self)["left"] -= 1
        if not self.left:
            raise CutShortError
        return self.state

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reach(), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._reach(), name, value)

    def __getitem__(self, name: str) -> Any:
        return self._reach()[name]

    def __setitem__(self, name: str, value: object) -> None:
        self._reach()[name] = value

    def __contains__(self, name: str) -> bool:
        return name in self._reach()


def trained(name: str, text: str) -> Kept:
    steps = tuple(tokviz.train_steps(text, vocab_size=258))
    return trained_of(tokviz.Tokenizer.from_steps(steps, split_pattern="gpt2", name=name), steps, len(text))


KEPT = {
    "tokenizers": [
        trained("mine", "low lower").packed_record,
        kept_tokens("a", "words", ["a"]).packed_record,
        trained("other", "to be or").packed_record,
        kept_tokens("b", "words", ["b"]).packed_record,
    ],
    "values": {
        "compared": ["a", "b", "mine", "gpt2"],
        "mix_vocab_size": 400,
        "shares": ['["Thai", 3]'],
        "rows": [["0123456789ab", "user", "final", ""]],
    },
}


def restored(
    kept: dict[str, Any], *, here: tuple[Kept, ...] = (), opens: bool = False, is_cut: bool = False
) -> dict[str, Any]:
    """Return what a session has after the tab gave back what it kept, again and again while that was cut short."""

    def script(kept, here, opens, give, out):
        from pages.ui.merges.opening import open_trained_or_pretrained
        from pages.ui.options import session_id
        from pages.ui.session_contents import remembered_values
        from pages.ui.session_tokenizers.tokenizer_list import add_tokenizer, kept_tokenizers

        for one in here:
            add_tokenizer(one)
        if opens:
            open_trained_or_pretrained()
        give({"session": session_id(), "kept": kept})
        out |= {"tokenizers": kept_tokenizers(), "values": remembered_values()}

    def give(message: dict[str, Any]) -> None:
        for n in count(1) if is_cut else ():
            with patch.object(st, "session_state", CutShort(n)), suppress(CutShortError):
                tab._restore_from_tab(message)
                break
        for _ in range(2):
            tab._restore_from_tab(message)
        assert st.session_state.tab_restored

    out: dict[str, Any] = {}
    arguments = {"kept": kept, "here": here, "opens": opens, "give": give, "out": out}
    assert not AppTest.from_function(script, default_timeout=60, kwargs=arguments).run().exception
    return out


@pytest.mark.parametrize("is_cut", [False, True])
def test_all_is_taken_once_though_another_run_is_asked_for(is_cut):
    found = restored(KEPT, here=(trained("mine", "the theory"),), is_cut=is_cut)
    assert list(found["tokenizers"]) == ["mine (2)", "a", "other", "b", "mine"]
    assert found["values"] == KEPT["values"]


@pytest.mark.parametrize("is_cut", [False, True])
@pytest.mark.parametrize(
    "options", [{"merges_opened": True, "step": 41}, {"merges_opened": True, "merges_tokenizer": "other"}]
)
def test_it_wins_over_what_the_merges_page_shows_at_first(options, is_cut):
    found = restored({**KEPT, "values": {**options, "rows": []}}, opens=True, is_cut=is_cut)
    assert list(found["tokenizers"]) == ["mine", "a", "other", "b"]
    del found["values"]["example"]  # of the text, which comes from the editor
    assert found["values"] == {**options, "rows": []}


def test_tokenizers_come_back_though_the_machine_was_busy_at_first():
    refusals = iter([SandboxError("a record", "busy", "was not started")])

    def read(packed: str) -> Kept:
        for refusal in refusals:
            raise refusal
        return unpack_kept(packed)

    with patch.object(tab, "unpack_kept", read):
        assert list(restored(KEPT)["tokenizers"]) == ["mine", "a", "other", "b"]


@pytest.mark.parametrize("other", ["a", LONG, f"{LONG} (2)"])
def test_tokenizers_of_the_same_long_name_stay_two(other):
    opened = [kept_tokens(LONG, "words", ["a"]), kept_tokens(other, "words", ["b"])]
    found = restored({"tokenizers": [one.packed_record for one in opened]})["tokenizers"]
    assert [one.origin.tokens for one in found.values()] == [("a",), ("b",)]
    assert all(len(name) <= NAME_MAX for name in found)


def test_a_name_of_full_length_is_the_same_after_a_reload():
    taken: list[str] = []
    packed = []
    for text in ("low lower", "to be or", "the theory"):
        one = trained(LONG, text).with_free_name(taken)
        taken.append(one.tokenizer.name)
        packed.append(one.packed_record)
    assert list(restored({"tokenizers": packed})["tokenizers"]) == taken and len(set(taken)) == 3
