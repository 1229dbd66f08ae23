"""Processes that count batches of texts, so that several processors share the work.

A thread talks to each process, so that whoever hands out the batches never waits for a pipe.
"""

import pickle
import subprocess
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from threading import local
from typing import Self

from tokviz.system import child_process


class CountingPool:
    """Processes that count with a split pattern; leaving the `with` statement ends them.

    >>> with CountingPool(1, "gpt2") as pool:
    ...     pool.submit(["to be or", " not to be"]).result()["to"]
    1
    """

    def __init__(self, n_processes: int, split_pattern: str) -> None:
        self.n_processes, self._split_pattern = n_processes, split_pattern
        self._threads = ThreadPoolExecutor(max(n_processes, 1), "counting")  # none is started before a batch comes
        self._of_thread = local()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True
        for process in self._processes:
            process.kill()  # this ends what its thread waits for
        self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            child_process.end(process)

    def submit(self, batch: list[str]) -> Future[Mapping[str, int]]:
        """Return the future counts of a batch; it raises OSError if no process can start, ValueError if anything
        else goes wrong in one.
        """
        return self._threads.submit(self._counts, batch)

    def _counts(self, batch: list[str]) -> Mapping[str, int]:
        process = self._process()
        try:
            child_process.send(process, (batch, self._split_pattern))
            answer = child_process.receive(process)
        except (EOFError, OSError, pickle.UnpicklingError) as e:
            raise ValueError("a counting process was killed, perhaps because memory ran out: try fewer workers") from e
        if isinstance(answer, ValueError):
            raise answer
        return answer

    def _process(self) -> subprocess.Popen[bytes]:
        """Return the process of this thread."""
        if not hasattr(self._of_thread, "process"):
            process = child_process.start("tokviz.training.counting_worker")
            self._processes.append(process)
            if self._ended:
                process.kill()
            self._of_thread.process = process
        return self._of_thread.process
