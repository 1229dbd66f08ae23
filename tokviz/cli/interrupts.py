"""Interrupts (Ctrl-C) that end a long command at once, but at a place where what it has done is whole."""

import signal
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TypeVar

from tokviz.cli.common import say

Item = TypeVar("Item")


class Stopped(KeyboardInterrupt):
    """What an interrupt raises in a generator that may be stopped anywhere."""


class Stop:
    """Whether an interrupt asked to stop; a second one is not waited for."""

    asked = False
    _strikes = False  # whether what runs now may be stopped anywhere
    _struck = False

    def ask(self, *_: object) -> None:
        """Take the first interrupt as a wish, the second as an order."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        say("\ntokviz train: stopping, and keeping what is done; interrupt again to quit at once")
        if self._strikes:
            self._struck = True
            raise Stopped

    def before_asked(self, items: Generator[Item]) -> Iterator[Item]:
        """Yield items until an interrupt comes, which strikes while they are made, never while they are used.

        The generator may catch `Stopped`, and yield what it has ready.
        """
        while True:
            try:
                self._strikes = not self.asked
                if self.asked and not self._struck:
                    self._struck = True
                    item = items.throw(Stopped)
                else:
                    item = next(items)
            except (StopIteration, Stopped):
                return
            finally:
                self._strikes = False
            yield item


@contextmanager
def interrupts() -> Iterator[Stop]:
    """Give what says whether an interrupt came, in place of an exception that could strike anywhere."""
    stop = Stop()
    before = signal.signal(signal.SIGINT, stop.ask)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
