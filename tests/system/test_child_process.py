"""Child processes end with their parent, however it ends, and run nothing but what they are for."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from threading import Thread

import psutil
import pytest
from processes import SECONDS, ended, until

from tokviz.corpus.corpus_counts import CorpusCounts

ROOT = Path(__file__).parents[2]
BATCH = "low lower lowest newest widest\n" * (2**22 // 31 + 1)


def train(folder, *options):
    """Return a command that counts what comes in on standard input."""
    command = [sys.executable, "-m", "tokviz", "train", "-", "--vocab-size", 300, "-o", folder / "x.model", *options]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([*map(str, command)], cwd=ROOT, text=True, **pipes)


def fed(run, n_batches):
    """Return a thread that writes batches of text into a process until it ends."""

    def feed():
        try:
            for _ in range(n_batches):
                run.stdin.write(BATCH)
                run.stdin.flush()
        except BrokenPipeError:
            pass

    thread = Thread(target=feed, daemon=True)
    thread.start()
    return thread


@pytest.mark.slow
def test_processes_that_count_end_with_a_command_that_is_killed_and_let_go_of_its_pipes(tmp_path):
    run = train(tmp_path, "--workers", 3)
    fed(run, 1_000)
    children = until(lambda: (found := psutil.Process(run.pid).children(recursive=True))[1:] and found)
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert not run.stdout.read() and run.stderr.read() is not None  # until nobody holds the other ends
    until(lambda: all(ended(child.pid) for child in children))


def at_rest(processes):
    """Whether processes have nothing to do, for half a second at least."""
    before = [process.cpu_times()[:2] for process in processes]
    time.sleep(0.5)
    return before == [process.cpu_times()[:2] for process in processes]


@pytest.mark.parametrize("workers", [1, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.slow
def test_an_interrupt_is_answered_while_input_is_awaited_and_keeps_all_that_is_counted(tmp_path, workers):
    run = train(tmp_path, "--workers", workers)
    feeding = fed(run, 5)
    until(lambda: not feeding.is_alive())
    processes = [psutil.Process(run.pid), *psutil.Process(run.pid).children(recursive=True)]
    assert len(processes) == workers
    until(lambda: at_rest(processes))
    run.send_signal(signal.SIGINT)
    assert run.wait(SECONDS) == 130
    assert "counts are in" in run.stderr.read()
    assert CorpusCounts.read(tmp_path / "x.model.counts").n_batches == 4  # of the fifth, the end is not read yet
    until(lambda: all(ended(each.pid) for each in processes[1:]))


@pytest.mark.slow
def test_a_second_interrupt_ends_a_command_at_once(tmp_path):
    code = (
        "import signal, sys, time\nfrom tokviz.cli import main\n"
        "from tokviz.corpus.corpus_counts import CorpusCounts\n"
        "CorpusCounts.save = lambda *_: time.sleep(600)\nsys.exit(main(sys.argv[1:]))"
    )
    command = ["train", "-", "--vocab-size", "300", "-o", str(tmp_path / "x.model"), "--workers", "2"]
    pipes = dict.fromkeys(("stdin", "stderr"), subprocess.PIPE)
    run = subprocess.Popen([sys.executable, "-c", code, *command], cwd=ROOT, text=True, **pipes)
    fed(run, 1_000)
    until(lambda: psutil.Process(run.pid).children())
    run.send_signal(signal.SIGINT)
    until(lambda: "interrupt again" in run.stderr.readline())
    run.send_signal(signal.SIGINT)
    assert run.wait(SECONDS) == 130


SCRIPT = textwrap.dedent(
    """
    import tokviz

    print("run")
    text = "".join(f"one two {i % 999}. " for i in range(400_000))
    tokenizer = tokviz.train(text, vocab_size=300, workers=2)
    assert tokenizer == tokviz.train(text, vocab_size=300, workers=1)
    """
)


@pytest.mark.parametrize(
    "way", [pytest.param("-c", marks=pytest.mark.slow), "-", pytest.param("script.py", marks=pytest.mark.slow)]
)
@pytest.mark.slow
def test_a_script_without_a_guard_is_run_once(tmp_path, way):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "pickle.py").write_text("raise ImportError('not the one of Python')")
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "script.py").write_text(SCRIPT)
    arguments = {"-c": ["-P", "-c", SCRIPT], "-": ["-P", "-"], "script.py": [str(folder / "script.py")]}[way]
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=tmp_path,  # where a file stands in the way of Python's own module
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        input=SCRIPT if way == "-" else None,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "run\n", "")


@pytest.mark.slow
def test_a_script_finds_its_own_libraries_in_its_processes(tmp_path):
    code = f"import sys\nsys.path.append({str(ROOT)!r})\n{SCRIPT}"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "run\n", "")
