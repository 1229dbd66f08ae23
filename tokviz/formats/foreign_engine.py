"""A foreign tokenizer's library, loaded in a child process that it cannot leave.

The libraries behind foreign tokenizers run regular expressions and tables out of a file, with no timeout, and
some end in a panic. So they work in a child process of `sandbox`, which keeps those used last; whoever asks holds
the file, from which a new child loads the library again.
"""

import hashlib
from collections.abc import Callable
from typing import Any, TypeVar

from tokviz.system import sandbox
from tokviz.system.recent import Recent

Result = TypeVar("Result")
KEPT_MAX = 6  # as many as Compare shows
LOAD_SECONDS = 30.0  # a tokenizer.json of 256,000 tokens takes three

_kept = Recent(KEPT_MAX)


class _NotKept(LookupError):
    """This process has not loaded the library, or not kept it."""


class ForeignEngine:
    """What a library makes of the bytes of a file, in a child process.

    load: a function of a module, from bytes to whatever the library has; a function given to `ask` gets that as its
    first argument.

    >>> ForeignEngine(bytes.decode, "ไทย".encode()).ask(str.split, seconds=5, what="toy")
    ['ไทย']
    """

    def __init__(self, load: Callable[[bytes], Any], data: bytes) -> None:
        self.load, self.data = load, data
        self.key = hashlib.sha256(data).hexdigest()

    def ask(self, function: Callable[..., Result], *arguments: object, seconds: float, what: str) -> Result:
        """Return what a function of a module makes of the library; errors as in `sandbox.call`.

        An exception of the library's own other than ValueError becomes one that begins with `what`.
        """
        question = (self.load, self.key, function, arguments, what)
        try:
            return sandbox.call(_answer, None, *question, seconds=seconds, what=what, key=self.key)
        except _NotKept:
            seconds += LOAD_SECONDS
            return sandbox.call(_answer, self.data, *question, seconds=seconds, what=what, key=self.key)


def _answer(
    data: bytes | None, load: Callable[[bytes], Any], key: str, function: Callable, arguments: tuple, what: str
) -> Any:
    def loaded() -> Any:
        if data is None:
            raise _NotKept
        return load(data)

    try:
        return function(_kept.result((load, key), loaded), *arguments)
    except (MemoryError, ValueError, _NotKept):
        raise
    except BaseException as e:  # a panic of Rust is a BaseException
        raise ValueError(f"{what} failed: {(str(e).splitlines() or [type(e).__name__])[0]}") from e
