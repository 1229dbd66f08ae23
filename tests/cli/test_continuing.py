"""`tokviz train --start` and `tokviz trim`: a vocabulary extended, and one trimmed to what texts need."""

import csv
import json
import shlex
from pathlib import Path

import pytest

import tokviz
from tokviz.core.samples import sample
from tokviz.corpus.corpus_counts import CorpusCounts
from tokviz.training.superwords import with_superwords


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("thai.txt").write_text(sample("thai"), newline="")
    Path("mixed.txt").write_text(sample("mixed"), newline="")
    tokviz.train(sample("mixed"), vocab_size=400, split_pattern="gpt2", special_tokens=["<s>"]).save("small.model")


def read_with(out):
    """Return the options that a command printed last."""
    return shlex.split(out.strip().splitlines()[-1])


@pytest.mark.slow
def test_counts_serve_a_start_with_their_pattern_and_special_tokens(printed, files):
    start = ["--start", "small.model", "--vocab-size", 450]
    counted = ["--counts", "x.counts", "--special", "<t>"]
    out = printed("train", "thai.txt", *start, "-o", "x.tiktoken", *counted)
    assert CorpusCounts.read("x.counts").special_tokens == ["<s>", "<t>"]
    printed("train", "x.counts", *start, "-o", "y.json")
    expected = tokviz.train(
        sample("thai"), vocab_size=450, special_tokens=["<t>"], start=tokviz.Tokenizer.read("small.model")
    )
    assert tokviz.Tokenizer.read("y.json") == expected
    special = expected.special_tokens
    assert {f"--special={token}={token_id}" for token, token_id in special.items()} <= {*read_with(out)}
    assert tokviz.Tokenizer.read("x.tiktoken", split_pattern="gpt2", special_tokens=special) == expected


@pytest.mark.slow
def test_counts_of_another_split_pattern_than_that_of_the_start_are_refused(printed, refused, files):
    pattern = ["--split-pattern", "gpt2", "--vocab-size", 300, "-o", "x.json", "--counts", "x.counts"]
    printed("train", "thai.txt", *pattern)
    reason = refused("train", "x.counts", "--start", "cl100k_base", "--vocab-size", 101_000, "-o", "z.json")
    assert "these counts are of the split pattern 'gpt2': cl100k_base has 'cl100k'" in reason


def test_counts_that_take_a_special_token_of_the_start_for_text_are_refused(printed, refused, files):
    pattern = ["--split-pattern", "gpt2", "--vocab-size", 300, "-o", "x.model", "--counts", "x.counts"]
    printed("train", "thai.txt", *pattern, "--special", "<t>")
    reason = refused("train", "x.counts", "--start", "small.model", "--vocab-size", 450, "-o", "y.tiktoken")
    assert "small has the special token '<s>', which these counts take for text: count the texts" in reason


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--start", "small.model", "--vocab-size", 300], "vocab_size must be a whole number of at least 400, not 300"),
        (["--start", "no-such", "--vocab-size", 400], "there is no file 'no-such'"),
        (["--start", "small.model", "--vocab-size", 500, "--split-pattern", "cl100k"], "leave out 'cl100k'"),
        (["--start", "small.model", "--vocab-size", 500, "--special", "<s>"], "has the special token"),
        (["--start", "small.model", "--vocab-size", 500, "--special", "<t>=500"], "lies inside the vocabulary"),
        (["--vocab-size", 400, "--start-special", "<s>=1"], "--start-special is for the .tiktoken file of --start"),
    ],
)
def test_what_cannot_continue_is_refused_before_work(refused, files, options, reason):
    assert reason in refused("train", "thai.txt", *options, "-o", "x.tiktoken") and not list(Path().glob("x.*"))


def test_a_model_file_is_refused_before_work_if_the_new_ids_leave_a_gap(refused, files):
    reason = refused("train", "thai.txt", "--start", "small.model", "--vocab-size", 500, "-o", "x.model")
    assert "a .model file cannot hold this tokenizer: its ids have gaps" in reason
    assert not list(Path().glob("x.model*"))


