"""A training as its caller sees it: its stage, its progress, the time left, its merges, and a stop.

Any thread may use it. `jobs.worker` sends its messages.
"""

import time
import uuid
from collections import deque
from dataclasses import replace
from threading import Event, Lock

from tokviz.core.steps import TrainStep
from tokviz.core.tokenizer import Tokenizer
from tokviz.jobs.task import TrainingTask
from tokviz.jobs.worker import Counting, CountReport, Message
from tokviz.records.origin import NAME_MAX
from tokviz.records.session_tokenizer import Kept
from tokviz.records.training import FromTraining
from tokviz.system.child_process import ChildProcess
from tokviz.training.held_out import Baseline, HeldOut

STOPPED = " (stopped)"  # ends the name of a tokenizer whose training did not run to its end
RECENT = 3.0  # seconds over which the speed is measured that tells the time left


class TrainingJob:
    """One training: how far it is, and what it has learned so far. It ends when nothing refers to it any more.

    problem: why it failed, in words. stopped: whether it was stopped early; what it has learned until then stays.
    counted: what was counted, None until then. held_out: the figures of the text held out, None until the last merge is
    learned. baseline: those of the plan to compare with, None until then. task: what to do, without the texts after the
    end.

    >>> from tokviz.training.plan import Plan
    >>> task = TrainingTask(Plan(258, "gpt2"), {"": ["low lower"]}, "low")
    >>> job = TrainingJob(task)
    >>> job.stage, job.n_merges, job.stage_progress
    ('waiting', 2, 0.0)
    >>> job.stop()
    >>> job.has_ended, job.stopped, job.task.texts
    (True, True, {})
    """

    def __init__(self, task: TrainingTask) -> None:
        self.id = uuid.uuid4().hex
        self.task = task
        self.is_waiting = True
        self.steps: list[TrainStep] = []
        self.counted: CountReport | None = None
        self.held_out: HeldOut | None = None
        self.baseline: Baseline | None = None
        self.problem: str | None = None
        self.stopped = False
        self._counting_share = 0.0
        self._marks: deque[tuple[float, float]] = deque()
        self._ended = Event()
        self._lock = Lock()  # a process that has gone on to the next job must not be killed for this one
        self._process: ChildProcess | None = None

    def __del__(self) -> None:
        """Kill the process once nobody refers to the job any more."""
        if self._process:
            self._process.kill()

    @property
    def stage(self) -> str:
        """Return "waiting", "counting", "merging" or "ended"."""
        if self.has_ended:
            return "ended"
        return "merging" if self.counted else "waiting" if self.is_waiting else "counting"

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will come."""
        return self._ended.is_set()

    @property
    def n_merges(self) -> int:
        """How many merges were asked for."""
        return self.task.plan.n_merges

    @property
    def stage_progress(self) -> float:
        """How much of the current stage is done, from 0 to 1; 0 while it waits and after the end."""
        if self.stage == "merging":
            return len(self.steps) / self.n_merges if self.n_merges else 1.0
        return self._counting_share if self.stage == "counting" else 0.0

    @property
    def seconds_left_in_stage(self) -> float | None:
        """The seconds that the current stage will take at the latest speed; None while unknown and at the end."""
        marks = list(self._marks)
        if self.has_ended or len(marks) < 2 or marks[-1][0] - marks[0][0] < 0.5 or marks[-1][1] <= marks[0][1]:
            return None
        (then, share_then), (now, share) = marks[0], marks[-1]
        return (1 - share) * (now - then) / (share - share_then)

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most this many seconds; return whether it has come."""
        return self._ended.wait(seconds)

    def stop(self) -> None:
        """End it now, and keep what it has learned; nothing happens if it has ended."""
        with self._lock:
            if not self.has_ended:
                self.stopped = True
                self._process.kill() if self._process else self._set_ended()

    def tokenizer(self, name: str) -> Tokenizer:
        """Return the tokenizer of the merges learned so far."""
        return self.task.plan.tokenizer(self.steps, name)

    def kept_tokenizer(self) -> Kept[FromTraining] | None:
        """Return what to keep of a job that has ended, without the job; None if it learned nothing.

        If it did not run to its end, the name says so.
        """
        counted, task = self.counted, self.task
        is_early = self.stopped or self.problem is not None
        if counted is None or (is_early and not self.steps):
            return None
        training = FromTraining(
            task.plan,
            tuple(self.steps),
            counted.n_bytes,
            counts=counted.counts,
            held_out=self.held_out,
            baseline=self.baseline,
            digests=task.digests,
            n_before=counted.n_tokens if task.plan.start else None,
            is_early=is_early,
        )
        return Kept.of(training, task.name[: NAME_MAX - len(STOPPED)] + STOPPED if is_early else task.name)

    def take_process_unless_ended(self, process: ChildProcess) -> bool:
        """Note the process that is to work on it; return whether there is still work to do."""
        with self._lock:
            if not self.has_ended:
                self._process = process
            return not self.has_ended

    def note_message(self, message: Message) -> None:
        """Note what the process says."""
        match message:
            case Counting(share):
                self._counting_share = share
            case CountReport():
                self.counted = message
                self._marks.clear()
            case list():
                self.steps += message
            case HeldOut():
                self.held_out = message
            case Baseline():
                self.baseline = message
        now = time.monotonic()
        self._marks.append((now, self.stage_progress))
        while now - self._marks[0][0] > RECENT and len(self._marks) > 2:
            self._marks.popleft()

    def mark_ended(self, problem: str | None) -> None:
        """Drop the process and the texts. A job that was stopped has no problem."""
        with self._lock:
            self.problem = None if self.stopped else problem
            self._set_ended()

    def _set_ended(self) -> None:
        self._process, self.task = None, replace(self.task, texts={})
        self._ended.set()
