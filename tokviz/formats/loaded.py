"""The pretrained tokenizers in memory: those used last, as many as fit, and those that others still hold."""

import ctypes
import logging
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, RLock
from weakref import WeakValueDictionary

from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import Tokenizer

LOG = logging.getLogger(__name__)


class LoadedTokenizers:
    """Tokenizers by name, made once. tokens_max: of all that are kept, together; None for any number.

    What is not kept any longer stays in memory, and is found here, while a page or a text holds it. What encodes goes
    with a tokenizer, and some share it.
    """

    def __init__(self, make: Callable[[str], AnyTokenizer], tokens_max: int | None = None) -> None:
        self._make, self.tokens_max = make, tokens_max
        self._lock = Lock()  # never held while one is made
        self._making: dict[str, RLock] = {}
        self.clear()

    def clear(self) -> None:
        """Drop all."""
        with self._lock:
            self._kept: dict[str, AnyTokenizer] = {}  # the one used last at the end
            self._living: WeakValueDictionary[str, AnyTokenizer] = WeakValueDictionary()

    def tokenizer(self, name: str) -> AnyTokenizer:
        """Return the tokenizer of a name; errors are those of making it.

        >>> made = LoadedTokenizers(lambda name: Tokenizer(name, "none", {bytes([i]): i for i in range(256)}), 300)
        >>> first = made.tokenizer("a")
        >>> [made.tokenizer(name) is first for name in ("a", "b", "a")], made.names()
        ([True, False, True], ['a'])
        """
        with self._lock:
            making = self._making.setdefault(name, RLock())
        with making:  # others wait for this one alone
            found = self._living.get(name)
            if found is None:
                self._living[name] = found = self._make(name)  # which may take another
        with self._lock:
            self._kept.pop(name, None)
            self._kept[name] = found
            dropped = self._names_dropped_as_too_many()
        if dropped:
            LOG.warning("dropped the tokenizers unused for longest: %s", ", ".join(dropped))
            _return_freed_memory()
        return found

    def names(self) -> list[str]:
        """Return the names of those kept, the one used last at the end."""
        return [*self._kept]

    def _names_dropped_as_too_many(self) -> list[str]:
        """Drop what was not used for longest until the rest, or the newest alone, is within the bound; return names."""
        dropped: list[str] = []
        while self.tokens_max is not None and self._n_tokens() > self.tokens_max and len(self._kept) > 1:
            dropped.append(next(iter(self._kept)))
            del self._kept[dropped[-1]]
        return dropped

    def _n_tokens(self) -> int:
        return sum(
            len(each.mergeable_ranks) if isinstance(each, Tokenizer) else each.n_vocab for each in self._kept.values()
        )


def _return_freed_memory() -> None:
    """Give free memory back to the system where glibc would keep it, which was up to 250 MB; elsewhere do nothing."""
    with suppress(AttributeError, OSError):  # as libraries without malloc_trim answer
        ctypes.CDLL(None).malloc_trim(0)
