"""Classes of characters are those of tiktoken, whichever Unicode the installed `regex` knows."""

import re

import pytest

from tokviz import SPLIT_PATTERNS
from tokviz.core import unicode_classes
from tokviz.core.joined_patterns import JOINED
from tokviz.core.patterns import compiled_parts
from tokviz.core.unicode_classes import are_alike, compiled_with_classes_of_tiktoken, differences

CLASSES = sorted({name for pattern in SPLIT_PATTERNS.values() for name in re.findall(r"\\p\{(\w+)\}", pattern)})


@pytest.fixture
def other_unicode(monkeypatch):
    """Let tiktoken take € for a letter and ก for none; nothing compiled then stays."""
    monkeypatch.setattr(unicode_classes, "are_alike", lambda: False)
    monkeypatch.setattr(unicode_classes, "differences", lambda name: ("€", "ก") if name == "L" else ("", ""))


@pytest.mark.slow
def test_versions_that_are_known_to_be_alike_have_the_same_classes():
    assert len(CLASSES) > 8 and (not are_alike() or {differences(name) for name in CLASSES} == {("", "")})


def test_no_pattern_has_a_class_in_another_form():
    for pattern in (*SPLIT_PATTERNS.values(), *JOINED.values()):
        assert not re.search(r"\\P|\[:|\\[dwX]|\\p(?!\{\w+\})", pattern)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (r"\p{L}+", ["a€", "b"]),
        (r"[^\s\p{L}\p{N}]+", ["ก"]),
        (r" ?[\p{L}\p{M}]+| ?[^\s\p{L}\p{N}]++", ["a€", "ก", "b"]),
        (r"(?i:A)", ["a"]),
    ],
)
def test_characters_are_put_into_classes_and_taken_out_of_them(pattern, found, other_unicode):
    assert compiled_with_classes_of_tiktoken(pattern).findall("a€กb 1") == found


def test_named_patterns_are_compiled_so_and_those_of_a_user_are_not(other_unicode, monkeypatch):
    monkeypatch.setattr("tokviz.system.sandbox.inside", True)
    (gpt2,) = compiled_parts("gpt2")
    assert gpt2.findall("a€ก") == ["a€", "ก"]
    (own,) = compiled_parts(r"\p{L}+")
    assert own.findall("a€ก") == ["a", "ก"]


@pytest.mark.slow
def test_what_differs_is_found_by_trying_every_character(monkeypatch):
    differences.cache_clear()
    monkeypatch.setattr(unicode_classes.regex, "findall", lambda pattern, text: [c for c in text if c in "ABé"])
    more, fewer = differences("Lu")
    differences.cache_clear()
    assert fewer == "é" and more.startswith("CDE") and len(more) > 1_000
