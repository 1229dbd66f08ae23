"""Files that are written whole or not at all, and what a killed process leaves of them."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tokviz.system.atomic_file import check_replaceable, replacement_file

ROOT = Path(__file__).parents[2]
BEGUN = """
import pathlib, signal, sys, time
from tokviz.system.atomic_file import replacement_file
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
with replacement_file(pathlib.Path(sys.argv[1])) as file:
    file.write(b"half")
    print("begun", flush=True)
    time.sleep(60)
"""


def test_what_a_killed_process_left_is_deleted_and_what_another_writes_is_not(tmp_path):
    path = tmp_path / "x.model"
    runs = [
        subprocess.Popen([sys.executable, "-c", BEGUN, str(path)], cwd=ROOT, stdout=subprocess.PIPE) for _ in range(2)
    ]
    for run in runs:
        assert run.stdout.readline() == b"begun\n"
    assert len(list(tmp_path.iterdir())) == 2
    runs[0].kill()
    runs[0].communicate()
    with replacement_file(path) as file:
        file.write(b"whole")
    left = [found.name for found in tmp_path.iterdir() if found != path]
    assert len(left) == 1 and left[0].startswith(".x.model.")  # the one that is still written
    runs[1].send_signal(signal.SIGINT)
    runs[1].communicate()
    assert os.listdir(tmp_path) == ["x.model"] and path.read_bytes() == b"whole"


def test_what_cannot_be_replaced_is_refused_and_nothing_is_left(tmp_path):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (
        ("folder", "is a folder"),
        ("no/x", "no folder"),
        ("pipe", "a device or a pipe"),
        ("x" * 250, "cannot be written: File name too long"),
    ):
        with pytest.raises(ValueError, match=reason):
            check_replaceable(tmp_path / name)
    check_replaceable(tmp_path / "new")
    (tmp_path / "old").write_text("old")
    check_replaceable(tmp_path / "old")
    assert sorted(os.listdir(tmp_path)) == ["folder", "old", "pipe"] and (tmp_path / "old").read_text() == "old"


def test_a_full_disk_is_reported_with_the_name_of_the_file(tmp_path):
    with pytest.raises(OSError, match=r"No space left on device: '.*x\.model'"), replacement_file(tmp_path / "x.model"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # as a write does
    assert not [*tmp_path.iterdir()]
