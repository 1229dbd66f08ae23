import pytest

from tokviz.analysis.regex_pieces import pieces
from tokviz.analysis.regex_words import piece_words
from tokviz.core.patterns import ALTERNATIVES

NAMED = [alternative.regex for alternatives in ALTERNATIVES.values() for alternative in alternatives]
END = "ends the group"


@pytest.mark.parametrize("pattern", [*NAMED, "", r"(?V1)[[a-z]--[aeiou]]{2}(?<n>x)(?P=n)\1\x41\N{DIGIT ONE}(?(1)a|b)"])
def test_every_piece_of_a_pattern_has_words(pattern):
    found = piece_words(pieces(pattern))
    assert "".join(piece for piece, _ in found) == pattern
    assert all(words for _, words in found)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\p{N}{1,3}", ["a digit or another number", "1 to 3 times"]),
        (r"\P{L}*?", ["anything but a letter", "any number of times, or not at all, as few as will do"]),
        (r"\s+(?!\S)", ["white space", "once or more", "unless this follows", "anything but white space", END]),
        (r"(?i:'s)", ["capital and small letters are the same in this group", "these characters themselves", END]),
        (r"[^\r\n]|a{2,}", ["one character that is none of these", "or", "this character itself", "2 times or more"]),
        (r"ab{3}", ["this character itself", "this character itself", "exactly 3 times"]),
    ],
)  # fmt: skip
def test_words(pattern, expected):
    assert [words for _, words in piece_words(pieces(pattern))] == expected
