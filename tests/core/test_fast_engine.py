"""gigatoken gives the ids of tiktoken, and what it refuses or fails at goes to tiktoken."""

import sys

import numpy as np
import psutil
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

from tokviz import SPLIT_PATTERNS, load
from tokviz.core.engine import Engine
from tokviz.core.pretokens import well_formed
from tokviz.core.samples import SAMPLES, sample
from tokviz.system import fast_engine
from tokviz.system.fast_engine import PATTERNS, FastEngine

NAMES = ["gpt2", "cl100k_base", "o200k_base"]
BYTES = {bytes([i]): i for i in range(256)}
LETTERS = "aAzZ'sSſlLvVeErR1٣!/ \t\n\r\x0b\x1c\x85\xa0\u2028ก\u0e38中ǅ\U00010400😀\0"
AROUND = ["a{}a ", "1{}1", " {}\n", "'{}E", "'l{}", "A{}b"]


@pytest.fixture(autouse=True, scope="module")
def _used_at_once():
    pytest.importorskip("gigatoken", reason="gigatoken is optional: pip install -r requirements-fast.txt")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokviz.core.engine.GIGATOKEN_AFTER", 0)
        yield


def both(split_pattern, ranks):
    """The ids of a text by gigatoken where that is used, and those by tiktoken."""
    import tiktoken

    pattern = SPLIT_PATTERNS[split_pattern]
    slow = tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    fast = FastEngine(split_pattern, ranks)

    def fast_ids(text):
        ids = fast.ids(text)
        assert ids is not None or regex.search(r"\p{Cn}", text)
        return slow.encode_ordinary(text) if ids is None else ids.tolist()

    return fast_ids, slow.encode_ordinary


ROUTES = {}


def of(name):
    if name not in ROUTES:
        ROUTES[name] = both(load(name).split_pattern, load(name).mergeable_ranks)
    return ROUTES[name]


@given(st.text(st.sampled_from(LETTERS), max_size=60) | st.text(max_size=60), st.sampled_from(NAMES))
def test_any_text(text, name):
    fast, slow = of(name)
    assert fast(well_formed(text)) == slow(well_formed(text))


@pytest.mark.parametrize("name", NAMES)
def test_samples_and_odd_texts(name):
    fast, slow = of(name)
    for text in (*map(sample, SAMPLES), *ODD, "<|endoftext|><|im_start|>", "a" * 60_000, " " * 60_000 + "b"):
        assert fast(well_formed(text)) == slow(well_formed(text))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("around", AROUND)
def test_every_character_in_its_place(name, around):
    fast, slow = of(name)
    # An unassigned character sends its whole text to tiktoken, so those stand apart.
    characters = [chr(i) for i in range(0x110000) if not 0xD800 <= i < 0xE000]
    characters.sort(key=lambda c: bool(regex.match(r"\p{Cn}", c)))
    for first in range(0, len(characters), 10_000):
        text = "".join(around.replace("{}", c) + "\0" for c in characters[first : first + 10_000])
        assert fast(text) == slow(text)


def test_it_is_used():
    engine = Engine("gpt2", load("gpt2").mergeable_ranks)
    ids = engine.ids("hello world")
    assert (ids.tolist(), ids.dtype, ids.flags.writeable) == ([31373, 995], np.uint32, True)
    assert not engine.lets_others_run and "_cutting" not in vars(engine)


def test_it_is_used_after_as_much_text_as_pays_for_it(monkeypatch):
    monkeypatch.setattr("tokviz.core.engine.GIGATOKEN_AFTER", 20)
    engine = Engine("gpt2", load("gpt2").mergeable_ranks)
    used = []
    for _ in range(4):
        assert engine.ids("hello world").tolist() == [31373, 995]
        used.append(not engine.lets_others_run)
    assert used == [False, True, True, True]


@pytest.mark.parametrize("letter", ["\u088f", "\U00016eb6", "\U0002b73c"])
def test_letters_of_unicode_17_have_the_ids_of_tiktoken(letter):
    fast, slow = of("gpt2")
    assert fast(f"a{letter}b") == slow(f"a{letter}b")


WITH_A_GAP = BYTES | {b"ab": 300}
NO_BYTE_PAIRS = BYTES | {b"abcd": 256}


@pytest.mark.parametrize("ranks", [WITH_A_GAP, NO_BYTE_PAIRS])
@pytest.mark.parametrize("pattern", sorted(PATTERNS))
def test_ranks_that_it_refuses_go_to_tiktoken(pattern, ranks, capfd):
    assert FastEngine(pattern, ranks).ids("ab") is None
    engine = Engine(pattern, ranks)
    assert engine.ids("abcd ab").tolist() == both(pattern, ranks)[1]("abcd ab") and engine.lets_others_run


def test_what_fails_goes_to_tiktoken(monkeypatch):
    class Panic(BaseException):
        pass

    def fail(self):
        raise Panic

    engine = Engine("gpt2", BYTES)
    monkeypatch.setattr(FastEngine, "_renew", fail)
    assert engine.ids("ab").tolist() == [97, 98]
    monkeypatch.undo()
    assert engine.ids("ab").tolist() == [97, 98] and engine.lets_others_run
    monkeypatch.setitem(sys.modules, "gigatoken", None)
    assert Engine("gpt2", BYTES).ids("ab").tolist() == [97, 98]


@pytest.mark.slow
def test_its_caches_stay_bounded(monkeypatch):
    monkeypatch.setattr(fast_engine, "RENEWED_AFTER", 2**20)
    engine, rng = FastEngine("gpt2", load("gpt2").mergeable_ranks), np.random.default_rng(0)
    size, used = 2**16, []
    for _ in range(300):
        engine.ids(
            rng.integers(ord("a"), ord("z") + 1, (size // 16, 16), np.uint8).tobytes().decode().replace("a", " ")
        )
        used.append(psutil.Process().memory_info().rss)
    assert max(used) - max(used[:50]) < 20_000_000
