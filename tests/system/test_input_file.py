"""A file is opened once; what may never end is refused, and a pipe is read whole, however slowly it is written."""

import os
import threading
import time

import pytest

from tokviz.system import input_file
from tokviz.system.input_file import open_file

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def read(path):
    with open_file(path) as file:
        return file.read()


def test_a_file_is_its_bytes_and_has_places(tmp_path):
    (tmp_path / "a").write_bytes(b"low\0er")
    with open_file(str(tmp_path / "a")) as file:
        assert (file.read(3), file.tell(), file.read()) == (b"low", 3, b"\0er")


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/tty"])
def test_a_device_is_refused(device):
    with pytest.raises((ValueError, OSError), match=r"'/dev/\w+'( is a device, which may never end|$)"):
        open_file(device)


def test_a_link_to_a_device_is_one(tmp_path):
    (tmp_path / "x.model").symlink_to("/dev/zero")
    with pytest.raises(ValueError, match=r"x\.model' is a device"):
        open_file(tmp_path / "x.model")


def test_a_pipe_that_nobody_writes_into_is_refused(pipe, monkeypatch):
    monkeypatch.setattr(input_file, "WRITER_SECONDS", 0.1)
    with pytest.raises(ValueError, match=r"pipe' for 0.1 seconds: start the program"):
        open_file(pipe)


@pytest.mark.parametrize("before_its_reader", [True, False])
def test_a_pipe_is_read_whole_however_slowly_it_is_written(pipe, before_its_reader):
    def write():
        with pipe.open("wb", buffering=0) as file:
            for part in (b"l", b"ow", b" " * 300_000, b"er"):
                time.sleep(0.05)
                file.write(part)

    writer = threading.Thread(target=write)
    writer.start()
    if before_its_reader:
        time.sleep(0.1)
    assert read(pipe) == b"low" + b" " * 300_000 + b"er"
    writer.join()


def test_a_pipe_of_a_shell_needs_no_writer():
    for data in (b"", b"low"):
        reader, writer = os.pipe()
        os.write(writer, data)
        os.close(writer)
        assert read(f"/dev/fd/{reader}") == data
        os.close(reader)


def test_no_descriptor_is_left_open(pipe, tmp_path, monkeypatch):
    monkeypatch.setattr(input_file, "WRITER_SECONDS", 0)
    before = len(os.listdir("/dev/fd"))
    for path in (pipe, tmp_path, "/dev/zero"):
        with pytest.raises(ValueError):
            open_file(path)
    reader, writer = os.pipe()
    os.close(writer)
    read(f"/dev/fd/{reader}")
    os.close(reader)
    assert len(os.listdir("/dev/fd")) == before
