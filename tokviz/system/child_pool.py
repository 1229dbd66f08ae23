"""ChildPool: child processes that share calls of functions, so that several processors do the work.

Threads talk to the processes, so that the caller never waits for a connection.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.reduction import ForkingPickler
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

        It raises OSError if no process can start, ValueError if the function does or its process is killed, and
        RuntimeError if the function raises anything else.
        """
        return self._threads.submit(self._call_in_child, function, *arguments)

    def _call_in_child(self, *call: object) -> Any:
        message = ForkingPickler.dumps(call)  # before a process is taken, since not everything can be pickled
        try:
            process = self._free.pop()
        except IndexError:
            process = self._start_process()
        try:
            process.connection.send_bytes(message)
            is_result, result = process.connection.recv()
        except (EOFError, OSError) as e:
            was_killed = process.wait() < 0
            why = "was killed, perhaps because memory ran out: try fewer workers" if was_killed else "ended by itself"
            raise ValueError(f"a {self._what} process {why}") from e
        self._free.append(process)
        if not is_result:
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
    answer_parent(_yield_answer)


def _yield_answer(call: tuple[Any, ...]) -> Iterator[tuple[bool, object]]:
    """Yield whether a call has a result, and that or its error, of a class that every process knows."""
    function, *arguments = call
    try:
        yield True, function(*arguments)
    except ValueError as e:
        yield False, ValueError(*e.args)
    except Exception as e:
        yield False, RuntimeError(f"{type(e).__name__}: {e}")
