import re

import pytest

from tokviz import train_steps
from tokviz.core.samples import SAMPLES, sample


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_trains_300_merges_of_pairs_that_occur_twice(name):
    assert 4_000 <= len(sample(name).encode()) <= 8_192
    steps = list(train_steps(sample(name), vocab_size=556, min_count=2))
    assert len(steps) == 300


def test_the_arithmetic_is_right():
    checked = 0
    for line in sample("arithmetic").splitlines():
        for sums in re.findall(r"[\d.,()+\-*/ ]+(?:=[\d.,()+\-*/ ]+)+", line):
            values = [eval(part.replace(",", "").strip(" .")) for part in sums.split("=") if part.strip(" .,")]
            assert max(values) - min(values) < 1e-9, line
            checked += 1
    assert checked > 100


def test_the_python_sample_runs(capsys):
    exec(compile(sample("python"), "sample", "exec"), {"__name__": "__main__"})
    assert "days late" in capsys.readouterr().out


def test_an_unknown_sample_is_refused():
    with pytest.raises(ValueError, match="no sample 'latin'"):
        sample("latin")
