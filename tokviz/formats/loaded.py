"""The pretrained tokenizers in memory: those used last, as many as fit, and those that others still hold."""

import ctypes
import logging
from collections.abc import Callable
from contextlib import suppress
from threading import RLock
from weakref import WeakValueDictionary

from tokviz.core.tokenizer import Tokenizer

LOG = logging.getLogger(__name__)


class LoadedTokenizers:
    """Tokenizers by name, made once. tokens_max: of all that are kept, together; None for any number.

    What is not kept any longer stays in memory, and is found here, while a page or a text holds it. What encodes goes
    with a tokenizer, and some share it.
    """

    def __init__(self, make: Callable[[str], Tokenizer], tokens_max: int | None = None) -> None:
        self._make, self.tokens_max = make, tokens_max
        self._lock = RLock()  # making one may take another
        self.clear()

    def clear(self) -> None:
        """Drop all."""
        self._kept: dict[str, Tokenizer] = {}  # the one used last at the end
        self._living: WeakValueDictionary[str, Tokenizer] = WeakValueDictionary()

    def tokenizer(self, name: str) -> Tokenizer:
        """Return the tokenizer of a name; errors are those of making it.

        >>> made = LoadedTokenizers(lambda name: Tokenizer(name, "none", {bytes([i]): i for i in range(256)}), 300)
        >>> first = made.tokenizer("a")
        >>> [made.tokenizer(name) is first for name in ("a", "b", "a")], made.names()
        ([True, False, True], ['a'])
        """
        with self._lock:
            found = self._living.get(name)
            if found is None:
                found = self._living[name] = self._make(name)
            self._kept.pop(name, None)
            self._kept[name] = found
            self._drop_those_too_many()
            return found

    def names(self) -> list[str]:
        """Return the names of those kept, the one used last at the end."""
        return [*self._kept]

    def _drop_those_too_many(self) -> None:
        """Drop what was not used for the longest time until the rest, or the newest alone, is within the bound."""
        if self.tokens_max is None:
            return
        n_tokens, dropped = self._n_tokens(), []
        while n_tokens > self.tokens_max and len(self._kept) > 1:
            dropped.append(next(iter(self._kept)))
            del self._kept[dropped[-1]]
            n_tokens = self._n_tokens()
        if dropped:
            LOG.warning("dropped the tokenizers unused for longest: %s; %d tokens are kept", dropped, n_tokens)
            _return_freed_memory()

    def _n_tokens(self) -> int:
        return sum(len(tokenizer.mergeable_ranks) for tokenizer in self._kept.values())


def _return_freed_memory() -> None:
    """Give free memory back to the system where glibc would keep it, which was up to 250 MB; elsewhere do nothing."""
    with suppress(AttributeError, OSError, TypeError):  # as libraries without malloc_trim, and Windows, answer
        ctypes.CDLL(None).malloc_trim(0)
