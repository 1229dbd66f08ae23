import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz import UnknownTokenError, load, token_spans
from tokviz.core.spans import spans_from_byte_offsets, text_and_byte_offsets

BYTES = load("gpt2").truncated(0)


def slow_spans(tokenizer, ids):
    """Each token's character and UTF-16 span, found one byte at a time."""
    data = tokenizer.decode_bytes(ids)
    text = data.decode("utf-8", "replace")
    owner = [len(data[: b + 1].decode("utf-8", "replace")) - 1 for b in range(len(data))]
    starts = {b for b in range(len(data)) if b == 0 or owner[b] != owner[b - 1]} | {len(data)}
    rows, begin = [], 0
    for token_id in ids:
        end = begin + len(tokenizer.token_bytes(token_id))
        first, last = owner[begin], owner[end - 1] + 1
        units = [len(text[:c].encode("utf-16-le")) // 2 for c in (first, last)]
        inside = begin not in starts or end not in starts
        rows.append((begin, end, first, last, *units, inside))
        begin = end
    return rows


def columns(spans):
    return list(
        zip(
            spans.byte_starts.tolist(), spans.byte_ends.tolist(), spans.char_starts.tolist(), spans.char_ends.tolist(),
            spans.utf16_starts.tolist(), spans.utf16_ends.tolist(), spans.partial.tolist(), strict=True,
        )
    )  # fmt: skip


@given(st.text(max_size=20), st.sampled_from(["gpt2", "o200k_base"]))
def test_spans_equal_the_slow_reference(text, name):
    tokenizer = load(name)
    ids = tokenizer.encode(text)
    assert columns(token_spans(tokenizer, ids)) == slow_spans(tokenizer, ids)


@given(st.binary(max_size=30))
def test_spans_of_bytes_that_are_no_utf8(data):
    ids = [BYTES.mergeable_ranks[bytes([b])] for b in data]
    spans = token_spans(BYTES, ids)
    assert spans.text == data.decode("utf-8", "replace")
    assert columns(spans) == slow_spans(BYTES, ids)


@given(st.text(max_size=12), st.data())
def test_placed_tokens_may_leave_text_between_them_and_be_empty(text, data):
    text = text.encode("utf-8", "replace").decode()
    # Ends may fall into characters, as where a character falls back to bytes.
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text.encode())), max_size=8)))
    boundaries = {len(text[:i].encode()) for i in range(len(text) + 1)}
    rows = [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=False) if a != b or a in boundaries]
    spans = spans_from_byte_offsets(text.encode(), range(len(rows)), [a for a, _ in rows], [b for _, b in rows])
    assert spans.text == text and spans.ids.tolist() == list(range(len(rows)))
    for token, (a, b) in enumerate(rows):
        start, end = int(spans.char_starts[token]), int(spans.char_ends[token])
        touched = [i for i in range(len(text)) if len(text[:i].encode()) < b and len(text[: i + 1].encode()) > a]
        assert list(range(start, end)) == touched
        units = len(text[:start].encode("utf-16-le")) // 2, len(text[:end].encode("utf-16-le")) // 2
        assert (int(spans.utf16_starts[token]), int(spans.utf16_ends[token])) == units
        assert bool(spans.partial[token]) == bool({a, b} - boundaries)


def test_many_bad_bytes_take_one_pass():
    text, starts = text_and_byte_offsets(b"\xff" * 200_000)
    assert text == "\ufffd" * 200_000
    assert np.array_equal(starts, np.arange(200_001))


def test_many_tokens_are_placed_run_by_run_and_errors_count_from_the_first(monkeypatch):
    monkeypatch.setattr("tokviz.core.spans.RUN", 3)
    ids = BYTES.encode("a ที่👍, é")
    assert columns(token_spans(BYTES, ids)) == slow_spans(BYTES, ids)
    with pytest.raises(UnknownTokenError, match=r"number 7\)"):
        token_spans(BYTES, [*ids[:7], 1_000_000])
