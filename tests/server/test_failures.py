"""What the log of a server has of errors that come again and again."""

import logging

import pytest

from tokviz.server import failures
from tokviz.server.failures import limiting_repeated_tracebacks

LIBRARY = logging.getLogger("library")


@pytest.fixture(autouse=True)
def nothing_noted(monkeypatch):
    monkeypatch.setattr(failures, "_logged_at", {})


def read(data: bytes, message: str) -> None:
    try:
        data.decode()
    except UnicodeDecodeError:
        LIBRARY.exception(message)


def test_a_traceback_is_in_the_log_once_a_minute_and_its_message_each_time(caplog, monkeypatch):
    with limiting_repeated_tracebacks():
        for number in range(3):
            read(b"\xff", f"message {number}")
        LIBRARY.warning("no error")
        monkeypatch.setattr(failures, "AGAIN", 0.0)  # a minute later
        read(b"\xff", "message 3")
    assert [(record.getMessage(), record.exc_info is not None) for record in caplog.records] == [
        ("message 0", True), ("message 1", False), ("message 2", False), ("no error", False), ("message 3", True),
    ]  # fmt: skip


def test_errors_of_another_kind_or_from_elsewhere_are_shown(caplog):
    with limiting_repeated_tracebacks():
        for _ in range(2):
            read(b"\xff", "here")
            try:
                [][0]
            except IndexError:
                LIBRARY.exception("there")
    assert [record.exc_info is not None for record in caplog.records] == [True, True, False, False]


def test_afterwards_the_log_is_as_before(caplog):
    with limiting_repeated_tracebacks():
        pass
    for _ in range(2):
        read(b"\xff", "here")
    assert all(record.exc_info for record in caplog.records)
