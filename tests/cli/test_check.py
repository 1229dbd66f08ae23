"""`tokviz check`, as the documents show it."""

import json
import re
import subprocess
import sys

import pytest
from serving import ROOT

from tokviz.cli import main
from tokviz.core.named_patterns import SPLIT_PATTERNS

COMMANDS = (ROOT / "docs" / "command-line.md").read_text("utf-8")
CODE, SHOWN = re.search(
    r"```python\n(.*?)```\n\n```text\n\$ tokviz check solution\.py\n(.*?)```", COMMANDS, re.DOTALL
).groups()


@pytest.fixture
def solution(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "solution.py").write_text(CODE, "utf-8")
    return "solution.py"


def test_the_example_of_the_documents_prints_what_they_show(capsys, tmp_path, solution):
    (tmp_path / "numpy.py").write_text("raise SystemExit('not numpy')")
    assert main(["check", solution]) == 1
    assert capsys.readouterr().out == SHOWN


def test_the_result_is_also_there_as_json(capsys, solution):
    assert main(["check", solution, "--json"]) == 1
    result = json.loads(capsys.readouterr().out)
    by_name = {part["name"]: part["outcomes"] for part in result["parts"]}
    assert not result["is_right"] and [each["state"] for each in by_name["train_bpe"]] == ["differs", "ok"]
    assert "stats" in result["missing"]


def test_a_file_that_is_right_ends_in_0(capsys, tmp_path):
    (tmp_path / "a.py").write_text(f"PAT = {SPLIT_PATTERNS['gpt2']!r}\n")
    assert main(["check", str(tmp_path / "a.py")]) == 0
    out = capsys.readouterr().out
    assert "cuts as gpt2 does" in out and "differs" not in out


@pytest.mark.parametrize(
    ("code", "words"),
    [("def f(:", "cannot be imported"), ("x = 1", "has nothing that can be checked"), (None, "no file")],
)
def test_what_cannot_be_checked_is_refused_in_words(capsys, tmp_path, code, words):
    if code is not None:
        (tmp_path / "a.py").write_text(code)
    assert main(["check", str(tmp_path / "a.py")]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("tokviz check: ") and words in err


@pytest.mark.slow
def test_it_runs_from_a_folder_with_files_named_like_libraries(tmp_path, solution):
    (tmp_path / "numpy.py").write_text("raise SystemExit('not numpy')")
    command = [sys.executable, "-P", "-m", "tokviz", "check", solution]
    done = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.stdout == SHOWN and done.returncode == 1
