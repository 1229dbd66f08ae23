"""A training as whoever started it sees it: its stage, how far it is, the time left, its merges, and a stop.

Any thread may use it; the messages come from `jobs.worker`.

"""

import subprocess
import time
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from threading import Event, Lock

from tokviz.core.steps import TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.jobs.worker import Counting, CountReport, Failed, Learned, Message, TrainingTask
from tokviz.training.training import N_BYTES

RECENT = 3.0  # seconds in which the speed is measured that tells the time left
Wanted = Callable[[], bool]
Leave = Callable[["TrainingJob"], None]


class TrainingJob:
    """One training: how far it is, and what it has learned so far.

    stage: "waiting", "counting", "merging" or "ended". problem: why it failed, in words. stopped: whether it was asked
    to end early; what is learned until then is kept. counted: what was counted, None until then. task: what is to be
    done, without its documents after the end.

    >>> task = TrainingTask(["low lower"], "low", vocab_size=258, min_count=1, split_pattern="gpt2")
    >>> job = TrainingJob(task, wanted=lambda: True)
    >>> job.stage, job.n_asked, job.share
    ('waiting', 2, 0.0)
    >>> job.stop()
    >>> job.ended, job.stopped, job.task.documents
    (True, True, ())
    """

    def __init__(self, task: TrainingTask, wanted: Wanted, leave: Leave = lambda job: None) -> None:
        """`wanted`: see `TrainingQueue.submit`; `leave` is called with a job that is stopped before its turn."""
        self.id = uuid.uuid4().hex
        self.task, self.wanted, self._leave = task, wanted, leave
        self.stage = "waiting"
        self.steps: list[TrainStep] = []
        self.counted: CountReport | None = None
        self.problem: str | None = None
        self.stopped = False
        self.wanted_at = time.monotonic()
        self._counting_share = 0.0
        self._marks: deque[tuple[float, float]] = deque()
        self._ended = Event()
        self._lock = Lock()  # a process that has gone on to the next job is not to be stopped for this one
        self._process: subprocess.Popen | None = None
        self._made_of = {"split_pattern": task.split_pattern, "special_tokens": task.special_tokens}

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self._ended.is_set()

    @property
    def n_asked(self) -> int:
        """How many merges were asked for."""
        return self.task.vocab_size - N_BYTES

    @property
    def share(self) -> float:
        """How much of the stage it is in is done, from 0 to 1; 0 while it waits and after the end."""
        if self.stage == "merging":
            return len(self.steps) / self.n_asked if self.n_asked else 1.0
        return self._counting_share if self.stage == "counting" else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long the stage it is in will take at the speed of the last moments.

        None while that is not known, and after the end.
        """
        if self.ended:
            return None
        marks = list(self._marks)
        if len(marks) < 2 or marks[-1][0] - marks[0][0] < 0.5 or marks[-1][1] <= marks[0][1]:
            return None
        (begin, share), (end, shared) = marks[0], marks[-1]
        return (1 - shared) * (end - begin) / (shared - share)

    def wait(self, seconds: float) -> bool:
        """Wait for the end, but no longer than so; return whether it has come."""
        return self._ended.wait(seconds)

    def stop(self) -> None:
        """End it now; what is learned is kept. One that has ended is not stopped by it."""
        with self._lock:
            if self.ended:
                return
            self.stopped = True
            if self._process:
                self._process.kill()
            elif self.stage == "waiting":  # for a turn that it does not need any more
                self._end()
        if self.ended:
            self._leave(self)

    def let_go(self) -> None:
        """Say that nobody waits for it any more."""
        self.wanted = lambda: False

    def tokenizer(self, name: str) -> Tokenizer:
        """Return the tokenizer of the merges learned so far."""
        return Tokenizer.from_steps(self.steps, name=name, **self._made_of)

    def take(self, message: Message) -> None:
        """Take what the process says."""
        match message:
            case Counting(share):
                self._counting_share = share
            case CountReport():
                self.counted, self.stage = message, "merging"
                self._marks.clear()
            case Learned(steps):
                self.steps += steps
            case Failed(reason):
                self.problem = reason
        now = time.monotonic()
        self._marks.append((now, self.share))
        while now - self._marks[0][0] > RECENT and len(self._marks) > 2:
            self._marks.popleft()

    def begin(self, process: subprocess.Popen) -> None:
        """Take the process that works on it."""
        with self._lock:
            if self.stopped:
                process.kill()
            else:
                self._process, self.stage = process, "counting"

    def end(self) -> None:
        """Let go of the process and of the documents."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._process, self.stage = None, "ended"
        self.task = replace(self.task, documents=())
        self._ended.set()