def test_a_trimmed_tokenizer_gives_the_texts_the_same_tokens_and_the_map_says_which_ids(ran, printed, files):
    code, out, _ = ran("trim", "gpt2", "thai.txt", "mixed.txt", "-o", "small.tiktoken", "--map", "ids.csv")
    trimmed = tokviz.trim(tokviz.load("gpt2"), [sample("thai"), sample("mixed")])
    assert code == 0 and f"{trimmed.tokenizer.n_vocab:,} of 50,257 tokens are kept" in out
    with open("ids.csv", newline="") as file:
        ids = {int(row["old id"]): int(row["new id"]) for row in csv.DictReader(file)}
    assert ids == trimmed.ids
    old = printed("encode", "gpt2", "thai.txt").split()
    new = printed("encode", "small.tiktoken", "thai.txt", *read_with(out)).split()
    assert [ids[int(token_id)] for token_id in old] == [*map(int, new)]


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["trim", "x.json", "think.txt"], marks=pytest.mark.slow),
        ["train", "think.txt", "--start", "x.json", "--vocab-size", 257],
    ],
)
def test_ranks_of_tokens_that_always_match_come_with_the_options_that_give_their_ids(ran, printed, files, command):
    ranks = {bytes([i]): i for i in range(256)}
    tokviz.Tokenizer("x", "gpt2", ranks, {"<think>": 300, "<s>": 301}, ["<think>"]).save("x.json")
    Path("think.txt").write_text("low low<think> <s>")
    assert "--allow-special" not in ran(*command, "-o", "y.json").err
    code, out, err = ran(*command, "-o", "y.tiktoken")
    assert code == 0 and "y.tiktoken cannot say that some special tokens match in every text" in err
    allowed = shlex.split(err.strip().splitlines()[-1].partition("encode with ")[2])
    ids = printed("encode", "y.tiktoken", "think.txt", *read_with(out), *allowed)
    assert ids == printed("encode", "y.json", "think.txt") != ""


def test_trimming_tells_its_figures_as_json_and_allows_special_tokens(ran, printed, files):
    Path("end.jsonl").write_text('{"body": "<|endoftext|>"}\nno\n')
    options = ["--text-key", "body", "--json"]
    code, out, err = ran("trim", "gpt2", "end.jsonl", "-o", "x.json", *options, "--allow-special", "all")
    assert code == 0 and "left out: end.jsonl, line 2: not JSON" in err
    assert json.loads(out) == {"output": "x.json", "map": None, "n_before": 50_257, "n_after": 257, "read_with": []}
    assert json.loads(printed("trim", "gpt2", "end.jsonl", "-o", "x.tiktoken", *options))["n_after"] > 257


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["gpt2", "empty.txt", "-o", "x.tiktoken"], "there is no text in empty.txt"),
        (["gpt2", "thai.txt", "-o", "x.json", "--map", "x.json"], "cannot be both the tokenizer and the map"),
        (["gpt2", "thai.txt", "-o", "no/x.json"], "there is no folder 'no'"),
        (["gpt2", "thai.txt", "-o", "x.tiktoken", "--allow-special", "<s>"], "'<s>' is not a special token of gpt2"),
        (["gpt2", "thai.txt", "-o", "x.model"], "its byte ids are not 0 to 255 in order"),
        (["gpt2", "empty.txt", "-o", "x.model"], "its byte ids are not 0 to 255 in order"),  # before any text is read
        (["gpt2", "empty.txt", "-o", "x.bin"], "'.bin' is not one of .model"),
    ],
)
def test_what_cannot_be_trimmed_is_refused(refused, files, options, reason):
    Path("empty.txt").touch()
    assert reason in refused("trim", *options) and not list(Path().glob("x.*"))


@pytest.mark.parametrize("start", ["small.model", "small.tiktoken"])
def test_training_goes_on_across_words(ran, start, files):
    small = tokviz.read("small.model")
    small.save("small.tiktoken")
    options = ["--superwords", "--vocab-size", 460, "-o", "super.json"]
    if start == "small.tiktoken":
        options += ["--split-pattern", "gpt2", "--start-special", "<s>=400"]
    code, _, err = ran("train", "mixed.txt", "--start", start, *options)
    assert (code, err) == (0, "")
    assert tokviz.read("super.json") == tokviz.train(sample("mixed"), vocab_size=460, start=with_superwords(small))


def test_superwords_need_a_tokenizer_of_words(refused, files):
    reason = refused("train", "mixed.txt", "--superwords", "--vocab-size", 300, "-o", "super.json")
    assert "learn one first, and name it with --start" in reason
