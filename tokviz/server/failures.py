"""Failures of the server in its log, with the traceback of each at most once a minute."""

import logging
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

AGAIN = 60.0  # seconds
LOG = logging.getLogger(__name__)
_logged_at: dict[object, float] = {}  # when each kind was last logged


def log_failure_unless_recent(what: str) -> None:
    """Log the exception that is being handled, unless one of its type from the same line was logged a minute ago."""
    error = sys.exception()
    if error is not None and _note_if_due(what, error):
        LOG.error("%s failed", what, exc_info=error)


@contextmanager
def limiting_repeated_tracebacks() -> Iterator[None]:
    """Within the block, let no log repeat a traceback within a minute, be it a library's; the message stays.

    A stranger can make libraries log one with every message, for example by bytes that are not UTF-8.
    """
    make = logging.getLogRecordFactory()

    def make_record(*arguments: Any, **more: Any) -> logging.LogRecord:
        record = make(*arguments, **more)
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and not _note_if_due(record.name, error):
            record.exc_info = None
        return record

    logging.setLogRecordFactory(make_record)
    try:
        yield
    finally:
        logging.setLogRecordFactory(make)


def _note_if_due(what: str, error: BaseException) -> bool:
    """Return whether no such error from the same line was noted within the last minute, and note this one."""
    places = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    name = (what, type(error), *places[-1:])
    now = time.monotonic()
    if now - _logged_at.get(name, -AGAIN) < AGAIN:
        return False
    _logged_at[name] = now
    return True
