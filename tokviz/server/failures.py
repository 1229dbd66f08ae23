"""What goes wrong in the server, in its log: once a minute for each kind, however often it happens."""

import logging
import sys
import time
import traceback

AGAIN = 60.0  # seconds
LOG = logging.getLogger(__name__)
_noted: dict[object, float] = {}  # when each kind was last logged


def note_failure(what: str) -> None:
    """Log the exception that is being handled, unless one of its type from the same line was logged a minute ago."""
    kind, error, trace = sys.exc_info()
    place = traceback.extract_tb(trace)[-1] if trace else None
    name = (what, kind, place and (place.filename, place.lineno))
    now = time.monotonic()
    if now - _noted.get(name, -AGAIN) < AGAIN:
        return
    _noted[name] = now
    LOG.error("%s failed", what, exc_info=error)
