"""Code that does its worst: its parent has an answer or the reason for none in time, and nothing is left running."""

import subprocess
import sys
import uuid

import psutil
import pytest
from processes import ended, until
from serving import ROOT

from tokviz.system.confined import process
from tokviz.system.confined.process import ConfinedProcess, NoAnswerError

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="what Linux alone has")

IGNORE = "import signal; [signal.signal(n, signal.SIG_IGN) for n in range(1, 32) if n not in (9, 19)]"
UNDO = f"{IGNORE}; [signal.setitimer(timer, 0) for timer in range(3)]; signal.alarm(0)"
SLEEP = "[sys.executable, '-c', 'import time; time.sleep(999)', MARK]"
LEAVE = f"import subprocess, sys; subprocess.Popen({SLEEP}, start_new_session=True)"
FORKS = "(os.fork(), os.setsid(), os.fork()) and None"


@pytest.fixture(params=[process.KEEPER, "shared_numbers"])
def keeper(request, monkeypatch):
    monkeypatch.setattr(process, "KEEPER", request.param)
    return request.param


def why_not(code: str, seconds: float) -> str:
    """Return why code gave no answer; see that nothing of it is left."""
    before, mark = {*psutil.Process().children(recursive=True)}, uuid.uuid4().hex
    process = ConfinedProcess("confined_lines")
    try:
        with pytest.raises(NoAnswerError) as refusal:
            assert process.ask(f"MARK = {mark!r}\n".encode(), 60) == b"done\n"
            assert process.ask(f"{code}\n".encode(), seconds) == b"done\n", "answered"
        return str(refusal.value)
    finally:
        process.end()
        assert {*psutil.Process().children(recursive=True)} <= before
        assert not [each for each in psutil.process_iter() if mark in cmdline(each)]


def cmdline(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (f"{UNDO}; [None for _ in iter(int, 1)]", "did not end within 0 seconds"),
        ("import time; time.sleep(10_000)", "did not end"),
        ("os.kill(os.getpid(), 19)", "did not end"),
        ("os.abort()", "crashed"),
        ("os.killpg(0, 9)", "was killed"),
        ("os._exit(0)", "ended the process that ran it"),
        ("os.closerange(0, 100)", "ended"),
        (f"{LEAVE}; os._exit(0)", "ended"),
        (f"{FORKS}; os._exit(0)", "ended"),
        ("os.write(1, b'x' * 20_000_000)", "no answer that can be read"),
        (f"{LEAVE}; os.kill(os.getppid(), 9); os.close(1)", ""),
    ],
)
@on_linux
def test_code_that_gives_no_answer_is_ended_with_the_reason(keeper, code, words):
    assert words in why_not(code, 0.3 if "did not end" in words else 60)


@on_linux
def test_what_code_leaves_running_ends_with_its_process(keeper):
    before, mark = {*psutil.Process().children()}, uuid.uuid4().hex
    process = ConfinedProcess("confined_lines")
    assert process.ask(f"MARK = {mark!r}; {LEAVE}\n".encode(), 60) == b"done\n"
    [left] = until(lambda: [each for each in psutil.process_iter() if mark in cmdline(each)])
    process.end()
    assert until(lambda: ended(left.pid) and {*psutil.Process().children()} <= before)


@on_linux
def test_a_limit_of_memory_cannot_be_raised(keeper):
    """Not even by root, which tests may be."""
    raised = "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))"
    assert "ended" in why_not(raised, 60) and "ended" in why_not("bytearray(1_600_000_000)", 60)


@on_linux
@pytest.mark.slow
def test_processes_have_memory_together_and_may_not_be_too_many(keeper):
    full = "[os.fork() for _ in range(2)]; x = b'a' * 700_000_000; import time; time.sleep(60)"
    assert "more memory than it may have, 2 GB" in why_not(full, 60)
    assert "more than 256 processes" in why_not("[os.fork() for _ in iter(int, 1)]", 60)


@on_linux
def test_a_process_ends_with_the_one_that_asks_it(tmp_path):
    mark = uuid.uuid4().hex
    asks = f"""
import os
from tokviz.system.confined import process
from tokviz.system.confined.process import ConfinedProcess
process = ConfinedProcess("confined_lines")
process.ask(b"MARK = {mark!r}; {LEAVE}\\n", 60)
os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", asks], env={"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}, check=False)
    until(lambda: not [each for each in psutil.process_iter() if mark in cmdline(each)])
