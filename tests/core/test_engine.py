"""Texts that tiktoken cuts and merges in one call get the ids of the plain path: cut by `regex`, merged one by one."""

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD
from odd_tokenizers import random_tokenizer

from tokviz import SPLIT_PATTERNS, Tokenizer, load
from tokviz.core.cut_places import PIECES
from tokviz.core.engine import LONGEST_PART, Engine
from tokviz.core.normalizer import PLAIN
from tokviz.core.pretokens import pretokens, well_formed_text

pytestmark = pytest.mark.usefixtures("cut_by_tiktoken")

BYTES = {bytes([i]): i for i in range(256)}
ROUTES = [
    *SPLIT_PATTERNS,
    "[a-z]+",
    r"\s|.",
    "(a)|b",
    "[a-z]+\n[aeiou]",
]  # cut and merged at once, as one pretoken, cut by `regex`
TEXTS = st.text(
    st.sampled_from("aAsSſlLvVeErRก\u0e38中ア・\u3040ǅ1٣!/'(— \t\n\r\x0b\x85\xa0\u2028\x1c😀\0\ud83d"), max_size=80
)
AROUND = ["a{}a ", "1{}1", " {}\n", "'{}E", "'l{}", "A{}b", "{}'s ", "中{}ア"]


def plain_ids(tokenizer, text):
    return [i for p in pretokens(well_formed_text(text), tokenizer.split_pattern) for i in tokenizer.encode_pretoken(p)]


@cache
def words_and_bytes(name):
    """A tokenizer whose ids show where pretokens end: it merges whatever two bytes stand in one pretoken."""
    ranks = BYTES | {b"%c%c" % (left, right): 256 + 256 * left + right for left in range(256) for right in range(256)}
    return Tokenizer("pairs", name, ranks)


@pytest.mark.slow
@pytest.mark.parametrize("name", PIECES)
@pytest.mark.parametrize("around", AROUND)
def test_every_character_in_its_place(name, around):
    tokenizer = words_and_bytes(name)
    # Those beyond have no letter, number or space; tests/core/test_patterns.py tries the classes on all.
    characters = [chr(i) for i in range(0x32400) if not 0xD800 <= i < 0xE000]
    for first in range(0, len(characters), 100_000):
        text = "".join(around.replace("{}", c) + "\0" for c in characters[first : first + 100_000])
        assert tokenizer.encode(text) == plain_ids(tokenizer, text)


@given(TEXTS | st.text(max_size=80), st.sampled_from(ROUTES))
def test_any_text(text, route):
    tokenizer = words_and_bytes(route)
    assert tokenizer.encode(text) == plain_ids(tokenizer, text)


@given(TEXTS, st.sampled_from(["gpt2", "cl100k_base", "o200k_base"]))
def test_any_text_by_pretrained_merges(text, name):
    assert load(name).encode(text) == plain_ids(load(name), text)


@pytest.mark.parametrize("route", ROUTES)
def test_odd_texts(route, trained):
    tokenizer = Tokenizer("x", route, trained.mergeable_ranks)
    for text in ODD:
        assert tokenizer.encode(text * 3) == plain_ids(tokenizer, text * 3)


@pytest.mark.parametrize("name", PIECES)
def test_a_special_token_that_the_engine_has_for_itself_is_plain_text(name):
    text = "a<|between texts|><|between texts|> b"
    assert Tokenizer("x", name, BYTES).encode(text) == list(text.encode())
    assert Tokenizer("x", name, BYTES, {"<|between texts|>": 300}).encode(text, allowed_special="all")[1:3] == [300] * 2


# What runs a regular expression that takes back out of stack or time.
LONG = [" ", "a", "ก", "1", "!\n", "\n ", "\u2028"]


@pytest.mark.slow
@pytest.mark.parametrize("name", PIECES)
@pytest.mark.parametrize("unit", LONG)
def test_a_long_run_is_encoded_without_a_panic(name, unit):
    run = (unit * LONGEST_PART)[: LONGEST_PART - 1]
    for part in (run + "a", run):
        assert Engine(name, BYTES).ids(part).tolist() == list(part.encode())
    text = "a " * 99_999 + unit * 1_000_000 + "!"
    assert bytes(Tokenizer("bytes", name, BYTES).encode(text)) == text.encode()


@pytest.mark.slow
def test_a_million_spaces_have_the_ids_of_the_plain_path():
    for name in ("gpt2", "cl100k_base", "o200k_base"):
        for text in (" " * 1_000_000, "x" + " " * 1_000_000 + "y"):
            assert load(name).encode(text) == plain_ids(load(name), text)


def test_a_pattern_that_does_not_end_is_stopped_on_every_way_in(monkeypatch):
    monkeypatch.setattr("tokviz.core.pretokens.TIMEOUT_SECONDS", 0.1)
    tokenizer = Tokenizer("x", "(a|aa)+$", BYTES)
    for encode in (tokenizer.encode, tokenizer.count, lambda text: list(tokenizer.encode_iter(["b", text]))):
        with pytest.raises(ValueError, match="did not end within"):
            encode("a" * 60 + "b")


def test_a_short_text_takes_the_plain_path_which_is_ready_at_once(monkeypatch):
    monkeypatch.setattr("tokviz.core.engine.CUTS_AFTER", 20)
    engine = Engine("gpt2", load("gpt2").mergeable_ranks)
    for was_ready in (False, False, True):
        assert engine.ids("hello world").tolist() == [31373, 995]
        assert ("_cutting_encoding" in vars(engine)) == was_ready


def test_the_first_pretokens_have_the_ids_that_tiktoken_gives_once_it_is_ready(monkeypatch):
    rng = random.Random(5)
    loaded = [("gpt2", load("gpt2"), True), ("mistral-v3", load("mistral-v3"), False)]
    odd = [
        ("odd", random_tokenizer(rng, "abéก中😀", "none", PLAIN, 40, takes_whole=takes_whole), takes_whole)
        for takes_whole in (False, True)
        for _ in range(6)
    ]
    for name, tokenizer, takes_whole in [*loaded, *odd]:
        texts = [*ODD, *("".join(rng.choices("abéก中😀", k=rng.randint(0, 9))) for _ in range(40))]
        pieces = sorted({piece for text in texts for piece in pretokens(well_formed_text(text), "gpt2")})
        ready = Engine("none", tokenizer.mergeable_ranks, takes_whole=takes_whole)
        expected = [ready.pretoken_ids(piece) for piece in pieces]
        monkeypatch.setattr("tokviz.core.engine.MERGES_AFTER", 1_000_000)
        early = Engine("none", tokenizer.mergeable_ranks, takes_whole=takes_whole)
        assert [early.pretoken_ids(piece) for piece in pieces] == expected, name
        assert "_merging_encoding" not in vars(early)
        monkeypatch.setattr("tokviz.core.engine.MERGES_AFTER", 0)


def test_tiktoken_is_made_ready_once_there_was_enough_to_merge(monkeypatch):
    monkeypatch.setattr("tokviz.core.engine.MERGES_AFTER", 12)
    engine = Engine("gpt2", load("gpt2").mergeable_ranks)
    for was_ready in (False, False, True):
        assert engine.pretoken_ids("hello") == [31373]
        assert ("_merging_encoding" in vars(engine)) == was_ready
    assert engine.pretoken_ids("\ud800") == engine.pretoken_ids("\ufffd")
