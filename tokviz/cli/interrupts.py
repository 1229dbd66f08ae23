"""Interrupts (Ctrl-C) that end a long command at a place where what it has done is whole."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager


class Stop:
    """Whether an interrupt asked to stop; a second one is not waited for."""

    asked = False

    def ask(self, *_: object) -> None:
        """Take the first interrupt as a wish, the second as an order."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        print("\ntokviz train: stopping when what is begun is done; interrupt again to quit at once", file=sys.stderr)


@contextmanager
def interrupts() -> Iterator[Stop]:
    """Give what says whether an interrupt came, in place of an exception that could strike anywhere."""
    stop = Stop()
    before = signal.signal(signal.SIGINT, stop.ask)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
