"""A call into a foreign library with a deadline, its failures in words.

The libraries behind foreign tokenizers run regular expressions and lattices out of a file, with no
timeout, and some end in a panic of Rust, which is no Exception. A call that does not end cannot be
stopped: its thread is left behind, a daemon, and whoever called goes on.
"""

import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def within(seconds: float, what: str, call: Callable[[], Result]) -> Result:
    """Return what a call returns, if it does so in time; it has to release Python's lock meanwhile.

    `what` names the work in errors. Raises ValueError for whatever goes wrong.

    >>> within(1, "adding", lambda: 1 + 1)
    2
    """
    found: list[Result] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(call())
        except BaseException as e:  # a panic of Rust is a BaseException
            failed.append(e)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        message = str(failed[0]).splitlines() or [type(failed[0]).__name__]
        raise ValueError(f"{what} failed: {message[0]}") from failed[0]
    if not found:
        raise ValueError(f"{what} did not end within {seconds:.0f} seconds")
    return found[0]
