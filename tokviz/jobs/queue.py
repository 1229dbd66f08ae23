"""Trainings that wait their turn for a process, each with a `TrainingJob` to watch and stop from any thread.

One thread per job hands the task to a process that runs `jobs.worker`, and takes its messages, so that nobody who waits
for a job does its work. A job can outlive the one who asked for it for a while; the queue keeps asking whether anybody
still wants it.

"""

import contextlib
import logging
import os
import pickle
import subprocess
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from threading import Lock, Thread

from tokviz.core.patterns import shortened
from tokviz.core.vocabulary import special_ids
from tokviz.jobs.job import TrainingJob, Wanted
from tokviz.jobs.worker import Counting, Ended, Failed, Message, TrainingTask
from tokviz.system import child_process
from tokviz.training.corpus import Corpus
from tokviz.training.training import check_sizes

# One core is left to the pages; with one or two cores two jobs share what the pages leave, so that a long one does
# not keep all others waiting.
SLOTS = max(2, (os.cpu_count() or 1) - 1)
KEPT_SECONDS = 30  # a job that nobody wants, running or ended, since a reload takes a moment
RENEWED_AFTER = 1.0  # seconds of a job; a process that worked longer may hold much memory
KILLED = (
    "the process that trained was killed, perhaps because memory ran out: try it with less text, or on the command line"
)


class TrainingQueue:
    """Jobs in the order in which they were asked for, so many of them at work at a time.

    >>> task = TrainingTask(["low lower"], "low", vocab_size=258, min_count=1, split_pattern="gpt2")
    >>> job = TrainingQueue(slots=1).submit(task)
    >>> job.wait(60), job.tokenizer("low").encode("lower")
    (True, [257, 101, 114])
    """

    def __init__(self, slots: int = SLOTS) -> None:
        self._slots, self._n_running = slots, 0
        self._waiting: deque[TrainingJob] = deque()
        self._jobs: dict[str, TrainingJob] = {}
        self._ready: list[subprocess.Popen[bytes]] = []  # processes that wait for a job
        self._lock = Lock()
        Thread(target=self._watch, daemon=True).start()

    def submit(self, task: TrainingTask, wanted: Wanted = lambda: True) -> TrainingJob:
        """Return a job that begins as soon as it is its turn; ValueError for what no training can be.

        It ends early when `wanted` has said no for a while.
        """
        check_sizes(task.vocab_size, task.min_count)
        documents = task.documents
        if isinstance(documents, str):
            raise ValueError(f"documents are several texts, not one, {shortened(documents)}; put it into a list")
        if not isinstance(documents, Corpus):
            documents = list(documents)  # what can be sent to a process
        special = task.special_tokens
        special = dict(special) if isinstance(special, Mapping) else tuple(special)
        special_ids(special, first=task.vocab_size)
        task = replace(task, documents=documents, special_tokens=special)
        job = TrainingJob(task, wanted, self._leave)
        job.tokenizer(task.name)  # refuses patterns before work
        with self._lock:
            self._jobs[job.id] = job
            self._waiting.append(job)
        self._begin_next()
        return job

    def warm_up(self) -> None:
        """Have a process ready for the next job: to start one takes a third of a second."""
        with self._lock, contextlib.suppress(OSError):  # it is tried again for the job, which is told
            if not self._ready and self._n_running < self._slots:
                self._ready.append(worker_process())

    def job(self, job_id: str) -> TrainingJob | None:
        """Return a job, or None where it is not known any more."""
        return self._jobs.get(job_id)

    def n_before(self, job: TrainingJob) -> int:
        """Return how many jobs wait that were asked for before this one; 0 for one that does not wait."""
        with self._lock:
            return self._waiting.index(job) if job in self._waiting else 0

    def _leave(self, job: TrainingJob) -> None:
        with self._lock, contextlib.suppress(ValueError):  # its turn may have come meanwhile
            self._waiting.remove(job)

    def _begin_next(self) -> None:
        with self._lock:
            while self._waiting and self._n_running < self._slots:
                self._n_running += 1
                Thread(target=self._run, args=(self._waiting.popleft(),), daemon=True).start()

    def _run(self, job: TrainingJob) -> None:
        """Do a job to its end."""
        process, began = None, time.monotonic()
        try:
            process = self._process()
            _work(job, process)
        except OSError as e:
            job.problem = f"no process could be started that trains: {e}"
        except Exception as e:
            logging.getLogger(__name__).exception("a training failed")
            job.problem = f"the training failed for a reason that nobody foresaw: {type(e).__name__}: {e}"
        finally:
            job.end()
            self._put_back(process, job.stopped or job.problem or time.monotonic() - began > RENEWED_AFTER)
            self._begin_next()
            self.warm_up()

    def _process(self) -> subprocess.Popen[bytes]:
        """Return a process that waits for a task."""
        with self._lock:
            process = self._ready.pop() if self._ready else None
        return process if process and process.poll() is None else worker_process()

    def _put_back(self, process: subprocess.Popen[bytes] | None, is_used_up: object) -> None:
        """Free the place of a job, and have the next one take its process or end that."""
        if process and is_used_up:
            child_process.end(process)
        with self._lock:
            self._n_running -= 1
            if process and not is_used_up:
                self._ready.append(process)

    def _watch(self) -> None:
        """Stop and forget what nobody wants."""
        while True:
            time.sleep(1)
            for job_id in list(self._jobs):
                self._watch_one(job_id)

    def _watch_one(self, job_id: str) -> None:
        job, now = self._jobs[job_id], time.monotonic()
        if _is_wanted(job):
            job.wanted_at = now
        elif now - job.wanted_at > KEPT_SECONDS:
            job.stop()
            with self._lock:
                del self._jobs[job_id]


def _is_wanted(job: TrainingJob) -> bool:
    """Return whether somebody wants a job; who cannot say so, does not."""
    try:
        return job.wanted()
    except Exception:
        logging.getLogger(__name__).exception("whether a training is wanted cannot be told")
        return False


def _work(job: TrainingJob, process: subprocess.Popen[bytes]) -> None:
    """Let a process work on a job until it ends, by itself or by being killed."""
    job.begin(process)
    try:
        child_process.send(process, job.task)
        message: Message = Counting(0.0)
        while not isinstance(message, Ended | Failed):
            message = pickle.load(process.stdout)
            job.take(message)
    except (EOFError, OSError, pickle.UnpicklingError):
        problem = why_it_ended(process)
        if not job.stopped:
            job.problem = problem


def worker_process() -> subprocess.Popen[bytes]:
    """Return a new process that waits for a task."""
    return child_process.started("tokviz.jobs.worker")


def why_it_ended(process: subprocess.Popen[bytes]) -> str:
    """Return in words why a process says nothing more that is understood."""
    try:
        code = process.wait(5)
    except subprocess.TimeoutExpired:
        return "the process that trained sent a message that cannot be read; try again"
    if code < 0:
        return KILLED
    return f"the process that trained ended by itself, with code {code}; the log of the server says why"
