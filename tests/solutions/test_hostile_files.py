"""Files that mean to pass: whatever they do, the verdict is the check's own, in words, and nothing stays behind."""

import errno
import json
import os
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from tokviz.cli import main
from tokviz.solutions import pieces, questions
from tokviz.solutions.file_report import KINDS, file_report
from tokviz.solutions.outcomes import outcomes_of
from tokviz.solutions.plain import tagged_json_line, value_of_tagged_json_line
from tokviz.solutions.questions import FailedError, Solution
from tokviz.solutions.solution import GIVEN, READY, STATS, TRAINING

STATS_FILE = "def get_stats(ids):\n    {}\n    return {{}}\n"
RIGHT = tagged_json_line(["returned", ({(1, 2): 2, (2, 3): 1, (3, 1): 1}, True)])


def said(tmp_path, code):
    """Return what is said of a file."""
    (tmp_path / "solution.py").write_text(code, "utf-8")
    with closing(Solution(str(tmp_path / "solution.py"))) as solution:
        [found] = outcomes_of(pieces.pair_counter_outcomes, solution, "get_stats")
    return found


@pytest.mark.parametrize(
    ("does", "words"),
    [
        ("import os; os._exit(0)", "ended the process"),
        ("import os; os.killpg(0, 9)", "was killed"),
        ("import os; [os.write(i, b'+') for i in range(3, 9)]", ""),
        ("import os; [os.write(i, b'[\"returned\", 1e400]\\n') for i in range(4, 5)]", "no answer that can be read"),
        (
            "import os; os.fork(); raise ValueError('\\x1b[2J\\x07\\u202e' + 'x' * 999)",
            "ValueError: \\x1b[2J\\x07\\u202exx",
        ),
        ("import sys; sys.exit('bye')", "SystemExit: bye (line 2)"),
        ("import json; json.dumps = None", "ended the process"),
    ],
)
def test_a_file_never_passes_by_what_it_does_to_its_process(tmp_path, does, words):
    found = said(tmp_path, STATS_FILE.format(does))
    assert found.state in ("failed", "differs") and words in found.words and len(found.words) < 400
    assert "\x1b" not in found.words and "\u202e" not in found.words


def test_an_answer_written_past_the_function_is_one_answer_like_any_other(tmp_path):
    """It stands for the first question, which it answers rightly; the others it does not know."""
    forged = f"import os; os.write(4, {RIGHT!r}); os._exit(0)"
    assert said(tmp_path, STATS_FILE.format(forged)).state == "failed"


@pytest.mark.parametrize(
    "line",
    [b"", b"\n", b"{}", b"[", b"1.5", b"NaN", b'"x"', b'""', b"[]", b'["d", 1]', b'["d", ["l"], 1]', b'["x"]', b"[1]",
     b'["l", ["l", {}]]', b'"b\\u20ac"', b"9" * 5000, b"[" * 100_000, b'["l", ' * 30 + b"1" + b"]" * 30, b"\xff"],
)  # fmt: skip
def test_a_line_that_is_no_value_is_refused_in_words(line):
    with pytest.raises(ValueError, match="not an answer"):
        value_of_tagged_json_line(line)


ODD = (
    None, True, 5, -1, "x", "(((", b"x", [], {}, (), [[]], [None], [[1]] * 28, ["x"] * 28, [[b"x"]] * 28, {1: 2},
    ([], True), ({}, True), ([1], False), (None, True), (({}, []), True), (({0: 5}, [(b"a", b"b")]), True),
    (({}, {(1, 2): 0, (3, 4): "x"}), True), ([(256 + i, 256 + i) for i in range(-1, 60)], True), ([(-1, 0)], True),
    [(97, 97), *((256 + i, 256 + i) for i in range(60))], {(97, 98): None}, [1, 2, 3], ["input_path"],
    [(b"a" * 9999, b"b")], FailedError("x"), FailedError("x", is_not_implemented=True),
)  # fmt: skip


class Forged(Solution):
    """A solution that answers every question alike."""

    def __init__(self, forged):
        super().__init__("x.py")
        self.forged = forged

    def answer(self, question, seconds):
        if isinstance(self.forged, FailedError):
            raise self.forged
        return self.forged


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_answered_there_is_a_verdict(trained, monkeypatch, kind):
    monkeypatch.setattr(pieces, "load", lambda _: trained)
    for answer in ODD[1 :: 40 if kind in (GIVEN, READY) else 1]:  # these take long to compute what is right
        found = outcomes_of(KINDS[kind].check, Forged(answer), "name")
        assert json.dumps([each.words for each in found]) and any(each.state != "ok" for each in found) == bool(found)
        assert all(len(each.words) < 2000 for each in found)


def test_names_are_names(tmp_path, monkeypatch):
    for names in ({STATS: ["\x1b[2J"]}, {STATS: "get_stats"}, {1: [[]]}, [STATS], None):
        monkeypatch.setattr(Solution, "answer", lambda *_, names=names: names)
        (tmp_path / "x.py").write_text("")
        with pytest.raises(ValueError, match=r"x\.py"):
            file_report(tmp_path / "x.py")


def test_an_answer_that_is_a_program_for_pickle_is_text(tmp_path, capsys):
    """A class that runs code wherever it is unpickled, given as a result."""
    (tmp_path / "s.py").write_text(
        "import os\nclass Evil(dict):\n    def __reduce__(self): return os._exit, (0,)\n"
        "def get_stats(ids): return Evil()\n"
    )
    assert main(["check", str(tmp_path / "s.py")]) == 1
    assert "differs  counts" in capsys.readouterr().out


def test_each_of_training_encoding_and_decoding_has_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(questions, "SECONDS", 1.0)
    code = (
        "class Tokenizer:\n    def train(self, text, vocab_size): self.merges = {{}}\n"
        "    def encode(self, text): {}\n    def decode(self, ids): {}\n"
    )
    for encode, decode, words in (
        ("import time; time.sleep(999)", "return ''", "encode: it did not end within 1 seconds"),
        ("return []", "import time; time.sleep(999)", "decode: it did not end within 1 seconds"),
    ):
        (tmp_path / "s.py").write_text(code.format(encode, decode))
        [part] = file_report(tmp_path / "s.py").parts
        assert part.outcomes[0].what == "round trip" and part.outcomes[0].words == words
    assert not [each for each in psutil.Process().children() if "tokviz.system.confined.keeper" in each.cmdline()]


def test_a_full_disk_is_reported_with_the_name_of_the_file(monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match=r"No space left on device: '.*corpus\.txt'"):
        list(KINDS[TRAINING].check(Forged(["input_path"]), "train_bpe"))
