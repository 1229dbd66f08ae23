"""Every path that a command takes may be a device, a pipe or a folder: it is read once, or refused in words."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import tokviz
from tokviz.cli import main
from tokviz.system import input_file

ROOT = Path(__file__).parents[2]
TEXT = "low lower lowest"
# Each command with a place for the path that is tried.
OF_TOKENIZERS = (
    ("encode", "PATH", "text.txt"),
    ("decode", "PATH", "ids"),
    ("inspect", "PATH"),
    ("compare", "gpt2", "PATH", "--text", "text.txt"),
    ("trim", "PATH", "text.txt", "-o", "out.model"),
    ("train", "text.txt", "--start", "PATH", "--vocab-size", "264", "-o", "out.model"),
)
OF_TEXTS = (
    ("encode", "gpt2", "PATH"),
    ("decode", "gpt2", "PATH"),
    ("compare", "gpt2", "--text", "PATH"),
    ("inspect", "small.model", "--text", "PATH"),
    ("count", "PATH"),
    ("trim", "small.model", "PATH", "-o", "out.model"),
    ("train", "PATH", "--vocab-size", "260", "-o", "out.model"),
)
OF_OUTPUTS = (
    ("train", "text.txt", "--vocab-size", "260", "-o", "PATH"),
    ("train", "text.txt", "--vocab-size", "260", "-o", "out.model", "--counts", "PATH"),
    ("trim", "gpt2", "text.txt", "-o", "PATH"),
    ("trim", "gpt2", "text.txt", "-o", "out.json", "--map", "PATH"),
)
pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(input_file, "WRITER_SECONDS", 0.1)
    Path("text.txt").write_text(TEXT)
    Path("ids").write_text("68 69 70")
    tokviz.train(TEXT, vocab_size=261).save("small.model")
    os.mkfifo("pipe")
    os.mkfifo("pipe.txt")
    for name in ("zero.txt", "zero.model", "zero.counts"):
        os.symlink("/dev/zero", name)
    Path("empty").mkdir()
    return tmp_path


def with_path(command, path):
    return [path if part == "PATH" else part for part in command]


PATHS = ("/dev/zero", "zero.txt", "zero.model", "zero.counts", "pipe", "pipe.txt", "empty")


@pytest.mark.parametrize("command", OF_TOKENIZERS + OF_TEXTS + OF_OUTPUTS, ids=" ".join)
def test_what_may_never_end_is_refused_in_words(capsys, folder, command):
    for path in PATHS:
        if command in OF_OUTPUTS and path == "pipe.txt":
            continue  # a suffix that no tokenizer has
        assert main(with_path(command, path)) == 1, path
        out, err = capsys.readouterr()
        assert err.startswith(f"tokviz {command[0]}: ") and "Errno" not in err and out == "", (path, err)
        assert path in err and not Path("out.model").exists()


@pytest.mark.parametrize("command", OF_TOKENIZERS + OF_TEXTS, ids=" ".join)
def test_what_a_shell_pipes_in_is_read_as_a_file_is(capsys, folder, command):
    of_ids = command[:2] == ("decode", "gpt2")
    file = "small.model" if command in OF_TOKENIZERS else "ids" if of_ids else "text.txt"
    data = Path(file).read_bytes()
    reader, writer = os.pipe()
    thread = threading.Thread(target=lambda: (os.write(writer, data[:1]), os.write(writer, data[1:]), os.close(writer)))
    thread.start()
    results = []
    for path in (f"/dev/fd/{reader}", file):
        assert main(with_path(command, path)) == 0, capsys.readouterr().err
        result = Path(command[command.index("-o") + 1]).read_text() if "-o" in command else capsys.readouterr().out
        results.append(result.replace(path, "PATH").replace("/dev/fd", "").replace(f"{reader} (", "small ("))
    thread.join()
    os.close(reader)
    assert results[0].split() == results[1].split()


def test_a_tokenizer_is_read_once(folder, monkeypatch):
    opened = []

    def open_file(path):
        opened.append(path.name)
        return input_file.open_file(path)

    monkeypatch.setattr("tokviz.formats.folders.open_file", open_file)
    assert main(["compare", "small.model", "gpt2", "--text", "text.txt"]) == 0
    assert main(["train", "text.txt", "--start", "small.model", "--vocab-size", "264", "-o", "out.model"]) == 0
    assert opened == ["small.model"] * 2


def test_memory_that_runs_out_is_refused_in_words(capsys, folder, monkeypatch):
    def too_much(_):
        raise MemoryError

    monkeypatch.setattr("tokviz.cli.encoding.read_file_or_stdin_text", too_much)
    assert main(["encode", "gpt2", "text.txt"]) == 1
    assert "more memory than there is" in capsys.readouterr().err


def limited(command):
    """Return a command of the shell's, with 3 GB of addresses, as it ended."""
    line = f"ulimit -v 3000000; {sys.executable} -m tokviz {command}"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        ["bash", "-c", line], env=environment, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("command", OF_TOKENIZERS + OF_TEXTS, ids=" ".join)
def test_with_little_memory_whatever_has_no_end_is_refused_and_the_rest_is_read(folder, command):
    piped = "small.model" if command in OF_TOKENIZERS else "ids" if command[:2] == ("decode", "gpt2") else "text.txt"
    for path in ("/dev/zero", "zero.txt", *(["<(cat /dev/zero)"] if command in OF_TOKENIZERS + OF_TEXTS[:1] else [])):
        run = limited(" ".join(with_path(command, path)))
        assert run.returncode == 1 and run.stderr.startswith(f"tokviz {command[0]}: "), (path, run)
        assert len(run.stderr) < 300 and "Errno" not in run.stderr, run.stderr
    run = limited(" ".join(with_path(command, f"<(sleep 0.5; cat {piped})")))
    assert run.returncode == 0, run.stderr
