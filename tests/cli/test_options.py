"""Commands as people type them: options anywhere, the version, names of models, plurals, and what a shell completes."""

import io
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

import tokviz
from tokviz.cli import COMMANDS, main
from tokviz.cli.completion import SHELLS
from tokviz.system import version


@pytest.fixture
def text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("low")
    return "a.txt"


def test_options_are_taken_before_between_and_after_arguments(printed, capsys, text):
    expected = printed("encode", "gpt2", text, "--json")
    assert printed("encode", "gpt2", "--json", text) == printed("encode", "--json", "gpt2", text) == expected
    assert printed("count", text, "-t", "gpt2", "--total", text) == "2\n"
    shown = printed("show", "--theme", "dark", "--", "-x")
    assert shown.startswith("cl100k_base: ") and "-x" in shown
    with pytest.raises(SystemExit, match="2"):
        main(["encode", "gpt2", "--json", "--", text, "--every"])
    assert "usage: tokviz encode" in capsys.readouterr().err
    for arguments in (["encode", "--json"], ["inspect", "gpt2", "--limit", "1", "more"]):
        with pytest.raises(SystemExit, match="2"):
            main(arguments)


def test_the_version_is_that_of_the_package(capsys, monkeypatch):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"tokviz {tokviz.__version__}\n"
    assert tokviz.__version__ == "0.1.0+checkout"

    def version_of(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(version, "IS_CHECKOUT", False)
    monkeypatch.setattr(version, "version", lambda name: f"{name} 2")
    assert version._version() == "tokviz 2"
    monkeypatch.setattr(version, "version", version_of)
    assert version._version() == "0+unknown"


@pytest.mark.parametrize(
    "arguments",
    [
        ["encode", "openai/GPT-2", "a.txt"],
        ["count", "-t", "gpt-2", "a.txt"],
        ["compare", "gpt-2", "--text", "a.txt"],
        ["split", "-t", "gpt-2", "a.txt"],
        ["show", "low", "-t", "gpt-2"],
    ],
)
def test_a_model_is_named_wherever_a_tokenizer_is(ran, text, arguments):
    code, out, err = ran(*arguments)
    assert code == 0 and out and "using its tokenizer gpt2" in err


def test_one_is_not_followed_by_a_plural(ran, printed, text, tmp_path):
    assert "1 id, uint16; 1 document;" in printed("encode", "gpt2", text, "-o", "ids.bin")
    (tmp_path / "bad.jsonl").write_text('{"text": "low"}\n' + "no\n" * 11)
    assert ran("count", "bad.jsonl").err.endswith("left out: 1 more line\n")
    tokviz.train("low low", vocab_size=258).save("low.model")
    assert "The text: 1 token, using 1 (0.4%)" in (out := printed("inspect", "low.model", "--text", text))
    assert "2 merges, 0 special tokens" in out and "In several tokens: 0 of 3 characters" in out


def test_options_for_an_output_are_refused_without_one(refused, text):
    for given in (["--every", "3"], ["--text-key", "body"], ["--stdin", "jsonl"]):
        assert "are for --output" in refused("encode", "gpt2", text, *given)


def test_a_total_is_one_number_for_each_tokenizer(printed, refused, text):
    assert printed("count", "-t", "gpt2", "-t", "cl100k_base", "--total", text) == "1\n1\n"
    assert "name a --tokenizer" in refused("count", "--total", text)
    assert "are not for --tree" in refused("count", "--tree", "--total", ".")


def test_a_corpus_of_nothing_but_bad_lines_is_refused(ran, text):
    Path("bad.jsonl").write_text("no\n")
    output = ("encode", "gpt2", "-o", "ids.bin")
    commands = ("count",), ("count", "-t", "gpt2"), ("diff", "gpt2", "gpt2", "--text"), output
    for command in commands:
        code, out, err = ran(*command, "bad.jsonl")
        assert (code, out) == (1, "") and "line 1: not JSON" in err, command
        assert err.endswith("there is no text in what is left\n")
    Path("bad.jsonl").write_text('no\n{"text": "low"}')
    for command in commands:
        assert ran(*command, "bad.jsonl").code == 0


@pytest.mark.parametrize(
    ("arguments", "shown", "warned"),
    [
        (["3"], "ส", True),
        (["4"], "สว", False),
        (["2", "--from-end"], " hi", True),
        (["3", "--from-end"], "ี hi", False),
        (["0"], "", False),
        (["99"], "สวัสดี hi", False),
        (["99", "--from-end"], "สวัสดี hi", False),
    ],
)
def test_a_text_is_truncated_without_tearing_a_character(ran, monkeypatch, arguments, shown, warned):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("สวัสดี hi".encode())))
    code, out, err = ran("truncate", "-t", "gpt2", *arguments)
    assert (code, out, "inside a character" in err) == (0, shown, warned)


def test_a_number_of_tokens_below_0_is_refused(refused, text):
    assert "0 or more" in refused("truncate", "-1", text)


WORDS = {
    "tokviz en": "encode", "tokviz encode gpt-4": "gpt-4o", "tokviz encode gpt2 a.": "a.txt",
    "tokviz encode gpt2 --out": "--output", "tokviz show low -t o200k_h": "o200k_harmony",
    "tokviz show low --theme d": "dark",
}  # fmt: skip
BASH = '''source <(cat)
while read -r line; do
  COMP_WORDS=($line); COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )); _shtab_tokviz; echo "${COMPREPLY[*]}"
done <<< "$1"'''


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_bash_completes_commands_options_tokenizers_and_files(printed, text):
    command = ["bash", "-c", BASH, "bash", "\n".join(WORDS)]
    done = subprocess.run(command, input=printed("completion", "bash"), capture_output=True, text=True)
    for line, word in zip(done.stdout.splitlines(), WORDS.values(), strict=True):
        assert word in line.split()


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_for_all_shells_have_all_commands_and_tokenizers(printed, shell):
    script = printed("completion", shell)
    assert "deepseek-v4" in script and all(command in script for command in COMMANDS)
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)
