import re
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokviz import Tokenizer, load, text_spans
from tokviz.core.samples import sample
from tokviz.text.metrics import agreement, metrics, n_words_if_spaced, share_of_one_token_words, throughput


def test_figures_by_hand():
    figures = metrics("ab cd é", [1, 2, 2, 3])
    assert (figures.n_tokens, figures.n_distinct, figures.n_chars, figures.n_bytes) == (4, 3, 7, 8)
    assert (figures.bytes_per_token, figures.chars_per_token) == (2.0, 1.75)
    assert figures.fertility == 4 / 3


def test_empty_text():
    figures = metrics("", [])
    assert (figures.bytes_per_token, figures.chars_per_token, figures.fertility) == (0.0, 0.0, None)


def test_scripts_without_spaces_have_no_words():
    assert n_words_if_spaced(sample("thai")) is None
    assert n_words_if_spaced(sample("chinese")) is None
    assert n_words_if_spaced("a Thai word: ไทย, and English") == 6


@given(st.sets(st.integers(1, 20)), st.sets(st.integers(1, 20)))
def test_agreement_is_symmetric_and_one_for_equals(a, b):
    a, b = a | {21}, b | {21}
    assert agreement(a, b) == agreement(b, a)
    assert 0 <= agreement(a, b) <= 1
    assert (agreement(a, b) == 1) == (a == b)


UNCUT = Tokenizer("none", "none", load("gpt2").mergeable_ranks)


@given(st.text(st.sampled_from("ab .\n\u3000你é😀"), max_size=40))
@pytest.mark.parametrize("name", ["gpt2", "none"])
def test_a_word_is_one_token_where_no_boundary_falls_inside(name: str, text: str):
    tokenizer = load("gpt2") if name == "gpt2" else UNCUT
    spans = text_spans(tokenizer, text)
    ends = set(spans.byte_ends.tolist())
    whole, byte, n = 0, 0, 0
    for word in re.split(r"(\s+)", text):
        inside = range(byte + 1, byte + len(word.encode()))
        byte += len(word.encode())
        if word.strip():
            n, whole = n + 1, whole + (not ends & set(inside))
    share = share_of_one_token_words(spans)
    assert share is None if n_words_if_spaced(text) is None or not n else share == whole / n


def test_a_word_with_its_space_is_whole_and_one_with_a_comma_is_not():
    assert share_of_one_token_words(text_spans(load("gpt2"), " the same, the same")) == 3 / 4


class Clock:
    """A clock that stands still but where an encoder takes its time."""

    def __init__(self, seconds):
        self.now, self.seconds, self.calls = 0.0, iter(seconds), 0

    def encode(self, text):
        self.calls += 1
        self.now += next(self.seconds)

    def __call__(self):
        return self.now


def test_the_median_of_the_runs_counts_and_the_first_call_does_not():
    clock = Clock([5, 0.1, 0.4, 0.2])
    found = throughput(clock.encode, "é" * 30_000, runs=3, clock=clock)
    assert (found.runs, found.repeats, found.copies, clock.calls) == (3, 1, 1, 4)
    assert found.bytes_per_second == pytest.approx(60_000 / 0.2)


def test_a_quick_call_is_repeated_until_a_run_is_long_enough():
    clock = Clock(0.001 for _ in count())
    found = throughput(clock.encode, "a" * 50_000, clock=clock)
    assert (found.runs, found.repeats) == (5, 20)
    assert found.bytes_per_second == pytest.approx(50_000 / 0.001)


@pytest.mark.parametrize("seconds_a_call", [0.0, 0.0005, 0.003])
def test_what_a_call_costs_hardly_shows_in_the_figure_of_a_short_text(seconds_a_call):
    class Engine(Clock):
        def encode(self, text):
            self.now += seconds_a_call + len(text) * 2e-7

    speeds = []
    for text in ("a" * 100, "a" * 50_000, "ab"):
        clock = Engine([])
        speeds.append(throughput(clock.encode, text, clock=clock).bytes_per_second)
    assert max(speeds) < 1.1 * min(speeds)


def test_a_short_text_stands_in_lines_so_that_it_makes_no_longer_pretokens():
    seen = []
    found = throughput(seen.append, "สอง", clock=Clock([]))
    assert set(seen[0].split("\n")) == {"สอง"} and found.copies == seen[0].count("สอง") == 5_556


def test_a_slow_tokenizer_is_not_waited_for():
    clock = Clock(3 for _ in count())
    assert throughput(clock.encode, "a", clock=clock).runs == 1


def test_an_empty_text_has_no_speed():
    assert throughput(str.split, "") is None
