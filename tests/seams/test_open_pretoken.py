"""What is worked out near the end of a pretoken equals what encoding all of it gives."""

from itertools import accumulate, pairwise, product

from hypothesis import given
from hypothesis import strategies as st

import tokviz
from tokviz.core import bpe
from tokviz.seams.characters import some_texts_beginning_with
from tokviz.seams.open_pretoken import LONG, OpenPretoken

TEXTS = st.text(st.sampled_from("aabcélo w中ก"), max_size=40) | st.text(st.sampled_from(" a"), max_size=2 * LONG)


@given(TEXTS.filter(bool), st.binary(max_size=8) | TEXTS.map(str.encode), st.data())
def test_resumed_equals_encoding_anew(text, more, data):
    tokenizer = tokviz.load("gpt2")
    pretoken = OpenPretoken(tokenizer, text)
    stop = data.draw(st.integers(0, len(text.encode())))
    for longer in (text.encode() + more, text.encode()[:stop]):
        same, ends = pretoken.shared_end_and_later_ends(longer)
        naive = bpe.tokens(longer, tokenizer.mergeable_ranks, below=2**31) if longer else []
        assert [*(end for end in pretoken.ends if end <= same), *ends] == list(accumulate(map(len, naive)))


def test_neighbours_stay_as_they_are_where_they_are_encoded_together():
    tokenizer = tokviz.load("cl100k_base")
    pretoken, ranks = OpenPretoken(tokenizer, " "), tokenizer.mergeable_ranks
    runs = [b" " * n for n in (1, 2, 4, 7, 16, 40, 78, 80)]
    for left, right in product(runs, repeat=2):
        naive = bpe.tokens(left + right, ranks, below=2**31)
        assert pretoken.stay_apart(left, right) == (naive == [left, right])
    for left, right in pairwise(bpe.tokens(b" " * 500 + b"a" * 50, ranks, below=2**31)):
        assert pretoken.stay_apart(left, right)


@given(st.text(min_size=1, max_size=3), st.data())
def test_texts_that_begin_with_bytes(text, data):
    encoded = text.encode("utf-8", "replace")
    begin = encoded[: data.draw(st.integers(0, len(encoded)))]
    found = list(some_texts_beginning_with(begin))
    assert found and all(one.encode().startswith(begin) for one in found)
    assert all(len(one.encode()) - len(begin) < 4 for one in found)


def test_bytes_that_begin_no_text():
    for data in (b"\xff", b"\x80", b"a\xc0", b"\xed\xa0", b"\xe0\x80", b"\xf4\x90", b"\xf5", b"\xe0\xb8a"):
        assert list(some_texts_beginning_with(data)) == []
    assert len(set(some_texts_beginning_with(b"\xf0"))) == 500
