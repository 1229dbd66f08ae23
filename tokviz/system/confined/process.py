"""A process that runs somebody's code and answers questions, as its parent sees it; both are lines of bytes.

Of all that the code does, only the bytes of its answers reach this process. A question has a time limit by the clock of
this process, and an answer has a size limit. `keeper` is the other end.
"""

import os
import signal
import socket
import subprocess
import time
from contextlib import suppress

from tokviz.system.child_process import ChildProcess
from tokviz.system.confined.descendants import end_descendants
from tokviz.system.confined.keeper import (
    PROCESSES_MAX,
    SIGNALLED,
    TOO_MANY_PROCESSES,
    TOO_MUCH_MEMORY,
    TOTAL_BYTES,
)

KEEPER = "tokviz.system.confined.keeper"
ANSWER_BYTES_MAX = 10_000_000  # the 100,000 merges of cl100k take three
CODE_SECONDS = 10.0  # for the keeper to say how the process ended, even on a busy machine
CHUNK = 2**16
UNREADABLE = "it gave no answer that can be read"


class NoAnswerError(ValueError):
    """A process gave no answer, for a reason in words; took_too_long: whether its time was over."""

    def __init__(self, words: str, *, took_too_long: bool = False) -> None:
        super().__init__(words)
        self.took_too_long = took_too_long


class ConfinedProcess:
    """A process that runs the function `main` of a module, which answers each line of its input with one."""

    def __init__(self, module: str) -> None:
        self._keeper = ChildProcess(KEEPER, module, is_limited=True)
        self._socket = socket.socket(fileno=os.dup(self._keeper.connection.fileno()))

    def ask(self, question: bytes, seconds: float) -> bytes:
        """Return the answer to a question, both a line; if there is none, end the process and raise NoAnswerError."""
        try:
            return self._send_and_receive_line(question, seconds)
        except TimeoutError:
            self.end()
            words = f"it did not end within {seconds:.0f} seconds"
            raise NoAnswerError(words, took_too_long=True) from None
        except (OSError, EOFError):  # the other end of the connection is closed
            raise NoAnswerError(self._end_with_reason()) from None
        except BaseException:  # an interrupt
            self.end()
            raise

    def _send_and_receive_line(self, question: bytes, seconds: float) -> bytes:
        answer, deadline = bytearray(), time.monotonic() + seconds
        self._socket.settimeout(seconds)
        self._socket.sendall(question)
        while not answer.endswith(b"\n"):
            if (left := deadline - time.monotonic()) <= 0:
                raise TimeoutError
            self._socket.settimeout(left)
            read = self._socket.recv(CHUNK)
            if not read:
                raise EOFError
            answer += read
            if len(answer) > ANSWER_BYTES_MAX:
                raise NoAnswerError(UNREADABLE)
        return bytes(answer)

    def _end_with_reason(self) -> str:
        """End what is left, and return in words why there is no answer."""
        with suppress(subprocess.TimeoutExpired):
            self._keeper.wait(CODE_SECONDS)
        code = self._keeper.poll()
        self.end()
        if code is None:
            return UNREADABLE
        if code == TOO_MUCH_MEMORY:
            return f"it needs more memory than it may have, {TOTAL_BYTES / 1e9:.0f} GB"
        if code == TOO_MANY_PROCESSES:
            return f"it started more than {PROCESSES_MAX} processes"
        if code < 0 or code == SIGNALLED + signal.SIGKILL:
            return "the process that ran it was killed"
        return "it crashed the process that ran it" if code > SIGNALLED else "it ended the process that ran it"

    def end(self) -> None:
        """End the process and its descendants."""
        end_descendants(self._keeper.pid)
        self._keeper.end()
        self._socket.close()
