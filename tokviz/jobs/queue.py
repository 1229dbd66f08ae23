"""Trainings that wait their turn for a process, each with a `TrainingJob` to watch and stop from any thread.

A thread for each running job hands its task to a process that runs `jobs.worker`, and notes what that says. Only those
who asked for a job refer to it: when the last of them is gone, the job and its work end.
"""

import contextlib
import logging
import os
import subprocess
import time
from threading import Lock, Thread
from weakref import WeakValueDictionary, ref

from tokviz.jobs.job import TrainingJob
from tokviz.jobs.task import TrainingTask
from tokviz.jobs.worker import Ended, unexpected_error_text
from tokviz.system.child_process import ChildProcess

# One core is left to the pages. With one or two cores two jobs share what the pages leave, so that a long one does not
# keep all others waiting.
SLOTS = max(2, (os.cpu_count() or 1) - 1)
# Seconds of a job. A process that worked longer may hold much memory; one that did not takes the next job, for a new
# one costs half a second of processor time: of thirty small jobs at once the median took 13 s instead of 1.
RENEWED_AFTER = 1.0
KILLED = (
    "the process that trained was killed, perhaps because memory ran out: try it with less text, or on the command line"
)


class TrainingQueue:
    """Jobs in the order in which they were submitted, a few of them running at a time.

    >>> from tokviz.training.plan import Plan
    >>> task = TrainingTask(Plan(258, "gpt2"), {"": ["low lower"]}, "low")
    >>> job = TrainingQueue(slots=1).submit(task)
    >>> job.wait(60), job.tokenizer("low").encode("lower")
    (True, [257, 101, 114])
    """

    def __init__(self, slots: int = SLOTS) -> None:
        self._slots, self._n_running = slots, 0
        self._jobs: WeakValueDictionary[str, TrainingJob] = WeakValueDictionary()  # in their order
        self._ready: list[ChildProcess] = []  # processes that wait for a job
        self._lock = Lock()

    def submit(self, task: TrainingTask) -> TrainingJob:
        """Return a job that begins when it is its turn; ValueError for an impossible task.

        The job ends as soon as nothing refers to it any more.
        """
        _ = task.plan.initial_tokenizer()
        job = TrainingJob(task)
        with self._lock:
            self._jobs[job.id] = job
        self._start_waiting_jobs()
        return job

    def prepare_process_if_needed(self) -> None:
        """Start a process for the next job, if none is ready: that takes half a second."""
        with self._lock, contextlib.suppress(OSError):  # it is tried again for the job, which says so
            if not self._ready and self._n_running < self._slots:
                self._ready.append(start_worker_process())

    def job(self, job_id: str) -> TrainingJob | None:
        """Return a job, None if nobody refers to it any more."""
        return self._jobs.get(job_id)

    def n_jobs_waiting_before(self, job: TrainingJob) -> int:
        """Return how many jobs wait that were submitted before this one; 0 if it does not wait."""
        with self._lock:
            waiting = self._waiting_jobs()
            return waiting.index(job) if job in waiting else 0

    def _waiting_jobs(self) -> list[TrainingJob]:
        return [job for job in self._jobs.values() if job.stage == "waiting"]

    def _start_waiting_jobs(self) -> None:
        with self._lock:
            for job in self._waiting_jobs()[: self._slots - self._n_running]:
                job.is_waiting = False
                self._n_running += 1
                Thread(target=self._run_job, args=(ref(job),), daemon=True).start()

    def _run_job(self, reference: ref[TrainingJob]) -> None:
        """Run a job to its end, without keeping it alive."""
        process, began = None, time.monotonic()
        try:
            process = self._take_ready_or_new_process()
            problem = _run_in_process_and_get_problem(reference, process)
        except OSError as e:
            problem = f"no process could be started that trains: {e}"
        except Exception as e:
            logging.getLogger(__name__).exception("a training failed")
            problem = unexpected_error_text(e)
        job = reference()
        if job:
            job.mark_ended(problem)
        is_used_up = not job or job.stopped or problem or time.monotonic() - began > RENEWED_AFTER
        if process and is_used_up:
            process.end()
        with self._lock:
            self._n_running -= 1
            if process and not is_used_up:
                self._ready.append(process)
        self._start_waiting_jobs()
        self.prepare_process_if_needed()

    def _take_ready_or_new_process(self) -> ChildProcess:
        """Return a process that waits for a task."""
        with self._lock:
            process = self._ready.pop() if self._ready else None
        return process if process and process.poll() is None else start_worker_process()


def _run_in_process_and_get_problem(reference: ref[TrainingJob], process: ChildProcess) -> str | None:
    """Send a job to a process and wait until it ends or is killed; return why it failed, if it did."""
    job, message = reference(), None
    if not job or not job.take_process_unless_ended(process):
        return None
    try:
        process.connection.send(job.task)
        while not isinstance(message, Ended):
            del job  # while this waits
            message = process.connection.recv()
            job = reference()
            if job:
                job.note_message(message)
    except (EOFError, OSError):
        return reason_for_silence(process)
    return message.problem


def start_worker_process() -> ChildProcess:
    """Return a new process that waits for a task."""
    return ChildProcess("tokviz.jobs.worker")


def reason_for_silence(process: ChildProcess) -> str:
    """Return in words why a process says nothing more that can be understood."""
    try:
        code = process.wait(5)
    except subprocess.TimeoutExpired:
        return "the process that trained sent a message that cannot be read; try again"
    if code < 0:
        return KILLED
    return f"the process that trained ended by itself, with code {code}; the log of the server says why"
