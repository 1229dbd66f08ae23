"""Code that does its worst: the process that asks it has its answer or the reason in time, and nothing stays behind."""

import sys
import uuid

import psutil
import pytest

from tokviz.system import confined_process
from tokviz.system.confined_process import ConfinedProcess, NoAnswerError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="what Linux alone has")

IGNORE = "import signal; [signal.signal(n, signal.SIG_IGN) for n in range(1, 32) if n not in (9, 19)]"
UNDO = f"{IGNORE}; [signal.setitimer(timer, 0) for timer in range(3)]; signal.alarm(0)"
LEAVE = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(999)', MARK], start_new_session=True)"
FORKS = "(os.fork(), os.setsid(), os.fork()) and None"


@pytest.fixture(params=[confined_process.KEEPER, "shared_numbers"])
def keeper(request, monkeypatch):
    monkeypatch.setattr(confined_process, "KEEPER", request.param)
    return request.param


def why_not(code: str, seconds: float = 0.5) -> str:
    """Return why code gave no answer; see that nothing of it is left."""
    before, mark = {*psutil.Process().children(recursive=True)}, uuid.uuid4().hex
    process = ConfinedProcess("confined_lines")
    try:
        with pytest.raises(NoAnswerError) as refusal:
            assert process.answer(f"MARK = {mark!r}\n".encode(), 60) == b"done\n"
            assert process.answer(f"{code}\n".encode(), seconds) == b"done\n", "answered"
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
        (f"{UNDO}\nwhile True: pass".replace("\n", "; exec('") + "')", "did not end within 0 seconds"),
        ("import time; time.sleep(10_000)", "did not end"),
        ("os.kill(os.getpid(), 19)", "did not end"),
        ("os.abort()", "crashed"),
        ("os.killpg(0, 9)", "was killed"),
        ("os._exit(0)", "ended the process that ran it"),
        ("os.closerange(0, 100)", "ended"),
        (f"{LEAVE}; os._exit(0)", "ended"),
        (f"{FORKS}; os._exit(0)", "ended"),
        ("os.write(1, b'x' * 20_000_000)", "no answer that can be read"),
    ],
)
@on_linux
def test_code_that_gives_no_answer_is_ended_with_the_reason(keeper, code, words):
    assert words in why_not(code)
