"""ChildPool: child processes that share calls of functions, so that several processors do the work.

A thread talks to each process, so that whoever hands out the calls never waits for a connection.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Self, TypeVar

from tokviz.system.child_process import ChildProcess, answer_parent

Result = TypeVar("Result")


class ChildPool:
    """Up to `n_processes` processes; leaving the `with` statement ends them. what: names their work in an error.

    >>> with ChildPool(1, "toy") as pool:
    ...     pool.submit(len, "low").result()
    3
    """

    def __init__(self, n_processes: int, what: str) -> None:
        self.n_processes, self._what = n_processes, what
        self._threads = ThreadPoolExecutor(max(n_processes, 1), what)  # none is started before a call comes
        self._processes: list[ChildProcess] = []
        self._free: list[ChildProcess] = []
        self._ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True
        for process in self._processes:
            process.kill()  # this ends what its thread waits for
        self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.end()

    def submit(self, function: Callable[..., Result], *arguments: object) -> Future[Result]:
        """Return the future result of a module-level function.

        It raises OSError if no process can start, and ValueError if the function does or its process is killed.
        """
        return self._threads.submit(self._result, function, *arguments)

    def _result(self, *call: object) -> Any:
        process = self._free.pop() if self._free else self._start_process()
        try:
            process.connection.send(call)
            result = process.connection.recv()
        except (EOFError, OSError) as e:
            words = f"a {self._what} process was killed, perhaps because memory ran out: try fewer workers"
            raise ValueError(words) from e
        self._free.append(process)
        if isinstance(result, ValueError):
            raise result
        return result

    def _start_process(self) -> ChildProcess:
        process = ChildProcess(__name__)
        self._processes.append(process)
        if self._ended:
            process.kill()
        return process


def main() -> None:
    """Call, in a child, what its parent asks for."""
    answer_parent(_answers)


def _answers(call: tuple[Callable[..., Any], Any]) -> Iterator[Any]:
    function, *arguments = call
    try:
        yield function(*arguments)
    except ValueError as e:
        yield ValueError(*e.args)  # of a class that every process knows
