"""The command line: results on standard output, reasons on standard error, exit codes, interrupts."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import tokviz
from tokviz.cli import COMMANDS, main, parser_and_commands
from tokviz.core.samples import sample
from tokviz.formats import pretrained
from tokviz.formats.pretrained import ENCODINGS
from tokviz.training.plan import Plan

ROOT = Path(__file__).parents[2]


@pytest.fixture
def story(tmp_path):
    path = tmp_path / "story.txt"
    path.write_text(sample("mixed"), newline="")
    return str(path)


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "small.model"
    tokviz.train(sample("mixed"), vocab_size=400, special_tokens=["<s>"]).save(path)
    return str(path)


def test_training_equals_training_in_python(ran, tmp_path, story):
    output = tmp_path / "out.model"
    code, out, err = ran("train", story, "--vocab-size", 500, "-o", output, "--special", "<s>", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["n_merges"] == 244 and json.loads(out)["n_vocab"] == 501
    expected = tokviz.train(sample("mixed"), vocab_size=500, special_tokens=["<s>"])
    assert tokviz.Tokenizer.read(output) == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.model", "story.txt"]  # no counts are left


def test_counts_serve_several_sizes_and_add_up(ran, printed, tmp_path, story):
    (tmp_path / "thai.txt").write_text(sample("thai"))
    first, second = tmp_path / "a.counts", tmp_path / "b.counts"
    for path, counts in ((story, first), (tmp_path / "thai.txt", second)):
        out = printed("train", path, "--vocab-size", 256, "-o", tmp_path / "x.model", "--counts", counts)
        assert "merges 0;" in out
    ran("train", first, second, "--vocab-size", 600, "-o", tmp_path / "both.model")
    expected = tokviz.train([sample("mixed"), sample("thai")], vocab_size=600)
    assert tokviz.Tokenizer.read(tmp_path / "both.model") == expected
    assert first.exists() and second.exists()


def test_bad_lines_are_named_and_an_early_end_too(ran, tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"text": "low"}\nno\n' + '{"body": 1}\n' * 12)
    arguments = ["train", path, "--vocab-size", 300, "-o", tmp_path / "x.model"]
    code, out, err = ran(*arguments, "--json")
    result = json.loads(out)
    assert code == 0 and result["n_bad_lines"] == 13 and result["bad_lines"][0]["line"] == 2
    assert f"left out: {path}, line 2: not JSON" in err and "left out: 3 more lines" in err
    assert "no pair is left to merge after 2 of 44 merges" in err
    code, out, err = ran(*arguments, "--strict")
    assert code == 1 and out == "" and f"{path}, line 2" in err


def test_encode_and_decode_are_the_round_trip(printed, tmp_path, story, model):
    out = printed("encode", model, story)
    (tmp_path / "ids").write_text(out)
    encoded = tokviz.Tokenizer.read(model).encode(sample("mixed"))
    assert list(map(int, out.split())) == encoded
    assert json.loads(printed("encode", "gpt2", story, "--json"))["ids"] == tokviz.load("gpt2").encode(sample("mixed"))
    assert json.loads(printed("decode", model, tmp_path / "ids", "--json"))["text"] == sample("mixed")
    assert printed("decode", model, tmp_path / "ids") == sample("mixed")


def test_special_tokens_are_plain_text_unless_allowed(printed, refused, tmp_path, model):
    (tmp_path / "chat.txt").write_text("<s>low")
    assert len(printed("encode", model, tmp_path / "chat.txt").split()) > 3
    assert printed("encode", model, tmp_path / "chat.txt", "--allow-special", "<s>").split()[0] == "400"
    assert "'<t>' is not a special token" in refused("encode", model, tmp_path / "chat.txt", "--allow-special", "<t>")


def test_compare_and_inspect(printed, story, model):
    rows = json.loads(printed("compare", model, "gpt2", "--text", story, "--json"))
    assert [row["n_tokens"] for row in rows] == [
        len(tokenizer.encode(sample("mixed"))) for tokenizer in (tokviz.Tokenizer.read(model), tokviz.load("gpt2"))
    ]
    assert f"{rows[1]['n_tokens']:,}" in printed("compare", model, "gpt2", "--text", story)
    result = json.loads(printed("inspect", model, "--text", story, "--limit", 3, "--json"))
    assert len(result["longest"]) == 3 and result["usage"]["n_tokens"] == rows[0]["n_tokens"]
    for heading in ("Longest tokens", "Tokens by script", "In several tokens: "):
        assert heading in printed("inspect", model, "--text", story)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["encode", "no-such"], "there is no file 'no-such'; tokviz knows no tokenizer or model 'no-such': try"),
        (["encode", "gpt2.json"], "there is no file 'gpt2.json'; tokviz knows no"),
        (["show", "low", "-t", "Claude Sonnet"], "'Claude Sonnet'; Claude is not included: Anthropic"),
        (["encode", "gpt2", "no.txt"], "No such file"),
        (["decode", "gpt2", __file__], "is not a token id"),
        (["train", "no.txt", "--vocab-size", "300", "-o", "x.model"], "there is no file 'no.txt'"),
        (["train", "no.txt", "--vocab-size", "300", "-o", "x.pdf"], "'.pdf' is not one of"),
        (["train", "no.txt", "--vocab-size", "200", "-o", "x.model"], "vocab_size must be a whole number"),
        (["train", "no.txt", "--vocab-size", "300", "-o", "no/x.model"], "there is no folder 'no'"),
        (
            ["train", "a", "--vocab-size", "300", "-o", "x.model", "--split-pattern", "(a"],
            "is not a regular expression",
        ),
        (["inspect", "gpt2", "--limit", "-1"], "--limit"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_reason(refused, arguments, reason):
    assert reason in refused(*arguments)


def test_a_model_leads_to_its_tokenizer_and_that_is_said(ran):
    (code, ids, err), expected = (
        ran("encode", "openai/GPT-4", __file__, "--json"),
        ran("encode", "cl100k_base", __file__),
    )
    assert code == 0 and json.loads(ids)["ids"] == list(map(int, expected[1].split()))
    assert "using its tokenizer cl100k_base" in err and not expected[2]


def test_what_is_included_is_listed_without_loading_it(printed):
    pretrained.LOADED.clear()
    rows = {row["name"]: row for row in json.loads(printed("list", "--json"))}
    assert [*rows] == list(ENCODINGS)
    found = rows["o200k_base"]
    assert found["known_as"] == "GPT-4o" and found["year"] == 2024 and "gpt-5" in found["models"]
    assert [line.split()[0] for line in printed("list").splitlines()] == ["name", *ENCODINGS]
    assert printed("list", "--csv").startswith("name,known_as,maker,year,licence\n")
    assert pretrained.LOADED.names() == []


def test_the_parser_of_a_command_is_that_of_all_commands(capsys):
    assert re.findall(r"(?m)^    (\w+)", parser_and_commands()[0].format_help()) == [*COMMANDS]
    for command in COMMANDS:
        for one, _ in (parser_and_commands(), parser_and_commands(command)):
            with pytest.raises(SystemExit, match="0"):
                one.parse_args([command, "--help"])
            with pytest.raises(SystemExit, match="2"):
                one.parse_args([command, "--no-such-option"])
        out = capsys.readouterr().out
        assert out.startswith(f"usage: tokviz {command} ") and out[: len(out) // 2] * 2 == out
        assert "\nexamples:\n" in out and out.endswith("docs/command-line.md says more.\n")


@pytest.mark.slow
@pytest.mark.parametrize(("command", "absent"), [("serve", "tokviz.core.tokenizer"), ("encode", "tokviz.lessons")])
def test_a_command_imports_no_module_of_another(command, absent):
    code = f"import sys\nfrom tokviz import cli\ncli.parser_and_commands({command!r})\n"
    code += f"assert {absent!r} not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_an_interrupt_while_merging_keeps_the_merges(ran, printed, monkeypatch, tmp_path, story):
    learned = Plan.steps

    def steps(plan, counts):
        for step in learned(plan, counts):
            if step.rank == 5:
                os.kill(os.getpid(), signal.SIGINT)
            yield step

    monkeypatch.setattr(Plan, "steps", steps)
    arguments = ["train", story, "--vocab-size", 500, "-o", tmp_path / "x.model"]
    code, out, err = ran(*arguments)
    assert (code, out) == (130, "") and "give the same command again" in err
    assert tokviz.Tokenizer.read(tmp_path / "x.partial.model").n_vocab == 261
    monkeypatch.undo()
    printed(*arguments)
    assert tokviz.Tokenizer.read(tmp_path / "x.model") == tokviz.train(sample("mixed"), vocab_size=500)


def process(*arguments):
    command = [sys.executable, "-m", "tokviz", *map(str, arguments)]
    return subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_run_that_is_killed_or_interrupted_goes_on_to_the_same_merges(ran, tmp_path):
    # The first file fills a batch; then the run waits for the second, a pipe that nobody writes into.
    first, second = "low lower newest\n" * 260_000, "lowest newest\n"
    (tmp_path / "a.txt").write_text(first)
    os.mkfifo(tmp_path / "b.txt")
    output = tmp_path / "x.model"
    arguments = ["train", tmp_path / "a.txt", tmp_path / "b.txt", "--vocab-size", 266, "-o", output, "--workers", 1]
    run = process(*arguments, "--every", 0)
    while not (tmp_path / "x.model.counts").exists():
        assert run.poll() is None, run.communicate()
        time.sleep(0.02)
    run.kill()
    run.communicate()
    assert not output.exists()
    writer = threading.Thread(target=(tmp_path / "b.txt").write_text, args=[second], daemon=True)
    writer.start()
    code, out, err = ran(*arguments)
    assert code == 0 and "documents 2," in out, err
    writer.join()
    assert tokviz.Tokenizer.read(output) == tokviz.train([first, second], vocab_size=266)


@pytest.mark.slow
def test_an_interrupt_while_counting_says_what_is_kept(tmp_path):
    run = process("train", "-", "--vocab-size", 300, "-o", tmp_path / "x.model")
    run.stdin.write("low lower lowest")
    run.stdin.flush()
    while not _reads_or_ended(run):
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    said = list(iter(run.stderr.readline, ""))
    out, _ = run.communicate()
    assert "interrupt again to quit" in "".join(said) and "x.model.counts" in said[-1]
    assert run.returncode == 130 and out == ""


def _reads_or_ended(run):
    """Whether a process has taken what was written to its standard input, or has ended."""
    import fcntl
    import struct
    import termios

    waiting = struct.unpack("i", fcntl.ioctl(run.stdin.fileno(), termios.FIONREAD, b"\0\0\0\0"))[0]
    return not waiting or run.poll() is not None


def test_a_pipe_whose_reader_has_gone_is_no_error(capsys, monkeypatch, story):
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as output:
        monkeypatch.setattr(sys, "stdout", output)
        assert main(["encode", "gpt2", story]) == 0
    assert capsys.readouterr().err == ""
