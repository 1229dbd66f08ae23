import threading
import time

import pytest
import regex
from each import each
from hypothesis import given
from hypothesis import strategies as st
from odd_texts import ODD

from tokviz import SPLIT_PATTERNS
from tokviz.core.pretokens import pretoken_runs, pretokens, split_at_special_tokens, well_formed_text
from tokviz.system.sandbox import SandboxError

PATTERNS = [
    *SPLIT_PATTERNS,
    "(?i)A",
    r"\Ga|b",
    "(?:ab){e<=1}",
    "a(?R)?b",
    "(?x)a # and",
    "[a-z]+",
    "x*",
    "(a)|(b)c",
    r"a\Kb",
    "(?<=a)b",
    r"\b",
    "(?=a)",
    "$^",
]


@given(st.text(), st.sampled_from(PATTERNS))
def test_joined_pretokens_are_the_text_and_none_is_empty(text, pattern):
    result = pretokens(text, pattern)
    assert "".join(result) == text
    assert all(result)


# Small patterns of every make: what matches nothing, looks around, takes back, or repeats.
ATOMS = st.sampled_from(["a", "b", "[ab]", ".", "a*", "b+?", "a?+", r"\b", "^", "$", "(?=a)", "(?<!b)", "(?:ab|a)*"])
SMALL = st.lists(st.lists(ATOMS, max_size=3).map("".join), min_size=1, max_size=3).map("|".join).filter(bool)


@given(SMALL, st.text("ab\n", max_size=12))
def test_many_matches_at_a_time_equal_one_after_the_other(pattern, text):
    found, end = [], 0
    for match in regex.finditer(pattern, text):
        if match[0]:
            found += [text[end : match.start()], match[0]]
            end = match.end()
    assert pretokens(text, pattern) == [one for one in [*found, text[end:]] if one]


@pytest.mark.parametrize("pattern", PATTERNS)
@each("text", ODD)
def test_odd_texts(text, pattern):
    assert "".join(pretokens(text, pattern)) == text


def test_unmatched_text_is_a_pretoken_of_its_own():
    assert pretokens("abc-def!", "[a-z]+") == ["abc", "-", "def", "!"]
    assert pretokens("xaab", "(a)") == ["x", "a", "a", "b"]


def test_llama3_differs_from_cl100k_in_white_space_at_the_end():
    assert pretokens("a \n ", "cl100k") == ["a", " \n "]
    assert pretokens("a \n ", "llama3") == ["a", " \n", " "]


def test_a_pattern_that_does_not_end_is_stopped(monkeypatch):
    monkeypatch.setattr("tokviz.core.pretokens.TIMEOUT_SECONDS", 0.3)
    start = time.monotonic()
    with pytest.raises(ValueError, match="did not end within"):
        pretokens("a" * 60 + "b", "(a|aa)+$")
    assert time.monotonic() - start < 30
    assert "".join(pretokens("a" * 40 + "b", "(a+)+$")) == "a" * 40 + "b"


def test_special_tokens_are_found_in_one_pass():
    text = ("a" * 3999 + "b") * 500
    begun = time.process_time()
    found = list(split_at_special_tokens(text + "a" * 4000, ["a" * 4000, "a" * 3999 + "c"]))
    assert found == [(text, False), ("a" * 4000, True)]
    assert time.process_time() - begun < 2


def test_the_longer_special_token_wins():
    assert list(split_at_special_tokens("<s>x<s>", ["<s>", "<s>x"])) == [("<s>x", True), ("<s>", True)]


def test_well_formed():
    assert well_formed_text("a\ud83d") == "a\ufffd"
    assert well_formed_text("\ud83d\ude00") == "😀"


def test_a_pattern_is_said_to_call_itself_only_if_it_does(monkeypatch):
    def no_memory(*_, what, **__):
        raise SandboxError(what, "memory", "needs more memory than it may have")

    plain = ("(?:a|b)+", r"\p{L}+(?=x)", "(?P<a>a)(?i:b)")
    calling = ("a(?R)?", "(a(?1)?)", "(?P<a>b(?&a)?)", "(?P<a>b(?P>a)?)")
    for pattern in plain + calling:
        pretokens("abc", pattern)  # so that it is known as a regular expression
    monkeypatch.setattr("tokviz.core.pretokens.sandbox.call", no_memory)
    for pattern in plain:
        with pytest.raises(ValueError, match=r"ran out of memory on 3 characters: try fewer$"):
            list(pretoken_runs("abc", pattern))
    for pattern in calling:
        with pytest.raises(ValueError, match="calls itself"):
            list(pretoken_runs("abc", pattern))


@pytest.mark.slow
def test_a_pattern_that_calls_itself_for_ever_is_refused_in_words():
    with pytest.raises(ValueError, match="calls itself"):
        pretokens("aaab", "(a(?R)?b)|(?R)", timeout=30)  # it runs out of memory long before, but perhaps not in 2 s


def test_others_run_while_a_pattern_of_ones_own_does_not_end():
    refused = []

    def cut():
        with pytest.raises(ValueError, match="did not end"):
            pretokens("a" * 60 + "b", "(a|aa)+$", timeout=0.4)
        refused.append(True)

    thread = threading.Thread(target=cut)
    thread.start()
    n = 0
    while thread.is_alive():
        time.sleep(0.01)
        n += 1
    assert refused and n > 10  # this thread went on before the pattern was given up
