""".tiktoken files: read at once or line by line, with the same result."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokviz
from tokviz.core.bpe import LONGEST_TOKEN_MAX
from tokviz.formats import tiktoken
from tokviz.formats.tiktoken import parse_ranks, ranks_text

LINES = [
    b"YQ== 0",
    b"YWE= 1",
    b"YWFh 2",
    b"YR== 3",
    b"YWF= 4",
    b"= 5",
    b"== 6",
    b"",
    b" ",
    b"YQ==  7",
    b"YQ== 0\r",
    b"Y",
]
LINES += [b"Y", b"YQ==0", b"YQ== 12345678901", b"YQ== -1", b"Y Q== 1", b"YQ== 1 2", "YÉ== 1".encode(), b"YWE 1"]


@given(st.lists(st.sampled_from(LINES)), st.sampled_from([b"\n", b"\r\n", b"\r"]), st.sampled_from([b"", b"\n"]))
def test_a_file_read_at_once_has_the_ranks_of_its_lines(lines, between, end):
    data = between.join(lines) + end
    at_once = tiktoken._ranks_if_usual(data)
    expected = None
    with suppress(ValueError):
        expected = tiktoken._ranks_read_line_by_line(data, "x")
    assert at_once in (None, expected)


def test_a_usual_file_is_read_at_once_and_an_unusual_one_by_line(monkeypatch):
    ranks = tokviz.load("gpt2").mergeable_ranks
    assert tiktoken._ranks_if_usual(ranks_text(ranks).encode()) == ranks
    monkeypatch.setattr(tiktoken, "_ranks_if_usual", lambda _: None)
    assert parse_ranks(ranks_text(ranks).encode()) == ranks


def test_a_token_that_is_too_long_is_refused_by_its_line():
    long = ranks_text({b"a": 0, b"b" * (LONGEST_TOKEN_MAX + 1): 1}).encode()
    with pytest.raises(ValueError, match=r"x, line 2: the tokens up to here have 128,002 bytes, this one 128,001"):
        parse_ranks(long, "x")
