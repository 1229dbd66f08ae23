"""`tokviz train`: special tokens with ids, mixes, every merge printed, and what is refused before work begins."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import tiktoken
import tiktoken.load

import tokviz
from tokviz.cli import main
from tokviz.core.samples import sample
from tokviz.corpus.mixes import mixed_documents
from tokviz.training.plan import Plan

ROOT = Path(__file__).parents[2]


@pytest.fixture
def story(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("story.txt").write_text(sample("mixed"), newline="")
    return ["train", "story.txt", "--vocab-size", 400]


def test_special_tokens_take_the_ids_they_are_given(printed, refused, story):
    special = ["--special", "<|begin_of_text|>=1101", "--special", "<k=v>=500"]
    printed(*story, "-o", "x.model", *special)
    expected = tokviz.train(sample("mixed"), vocab_size=400, special_tokens={"<|begin_of_text|>": 1101, "<k=v>": 500})
    assert tokviz.Tokenizer.read("x.model") == expected
    Path("chat.txt").write_text("<|begin_of_text|>low")
    assert printed("encode", "x.model", "chat.txt", "--allow-special", "all").split()[0] == "1101"
    reason = refused(*story, "-o", "y.model", "--special", "<s>=399")
    assert "the id 399 of the special token '<s>' lies inside the vocabulary" in reason
    assert not list(Path().glob("y.model*"))


def test_counts_know_their_pattern_and_special_tokens(ran, printed, refused, story):
    made_of = ["--split-pattern", "gpt2", "--special", "<s>"]
    ran(*story, "-o", "x.model", "--counts", "x.counts", *made_of)
    again = ["train", "x.counts", "--vocab-size", 300, "-o", "y.model"]
    printed(*again, "--special", "<s>=700")
    assert tokviz.Tokenizer.read("y.model").special_tokens == {"<s>": 700}
    assert printed(*again) and tokviz.Tokenizer.read("y.model").special_tokens == {"<s>": 300}
    for given, reason in (
        (["--split-pattern", "o200k"], "counts are of the split pattern 'gpt2'"),
        (["--special", "<t>"], "made with these special tokens: <s>"),
        (["--counts", "z.counts"], "these are counts already"),
    ):
        assert reason in refused(*again, *given)


def test_what_training_writes_is_read_with_the_options_it_names(ran, printed, monkeypatch, story):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")  # or tiktoken would keep a copy there
    pattern = r"[a-z]'?|\s+(?!\S)|."
    arguments = [*story, "-o", "x.tiktoken", "--split-pattern", pattern]
    assert json.loads(printed(*arguments, "--json"))["read_with"] == [f"--split-pattern={pattern}"]
    code, out, _ = ran(*arguments, "--special", "<s>=1101", "--special", "a b=1102")
    last = shlex.split(out.splitlines()[-1])
    assert code == 0 and last == [f"--split-pattern={pattern}", "--special=<s>=1101", "--special=a b=1102"]
    expected = tokviz.train(sample("mixed"), vocab_size=400, split_pattern=pattern)
    assert list(map(int, printed("encode", "x.tiktoken", "story.txt", *last).split())) == expected.encode(
        sample("mixed")
    )
    Path("chat.txt").write_text("low<s>a b")
    ids = printed("encode", "x.tiktoken", "chat.txt", "--allow-special", "all", *last).split()
    assert ids[-2:] == ["1101", "1102"]
    ranks = tiktoken.load.load_tiktoken_bpe("x.tiktoken")
    library = tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=ranks, special_tokens={"<s>": 1101})
    assert library.encode("low lower<s>", allowed_special="all")[-1] == 1101


def test_every_merge_is_printed_as_the_tutorial_does(ran, story):
    lines = list(map(str, tokviz.train_steps(sample("mixed"), vocab_size=400)))
    code, out, err = ran(*story, "-o", "x.model", "--verbose")
    assert code == 0 and out.splitlines()[:-1] == lines and lines[0].startswith("merge 1/144: (")
    code, out, err = ran(*story, "-o", "x.model", "--verbose", "--json")
    assert code == 0 and json.loads(out)["n_merges"] == 144 and err.splitlines() == lines


def test_a_mix_of_two_to_one(printed, story):
    for name in ("english", "thai"):
        Path(f"{name}.txt").write_text(sample(name), newline="")
    arguments = ["train", "--mix", "english.txt=2", "thai.txt=1", "--vocab-size", 400, "-o", "x.model"]
    out = printed(*arguments, "--mix-bytes", 6_000)
    assert out.endswith("mix: english.txt 4,000 bytes, thai.txt 2,000 bytes\n")
    texts = {name: sample(name) for name in ("english", "thai")}
    documents = mixed_documents(texts, {"english": 2, "thai": 1}, 6_000)
    assert tokviz.Tokenizer.read("x.model") == tokviz.train(documents, vocab_size=400)
    mix = json.loads(printed(*arguments, "--json"))["mix"]
    assert abs(mix["english.txt"] - 2 * mix["thai.txt"]) <= 1
    assert (
        max(mix["english.txt"] / len(texts["english"].encode()), mix["thai.txt"] / len(texts["thai"].encode())) > 0.99
    )


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["story.txt", "--workers", "-1"], "--workers must be a number from 1 to 256, not -1"),
        (["story.txt", "--workers", "0"], "--workers must be a number from 1 to 256, not 0"),
        (["story.txt", "--every", "-1"], "--every must be a number of seconds"),
        (["story.txt", "-o", "folder.model"], "'folder.model' is a folder"),
        (["story.txt", "--counts", "folder.model"], "'folder.model' is a folder"),
        (["story.txt", "--counts", "no/x.counts"], "there is no folder 'no'"),
        (["story.txt", "--counts", "x.model"], "cannot be both the tokenizer and the counts"),
        (["story.txt", "-o", "x" * 245 + ".model"], "File name too long"),
        (["empty.txt"], "there is no text to train on in empty.txt"),
        (["latin1.txt"], "no text to train on in latin1.txt; left out: latin1.txt, line 1: not UTF-8: byte 233"),
        (["utf16.txt", "empty.txt"], "utf16.txt, empty.txt; left out: utf16.txt, line 1: the file is UTF-16"),
        (["damaged.counts"], "damaged.counts is not a file of pretoken counts, or is damaged"),
        ([], "either as PATH or with --mix"),
        (["story.txt", "--mix", "story.txt=1"], "either as PATH or with --mix"),
        (["story.txt", "--mix-bytes", "9"], "--mix-bytes is the size of a --mix"),
        (
            ["--mix", "story.txt"],
            "--mix takes files and folders, once each, as in english.txt=2 thai.txt=1, not 'story.txt'",
        ),
        (["--mix", "story.txt=1", "story.txt=2"], "files and folders, once each"),
        (["--mix", "story.txt=1", "-"], "not '-'"),
        (["--mix", "story.txt=0"], "shares must be whole numbers"),
        (["--mix", "story.txt=1", "empty.txt=1"], "empty.txt has a share of the mix but no text"),
        (["story.txt", "--special", "<s>", "--special", "<t>=900"], "'<s>' has no id"),
    ],
)
def test_what_cannot_end_well_is_refused_before_the_work(refused, monkeypatch, story, arguments, reason):
    def merged(*_, **__):
        raise AssertionError("merges are learned")

    monkeypatch.setattr(Plan, "steps", merged)
    Path("folder.model").mkdir()
    Path("empty.txt").touch()
    Path("latin1.txt").write_bytes("café\n".encode("latin-1") * 2)
    Path("utf16.txt").write_text("one\ntwo\n", encoding="utf-16")
    Path("damaged.counts").write_bytes(b"\x1f\x8b\x08" + b"\0" * 50)
    before = sorted(os.listdir())
    output = [] if "-o" in arguments else ["-o", "x.model"]
    assert reason in refused("train", *arguments, *output, "--vocab-size", 300)
    assert sorted(os.listdir()) == before


def test_a_file_without_text_among_others_is_named(ran, story):
    Path("empty.txt").touch()
    code, _, err = ran(*story[:2], "empty.txt", *story[2:], "-o", "x.model")
    assert code == 0 and err == "no text to train on: empty.txt\n"


def test_a_second_run_on_the_same_output_may_end_first(printed, monkeypatch, story):
    learned = Plan.steps

    def steps(plan, counts):
        Path("x.model.counts").unlink()  # as the other run does at its end
        return learned(plan, counts)

    monkeypatch.setattr(Plan, "steps", steps)
    printed(*story, "-o", "x.model")


def bash(command, folder):
    """Return what a line of the shell gives, where `tokviz` is the command line."""
    tokviz_ = f'tokviz() {{ {shlex.quote(sys.executable)} -m tokviz "$@"; }}; set -o pipefail; '
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        ["bash", "-c", tokviz_ + command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


TRAIN = "tokviz train story.txt --vocab-size 400 -o x.model"
FULL = "[Errno 28] No space left on device: standard output"


STREAMS = [
    ("tokviz encode gpt2 <&-", 1, "tokviz encode: standard input is closed"),
    ("tokviz train - --vocab-size 300 -o x.model <&-", 1, "tokviz train: standard input is closed"),
    ("tokviz encode gpt2 story.txt >&-", 1, "tokviz: standard output is closed"),
    ("tokviz encode gpt2 story.txt >/dev/full", 1, f"tokviz encode: {FULL}"),
    ("tokviz encode gpt2 no.txt 2>&-", 1, ""),
    ("tokviz encode gpt2 story.txt | head -c 3", 0, ""),
    ("tokviz decode gpt2 story.txt | true", 1, "tokviz decode: "),
    ("tokviz inspect gpt2 | head -n 1", 0, ""),
    ("tokviz --help | true", 0, ""),
    (f"{TRAIN} 2>&-", 0, ""),
    (f"{TRAIN} --verbose | head -n 2", 0, ""),
]
QUICK = (f"{TRAIN} --vocab-size 40000 2>&1 >/dev/null | true", 0, "")


@pytest.mark.parametrize(
    ("command", "code", "err"), [*(pytest.param(*each, marks=pytest.mark.slow) for each in STREAMS), QUICK]
)
def test_closed_and_full_streams(story, command, code, err):
    done = bash(command, os.getcwd())
    assert done.returncode == code and done.stderr.startswith(err) and done.stderr.count("\n") == bool(err), done.stderr
    assert Path("x.model").exists() == command.startswith(TRAIN)


@pytest.mark.parametrize(
    ("stream", "words"),
    [("stdin", "tokviz encode: standard input is closed"), ("stdout", "tokviz: standard output is closed")],
)
def test_a_stream_that_was_closed_at_the_start_is_reported(capsys, monkeypatch, stream, words):
    monkeypatch.setattr(sys, stream, None)  # as Python has it then
    assert main(["encode", "gpt2"]) == 1
    assert capsys.readouterr().err.startswith(words)


def test_a_full_device_is_reported(capsys, monkeypatch, story):
    with open("/dev/full", "w") as output:
        monkeypatch.setattr(sys, "stdout", output)
        assert main(["encode", "gpt2", "story.txt"]) == 1
    assert capsys.readouterr().err == f"tokviz encode: {FULL}\n"


@pytest.mark.slow
def test_runs_at_the_same_time_on_one_output_all_end_well(story):
    done = bash(
        f"for i in 1 2 3 4 5 6; do {TRAIN} & done; for job in $(jobs -p); do wait $job || echo failed; done", "."
    )
    assert "failed" not in done.stdout and done.stderr == ""
    assert sorted(os.listdir()) == ["story.txt", "x.model"]
    assert tokviz.Tokenizer.read("x.model") == tokviz.train(sample("mixed"), vocab_size=400)
