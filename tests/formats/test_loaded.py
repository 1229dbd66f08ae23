"""Pretrained tokenizers stay in memory while they fit, and are made once while anybody holds them."""

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from tokviz import Tokenizer, load
from tokviz.formats.loaded import LoadedTokenizers

BYTES = {bytes([i]): i for i in range(256)}


@pytest.fixture
def loaded() -> LoadedTokenizers:
    return LoadedTokenizers(lambda name: Tokenizer(name, "none", BYTES), 3 * len(BYTES))


def test_those_unused_for_longest_make_room_and_the_log_names_them(loaded, caplog):
    for name in "abcab":
        loaded.tokenizer(name)
    assert loaded.names() == ["c", "a", "b"] and not caplog.records
    with caplog.at_level(logging.WARNING):
        loaded.tokenizer("d")
        loaded.tokenizer("e")
    assert loaded.names() == ["b", "d", "e"]
    assert [record.args for record in caplog.records] == [("c",), ("a",)]


def test_whoever_takes_one_that_is_there_does_not_wait_for_another_to_be_made():
    going_on, started = Event(), Event()

    def make(name: str) -> Tokenizer:
        if name == "slow":
            started.set()
            assert going_on.wait(20)
        return Tokenizer(name, "none", BYTES)

    loaded = LoadedTokenizers(make)
    first = loaded.tokenizer("a")
    with ThreadPoolExecutor(2) as pool:
        slow = [pool.submit(loaded.tokenizer, "slow") for _ in range(2)]
        assert started.wait(20) and loaded.tokenizer("a") is first and loaded.names() == ["a"]
        going_on.set()
        assert slow[0].result(20) is slow[1].result(20)


def test_one_that_was_dropped_is_the_same_while_somebody_holds_it(loaded):
    held = loaded.tokenizer("a")
    for name in "bcd":
        loaded.tokenizer(name)
    assert "a" not in loaded.names() and loaded.tokenizer("a") is held


def test_the_newest_is_kept_however_large_it_is_and_all_are_without_a_bound(loaded):
    loaded.tokens_max = 1
    assert loaded.tokenizer("a") is loaded.tokenizer("a")
    loaded.tokens_max = None
    for name in "bcdef":
        loaded.tokenizer(name)
    assert loaded.names() == [*"abcdef"]


def test_encodings_with_the_same_ranks_share_what_encodes():
    assert load("r50k_base")._engine is load("gpt2")._engine
    assert load("p50k_edit")._engine is load("p50k_base")._engine
    assert (load("r50k_base").name, load("r50k_base")) == ("r50k_base", load("gpt2"))
