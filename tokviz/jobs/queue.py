"""Training beside whoever asked for it: a queue of jobs, and processes that take them in turn.

In: tasks. Out: a `TrainingJob` for each, to be watched and stopped from any thread. The processes are
`training_worker`s: a thread here starts one, hands it a task and takes what it says, so that who waits for the job
never works for it. A job can outlive the one who asked, for a while; whether anybody still wants it is asked again and
again.
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
from threading import Condition, Thread

from tokviz.core.patterns import shortened
from tokviz.core.vocabulary import special_ids
from tokviz.jobs.job import TrainingJob, Wanted
from tokviz.jobs.process import why_it_ended, worker_process
from tokviz.jobs.worker import Counting, Ended, Failed, Message, TrainingTask
from tokviz.system import child_process
from tokviz.training.corpus import Corpus
from tokviz.training.training import check_sizes

# One core is left to the pages; with one or two cores two jobs share what the pages leave, so that a long one does
# not keep all others waiting.
SLOTS = max(2, (os.cpu_count() or 1) - 1)
KEPT_SECONDS = 30  # a job that nobody wants, running or ended, since a reload takes a moment
RENEWED_AFTER = 1.0  # seconds of a job; a process that worked longer may hold much memory


class TrainingQueue:
    """Jobs in the order in which they were asked for, so many of them at work at a time.

    >>> task = TrainingTask(["low lower"], "low", vocab_size=258, min_count=1, split_pattern="gpt2")
    >>> job = TrainingQueue(slots=1).submit(task)
    >>> job.wait(60), job.tokenizer("low").encode("lower")
    (True, [257, 101, 114])
    """

    def __init__(self, slots: int = SLOTS) -> None:
        self._slots = slots
        self._waiting: deque[TrainingJob] = deque()
        self._jobs: dict[str, TrainingJob] = {}
        self._changed = Condition()
        self._n_threads = self._n_idle = 0
        self._watched = False

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
        with self._changed:
            self._jobs[job.id] = job
            self._waiting.append(job)
            if not self._watched:
                self._watched = True
                Thread(target=self._watch, daemon=True).start()
            self._serve_one_more(len(self._waiting))
            self._changed.notify()
        return job

    def warm_up(self) -> None:
        """Have a process ready for the first job: to start one takes a third of a second."""
        with self._changed:
            self._serve_one_more(1)

    def job(self, job_id: str) -> TrainingJob | None:
        """Return a job, or None where it is not known any more."""
        return self._jobs.get(job_id)

    def n_before(self, job: TrainingJob) -> int:
        """Return how many jobs wait that were asked for before this one; 0 for one that does not wait."""
        with self._changed:
            return self._waiting.index(job) if job in self._waiting else 0

    def _leave(self, job: TrainingJob) -> None:
        with self._changed, contextlib.suppress(ValueError):  # its turn may have come meanwhile
            self._waiting.remove(job)

    def _serve_one_more(self, n_wanted: int) -> None:
        if self._n_idle < n_wanted and self._n_threads < self._slots:
            self._n_threads += 1
            self._n_idle += 1
            Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        """Take job after job, with a process that is ready before they come."""
        process: subprocess.Popen | None = None
        while True:
            with contextlib.suppress(Exception):  # it is tried again for the job, which is told
                process = process or worker_process()
            process = self._serve_next(process)

    def _serve_next(self, process: subprocess.Popen | None) -> subprocess.Popen | None:
        """Do the job whose turn it is; return the process, None where it has ended.

        The job is held nowhere afterwards, while the next one is waited for.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._waiting)
            job = self._waiting.popleft()
            self._n_idle -= 1
        began = time.monotonic()
        try:
            if not job.ended:
                if process is None or process.poll() is not None:  # killed while it waited
                    process = _started(job)
                if process is not None:
                    _work(job, process)
        except Exception as e:
            logging.getLogger(__name__).exception("a training failed")
            job.problem = (
                job.problem or f"the training failed for a reason that nobody foresaw: {type(e).__name__}: {e}"
            )
        finally:
            job.end()
            with self._changed:
                self._n_idle += 1
        if process and (job.stopped or job.problem or time.monotonic() - began > RENEWED_AFTER):
            child_process.end(process)
            return None
        return process

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
            with self._changed:
                del self._jobs[job_id]


def _is_wanted(job: TrainingJob) -> bool:
    """Return whether somebody wants a job; who cannot say so, does not."""
    try:
        return job.wanted()
    except Exception:
        logging.getLogger(__name__).exception("whether a training is wanted cannot be told")
        return False


def _started(job: TrainingJob) -> subprocess.Popen | None:
    """Return a new process, or None, with the job's problem, where the system has no room for one."""
    try:
        return worker_process()
    except OSError as e:
        job.problem = f"no process could be started that trains: {e}"
        return None


def _work(job: TrainingJob, process: subprocess.Popen) -> None:
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
