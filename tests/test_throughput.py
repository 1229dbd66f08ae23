from itertools import count

import pytest

from tokviz.throughput import throughput


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
    found = throughput(clock.encode, "é" * 100, runs=3, clock=clock)
    assert (found.runs, found.repeats, clock.calls) == (3, 1, 4)
    assert found.bytes_per_second == pytest.approx(200 / 0.2)


def test_a_short_text_is_repeated_until_a_run_is_long_enough():
    clock = Clock(0.001 for _ in count())
    found = throughput(clock.encode, "ab", clock=clock)
    assert (found.runs, found.repeats) == (5, 20)
    assert found.bytes_per_second == pytest.approx(2 / 0.001)


def test_a_slow_tokenizer_is_not_waited_for():
    clock = Clock(3 for _ in count())
    assert throughput(clock.encode, "a", clock=clock).runs == 1


def test_an_empty_text_has_no_speed():
    assert throughput(str.split, "") is None
