"""A tracked text is the same as a plain one, and every character of it knows whose it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz.chats.tracked_text import TrackedText, covering_marks, joined_text, tracked_text

# Each owner has an alphabet of its own, so that a character tells whose it is.
OWNED = {0: "abc ", 1: "xyz\n", 2: "ไทย"}
TEXTS = st.one_of(
    st.text("ABC-", max_size=6),
    *(st.text(letters, max_size=8).map(lambda text, n=n: tracked_text(text, n)) for n, letters in OWNED.items()),
)
MANY = st.lists(TEXTS, max_size=4)


def owners(text: str) -> list[int | None]:
    found: list[int | None] = [None] * len(text)
    for start, end, owner in covering_marks(text):
        assert 0 <= start < end <= len(text) and found[start:end] == [None] * (end - start)
        found[start:end] = [owner] * (end - start)
    return found


def check(text: str) -> None:
    for character, owner in zip(str.__str__(text), owners(text), strict=True):
        assert owner == next((n for n, letters in OWNED.items() if character in letters), None)


@given(parts=MANY)
def test_joining_keeps_what_each_part_is(parts):
    text = joined_text(parts)
    assert text == "".join(parts)
    check(text)
    check(TrackedText("|").join(parts))
    check("<" + text + ">")


METHODS = {
    "strip": lambda text: text.strip(),
    "strip characters": lambda text: text.strip("aAx "),
    "lstrip": lambda text: text.lstrip(),
    "rstrip": lambda text: text.rstrip("\n "),
    "split": lambda text: text.split(),
    "split at several": lambda text: text.split("bb"),
    "split at a": lambda text: text.split("a"),
    "split once": lambda text: text.split("-", 1),
    "rsplit once": lambda text: text.rsplit(None, 1),
    "rsplit at x": lambda text: text.rsplit("x", 2),
    "splitlines": lambda text: text.splitlines(),
    "splitlines with ends": lambda text: text.splitlines(keepends=True),
    "partition": lambda text: text.partition("b"),
    "rpartition": lambda text: text.rpartition("-"),
    "replace": lambda text: text.replace("a", "-"),
    "replace once": lambda text: text.replace("-", "AB", 1),
    "slice": lambda text: text[1:-2],
    "last": lambda text: text[-1:],
    "letters": lambda text: [text[i] for i in range(-len(text), len(text))],
    "removeprefix": lambda text: text.removeprefix("a"),
    "removesuffix": lambda text: text.removesuffix("\n"),
}


@pytest.mark.parametrize("name", METHODS)
@given(parts=MANY)
def test_what_becomes_of_a_text_is_what_becomes_of_a_str(name, parts):
    tracked, plain = joined_text(parts), "".join(map(str.__str__, parts))
    found, wanted = METHODS[name](tracked), METHODS[name](plain)
    assert found == wanted and type(found) in (type(wanted), TrackedText)
    for text in found if isinstance(found, list | tuple) else [found]:
        check(text)


@given(parts=MANY)
def test_what_is_no_stretch_of_a_text_is_nobodys(parts):
    tracked, plain = joined_text(parts), "".join(map(str.__str__, parts))
    for found, wanted in ((tracked[::2], plain[::2]), (repr(tracked), repr(plain))):
        assert found == wanted and covering_marks(found) == ()


def test_letters_of_another_length_are_nobodys():
    assert owners(tracked_text("ab", 0).upper()) == [0, 0]
    assert tracked_text("straße", 0).upper() == "STRASSE" and covering_marks(tracked_text("straße", 0).upper()) == ()
