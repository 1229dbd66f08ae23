from itertools import count

import pytest

from tokviz.analysis.throughput import throughput


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
