"""Long commands: interrupts (Ctrl-C) end them at once, but never halfway through a step, and what is done is saved."""

import signal
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TypeVar

from tqdm import tqdm

from tokviz.cli.streams import say
from tokviz.corpus.corpus import Corpus
from tokviz.corpus.mixes import CorpusMix

Item = TypeVar("Item")


class Stopped(KeyboardInterrupt):
    """Raised by an interrupt in a generator that may be stopped anywhere."""


class Stop:
    """Whether an interrupt asked to stop; a second interrupt ends the command, which messages name."""

    def __init__(self, command: str) -> None:
        self._command = command
        self.is_set = False
        self._may_raise = False  # whether the code now running may be stopped anywhere
        self._has_raised = False

    def handle_interrupt(self, *_: object) -> None:
        """Take the first interrupt as a request, the second as an order."""
        if self.is_set:
            raise KeyboardInterrupt
        self.is_set = True
        say(f"\ntokviz {self._command}: stopping, and keeping what is done; interrupt again to quit at once")
        if self._may_raise:
            self._has_raised = True
            raise Stopped

    def items_until_set(self, items: Generator[Item]) -> Iterator[Item]:
        """Yield items until an interrupt comes; it ends the making of an item, never while one is used.

        The generator may catch `Stopped` and yield whatever is ready.
        """
        while True:
            try:
                self._may_raise = not self.is_set
                if self.is_set and not self._has_raised:
                    self._has_raised = True
                    item = items.throw(Stopped)
                else:
                    item = next(items)
            except (StopIteration, Stopped):
                return
            finally:
                self._may_raise = False
            yield item


def items_with_progress_and_saves(
    items: Generator[Item], stop: Stop, corpus: Corpus | CorpusMix, save: Callable[[], None],
    *, doing: str, every: float, quiet: bool = False,
) -> Iterator[Item]:  # fmt: skip
    """Yield what is made of a corpus until an interrupt comes, with a bar of the bytes read.

    Whenever `every` seconds have passed, it saves after an item has been used.
    """
    saved = time.monotonic()
    with tqdm(total=corpus.n_bytes, desc=doing, unit="B", unit_scale=True, disable=quiet or None, leave=False) as bar:
        for item in stop.items_until_set(items):
            yield item
            bar.update(corpus.n_read - bar.n)
            if time.monotonic() - saved > every:
                save()
                saved = time.monotonic()


@contextmanager
def stop_on_interrupt(command: str) -> Iterator[Stop]:
    """Give a `Stop` that interrupts set, in place of an exception that could strike anywhere."""
    stop = Stop(command)
    before = signal.signal(signal.SIGINT, stop.handle_interrupt)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
