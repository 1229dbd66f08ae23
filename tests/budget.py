"""The processor time of the tests: what each takes with its child processes, the dearest ones, and a bound for all.

`make test` gives the bound; without one the time is only told where pytest is asked with --processor-time.
"""

import json
import os
import re
import statistics
import time
import typing
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

PROCESSES = Path("/proc")
SHOWN = 10  # of the dearest tests
SOURCE = Path(typing.__file__).read_text()
SPENT = "processor seconds"  # under which a report and a worker say it
SHORT = 0.05  # seconds; what children do meanwhile counts for a later test, since looking at them takes milliseconds
WORK_SECONDS = 0.13  # that `work` takes on the machine whose seconds the bound is in
WORK_EVERY = 100  # tests; forty times in all, for four seconds


def work() -> int:
    """Do what a test run does most, in small: loop, match patterns, compile a module, write and read JSON.

    A loop alone fits into the caches of a core, and is as fast on a machine where all else takes half as long again.
    """
    words: dict[str, int] = {}
    for number in range(20_000):
        word = f"{number * 7_919 % 5_003:x}"
        words[word] = words.get(word, 0) + len(re.findall(r"[a-f]+|\d", word))
    compile(SOURCE, "typing.py", "exec")
    rows = [{"id": n, "text": str(n) * 3, "parts": [n, n + 1, str(n)]} for n in range(30_000)]
    return len(json.loads(json.dumps(rows)))


def work_seconds() -> float:
    """Return the processor seconds that `work` takes here and now."""
    start = time.process_time()
    work()
    return time.process_time() - start


class ChildrenClock:
    """The processor seconds so far of all child processes of this one: those that ended and those that run."""

    def __init__(self) -> None:
        self.last = 0.0
        self.lost = 0.0  # with processes that nobody waited for, as the helpers of a browser

    def seconds(self) -> float:
        now = self._now()
        for _ in range(3):
            if now < self.last:  # a process that starts or ends meanwhile can hide others for a moment
                now = max(now, self._now())
        self.lost += max(0.0, self.last - now)
        self.last = now
        return now + self.lost

    def _now(self) -> float:
        times = os.times()
        return times.children_user + times.children_system + sum(map(spent_by, children(os.getpid())))


def spent_by(pid: int) -> float:
    """Return the processor seconds of a process that runs, and of its children; 0 if it has ended."""
    try:
        fields = (PROCESSES / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    ticks = sum(map(int, fields[11:15]))  # in user mode and for the system, its own and of the children it waited for
    return ticks / os.sysconf("SC_CLK_TCK") + sum(map(spent_by, children(pid)))


def children(pid: int) -> Iterable[int]:
    """Return the ids of the children of a process; none where the system has no list of them."""
    try:
        lists = [(thread / "children").read_text() for thread in (PROCESSES / str(pid) / "task").iterdir()]
    except OSError:
        return ()
    return [int(child) for each in lists for child in each.split()]


class ProcessorTime:
    """Measures each test where it runs, and adds up in the process that reports, with a bound or None.

    How fast the machine is changes during a run, above all where others share it, so that is measured again and again.
    """

    def __init__(self, bound: float | None):
        self.bound = bound
        self.of_work: list[float] = []
        self.measure_work()
        self.of_tests: dict[str, float] = {}
        self.of_workers: list[float] = []
        self.clock = ChildrenClock()
        self.of_children = 0.0  # at the last test that took long
        self.began = self.own = 0.0

    def measure_work(self) -> None:
        """Measure once more how long `work` takes, where there is a bound."""
        if self.bound is not None:
            self.of_work.append(work_seconds())

    @property
    def slowness(self) -> float:
        """How many times as long this machine takes for `work` on average; 1 on one as fast as that of the bound."""
        return max(1.0, statistics.mean(self.of_work) / WORK_SECONDS) if self.of_work else 1.0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Any:
        self.began, self.own = time.monotonic(), time.process_time()
        return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self, nextitem: pytest.Item | None) -> None:
        if nextitem is None:
            self.clock.seconds()  # before a browser ends with the session

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> Any:
        if call.when == "teardown":
            seconds = time.process_time() - self.own
            if time.monotonic() - self.began > SHORT:
                before, self.of_children = self.of_children, self.clock.seconds()
                seconds += self.of_children - before
            item.user_properties.append((SPENT, round(seconds, 3)))
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            self.of_tests[report.nodeid] = dict(report.user_properties)[SPENT]
            if len(self.of_tests) % WORK_EVERY == 0:
                self.measure_work()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.of_workers.append(getattr(node, "workeroutput", {}).get(SPENT, 0.0))

    def spent(self) -> float:
        """Return the processor seconds of this process and its children so far."""
        return time.process_time() + (sum(self.of_workers) if self.of_workers else self.clock.seconds())

    def total(self) -> float:
        """Return what all took, at the speed of the machine of the bound."""
        return self.spent() / self.slowness

    def is_over(self) -> bool:
        """Return whether all took more than the bound."""
        return self.bound is not None and self.total() > self.bound

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput[SPENT] = self.spent()
        elif self.is_over() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("processor time, with child processes")
        for nodeid, seconds in sorted(self.of_tests.items(), key=lambda each: -each[1])[:SHOWN]:
            terminalreporter.write_line(f"{seconds:6.1f} s {nodeid}")
        line = f"{self.total():6.1f} s in all"
        if self.slowness > 1:
            line += f", on a machine as fast as the one of the bound; this one takes {self.slowness:.2f} times as long"
        terminalreporter.write_line(line)
        if self.is_over():
            terminalreporter.write_line(
                f"That is more than {self.bound:g} s. CONTRIBUTING.md says what to do about a test that is dear.",
                red=True,
            )


def add_option(parser: pytest.Parser) -> None:
    """Add the option that gives the bound."""
    parser.addoption(
        "--processor-time",
        type=float,
        metavar="SECONDS",
        help="print the processor time of the dearest tests and of all, and fail if it is more in all",
    )


def measure(config: pytest.Config) -> None:
    """Have the time measured if the option asks for it."""
    if (bound := config.getoption("--processor-time", None)) is not None:
        is_worker = hasattr(config, "workerinput")
        config.pluginmanager.register(ProcessorTime(None if is_worker else bound), "processor-time")
