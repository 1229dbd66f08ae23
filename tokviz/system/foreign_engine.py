"""Another library's tokenizer, loaded in a child process that it cannot leave.

Such libraries run regular expressions and tables of a file without a timeout, and some panic. So they run in a child
process of `sandbox`, which keeps the last ones used. The caller holds the file, and a new child loads it again.
"""

import hashlib
from collections.abc import Callable
from typing import Any, TypeVar

from tokviz.system import sandbox
from tokviz.system.recent import Recent

Result = TypeVar("Result")
KEPT_MAX = 6  # as many as Compare shows
LOAD_SECONDS = 30.0  # a tokenizer.json of 256,000 tokens takes two

_kept: Recent[Any] = Recent(KEPT_MAX)


class _NotKept(LookupError):
    """This process has not loaded the library, or has not kept it."""


class ForeignEngine:
    """A library's tokenizer of the bytes of a file, in a child process.

    load: a module-level function from bytes to whatever the library makes of them; functions given to `ask` get that
    as their first argument.

    >>> ForeignEngine(bytes.decode, "ไทย".encode()).ask(str.split, seconds=5, what="toy")
    ['ไทย']
    """

    def __init__(self, load: Callable[[bytes], Any], data: bytes, *, loaded: object = None) -> None:
        """Keep the bytes; loaded: what `load` makes of them, if this process is such a child and has it already."""
        self.load, self.data = load, data
        self.key = hashlib.sha256(data).hexdigest()
        if loaded is not None:
            _kept.kept_or_made_result((load, self.key), lambda: loaded)

    def ask(self, function: Callable[..., Result], *arguments: object, seconds: float, what: str) -> Result:
        """Return what a module-level function returns for the library's tokenizer; errors as in `sandbox.call`.

        Any other exception of the library becomes a ValueError that begins with `what`.
        """
        question = (self.load, self.key, function, arguments, what)
        try:
            return sandbox.call(_call_with_engine, None, *question, seconds=seconds, what=what, key=self.key)
        except _NotKept:
            seconds += LOAD_SECONDS
            return sandbox.call(_call_with_engine, self.data, *question, seconds=seconds, what=what, key=self.key)


def _call_with_engine(
    data: bytes | None, load: Callable[[bytes], Any], key: str, function: Callable, arguments: tuple, what: str
) -> Any:
    def load_given_data() -> Any:
        if data is None:
            raise _NotKept
        return load(data)

    try:
        return function(_kept.kept_or_made_result((load, key), load_given_data), *arguments)
    except (MemoryError, ValueError, _NotKept):
        raise
    except BaseException as e:  # a Rust panic is a BaseException
        raise ValueError(f"{what} failed: {(str(e).splitlines() or [type(e).__name__])[0]}") from e
