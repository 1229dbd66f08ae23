"""`tokviz encode --output`: ids of files and folders in one file, continued after a stop."""

import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import tokviz
from tokviz.cli import encoding, main
from tokviz.core.samples import SAMPLES, sample
from tokviz.corpus import token_file
from tokviz.system.atomic_file import open_exclusively

ROOT = Path(__file__).parents[2]
END = "<|endoftext|>"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("texts/more").mkdir(parents=True)
    Path("texts/a.txt").write_text("".join(map(sample, SAMPLES)) * 3, newline="")
    lines = [json.dumps({"text": text}) for text in ("one", "", "สวัสดี", END)]
    Path("texts/b.jsonl.gz").write_bytes(gzip.compress("\n".join([*lines, "{}"]).encode()))
    Path("texts/more/c.txt").write_text(" last")
    return "texts"


def documents():
    return ["".join(map(sample, SAMPLES)) * 3, "one", "", "สวัสดี", END, " last"]


def expected(name, *, separator=True):
    tokenizer = tokviz.load(name)
    end = [tokenizer.special_tokens[END]] if separator else []
    return [i for text in documents() for i in (*tokenizer.encode(text), *end)]


@pytest.mark.parametrize(("name", "dtype"), [("gpt2", np.uint16), ("o200k_base", np.uint32)])
def test_the_ids_of_a_folder(capsys, folder, name, dtype):
    assert main(["encode", folder, "-t", name, "-o", "ids.npy", "--separator", END]) == 0
    out, err = capsys.readouterr()
    assert np.dtype(dtype).name in out and "left out: texts/b.jsonl.gz, line 5" in err and "encoding" not in err
    ids = np.load("ids.npy", mmap_mode="r")
    assert ids.dtype == dtype and ids.tolist() == expected(name)
    assert main(["encode", name, folder, "-o", "ids.bin", "--json"]) == 0
    assert np.fromfile("ids.bin", dtype).tolist() == expected(name, separator=False)
    result = json.loads(capsys.readouterr().out)
    assert (result["n_documents"], result["n_tokens"]) == (6, len(expected(name, separator=False)))
    assert sorted(os.listdir()) == ["ids.bin", "ids.npy", "texts"]


@pytest.mark.parametrize(("output", "after"), [("ids.npy", 0), ("ids.bin", 3), ("ids.npy", 6)])
def test_a_run_that_was_killed_goes_on(capsys, folder, monkeypatch, output, after):
    class Killed(Exception):
        pass

    encoded = []

    def arrays(*args, **options):
        for n, ids in enumerate(token_file.id_arrays(*args, **options)):
            if n == after and not options["first"] and not encoded:
                raise Killed
            yield ids

    monkeypatch.setattr(encoding, "id_arrays", arrays)
    command = ["encode", "gpt2", folder, "-o", output, "--separator", END, "--every", "0"]
    with pytest.raises(Killed):
        main(command)
    assert not Path(output).exists()
    with Path(output + ".partial").open("ab") as file:
        file.write(b"cut off")
    if after:
        assert main([*command, "--separator", "<|endoftext|>", "--text-key", "other"]) == 1
        assert "was begun with other files" in capsys.readouterr().err
    encoded.append(True)
    assert main(command) == 0
    ids = np.load(output) if output.endswith("npy") else np.fromfile(output, np.uint16)
    assert ids.tolist() == expected("gpt2")
    assert sorted(os.listdir()) == [output, "texts"]


def test_two_runs_do_not_write_one_file(capsys, folder):
    with open_exclusively(Path("ids.bin.partial")) as file:
        file.write(b"ids")
        file.flush()
        assert main(["encode", "gpt2", folder, "-o", "ids.bin"]) == 1
        assert "another process is writing 'ids.bin.partial'" in capsys.readouterr().err
        assert Path("ids.bin.partial").read_bytes() == b"ids"
    assert main(["encode", "gpt2", folder, "-o", "ids.bin"]) == 0
    assert np.fromfile("ids.bin", np.uint16).tolist() == expected("gpt2", separator=False)


@pytest.mark.slow
def test_an_interrupt_keeps_what_is_done(folder):
    Path("texts/a.txt").write_text(sample("english") * 8_000)
    command = [sys.executable, "-m", "tokviz", "encode", "gpt2", folder, "-o", "ids.bin", "--every", "0.1"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    while not Path("ids.bin.partial.json").exists() and run.poll() is None:
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    err = run.communicate()[1]
    assert run.returncode == 130 and "give the same command again" in err and not Path("ids.bin").exists()
    n_kept = json.loads(Path("ids.bin.partial.json").read_text())["n_ids"]
    assert n_kept > 0 and subprocess.run(command, env=environment).returncode == 0
    whole = [i for text in (sample("english") * 8_000, *documents()[1:]) for i in tokviz.load("gpt2").encode(text)]
    assert np.fromfile("ids.bin", np.uint16).tolist() == whole and len(whole) > n_kept


def test_standard_input_and_what_is_refused(capsys, folder, monkeypatch):
    for arguments, reason in (
        (["-o", "ids.txt"], "must end in one of .npy, .bin"),
        (["-o", "no/ids.npy"], "there is no folder"),
        (["-o", "ids.npy", "--separator", "<no>"], "'<no>' is not a special token of gpt2, which has <|endoftext|>"),
        (["--separator", END], "are for --output"),
        (["-o", "ids.npy", "--every", "-1"], "--every must be a number of seconds"),
    ):
        assert main(["encode", "gpt2", folder, *arguments]) == 1
        assert reason in capsys.readouterr().err
    assert os.listdir() == ["texts"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"hello world")))
    assert main(["encode", "-t", "gpt2", "-", "-o", "ids.bin"]) == 0
    assert np.fromfile("ids.bin", np.uint16).tolist() == [31373, 995]


def test_a_special_token_is_found_however_a_document_is_cut(folder):
    Path("long.txt").write_text("a " * 200_000 + END + " b")
    assert main(["encode", "gpt2", "long.txt", "-o", "ids.npy", "--allow-special", "all"]) == 0
    assert np.load("ids.npy")[-2:].tolist() == [50256, 275]
