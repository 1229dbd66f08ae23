"""Trainings in other processes that continue from a tokenizer."""

import re

import pytest
import trainings
from processes import SECONDS

import tokviz
from tokviz.core.samples import sample
from tokviz.training.held_out import split_held_out


def task(documents, **settings):
    return trainings.task(documents, **{"vocab_size": 60_000} | settings)


@pytest.mark.parametrize("hold_out", [False, True])
@pytest.mark.slow
def test_a_job_continues_from_a_tokenizer(queue, hold_out):
    start, text = tokviz.load("gpt2"), sample("thai") + "<|endoftext|>" + sample("thai") * 3 + "<s>"
    settings = {"vocab_size": 50_256 + 50, "min_count": 2, "split_pattern": "gpt2", "special_tokens": ["<s>"]}
    job = queue.submit(task([text], **settings, start=start, hold_out=hold_out))
    assert job.n_merges == 50
    assert job.wait(SECONDS) and job.problem is None
    (rest, held) = split_held_out(text) if hold_out else (text, "")
    assert job.steps == list(tokviz.train_steps(rest, **settings, start=start))
    learned = job.tokenizer("t")
    assert learned == tokviz.train(rest, **settings, start=start)
    assert learned.special_tokens["<s>"] == 50_257 + 50
    plain = [part for part in re.split(r"<s>|<\|endoftext\|>", rest) if part]
    assert job.counted.n_tokens == sum(len(start.encode(part)) for part in plain)
    if hold_out:
        parts = re.split(r"<s>|<\|endoftext\|>", held)
        assert job.held_out.n_before == sum(len(start.encode(part)) for part in parts)
        assert job.held_out.n_tokens[-1] == sum(len(learned.encode(part)) for part in parts)
        assert len(job.held_out.n_tokens) == len(job.steps) and job.held_out.n_before > job.held_out.n_tokens[0]


def test_what_cannot_continue_is_refused(queue):
    ranks = {bytes([i]): i for i in range(256)} | {b"abc": 256}
    job = queue.submit(task(["abab"], vocab_size=300, split_pattern="none", start=tokviz.Tokenizer("o", "none", ranks)))
    assert job.wait(SECONDS) and job.problem.startswith("training cannot continue from o: no merge makes its token 256")
    start = tokviz.train("low lower lowest", vocab_size=260, split_pattern="gpt2", special_tokens=["<e>"])
    with pytest.raises(ValueError, match="leave out 'cl100k'"):
        queue.submit(task(["abab"], vocab_size=300, split_pattern="cl100k", start=start))
