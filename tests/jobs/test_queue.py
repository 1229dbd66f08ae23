"""Training in other processes: the same merges, whatever stops it, and nobody waits for nothing."""

import gzip
import os
import random
import signal
import subprocess
import sys
import weakref
from itertools import cycle
from pathlib import Path

import psutil
import pytest
import trainings
from processes import SECONDS, ended, until

import tokviz
from tokviz.core.samples import sample
from tokviz.corpus.corpus import Corpus
from tokviz.corpus.counting import pretoken_counts
from tokviz.training.held_out import documents_marked_held_out

ROOT = Path(__file__).parents[2]
WORDS = random.Random(1)
# A few seconds of merging, so that it can be found at work.
LONG = " ".join("".join(WORDS.choices("abcdefghij", k=12)) for _ in range(30_000))


def task(texts=(LONG,), **settings):
    return trainings.task(texts, **{"vocab_size": 60_000} | settings)


@pytest.mark.parametrize("pattern", [pytest.param("cl100k", marks=pytest.mark.slow), "none"])
def test_a_job_learns_what_training_here_learns(queue, pattern):
    documents = [sample("mixed"), "", sample("thai") + "<s>" + sample("thai")]
    job = queue.submit(
        task(documents, vocab_size=400, split_pattern=pattern, special_tokens=["<s>"], counts_bytes_max=10**6)
    )
    assert job.wait(SECONDS) and job.problem is None and not job.stopped
    made_of = {"split_pattern": pattern, "special_tokens": ["<s>"]}
    assert job.steps == list(tokviz.train_steps(documents, vocab_size=400, **made_of))
    assert job.tokenizer("t") == tokviz.train(documents, vocab_size=400, **made_of)
    assert list(job.counted.counts[""].items()) == list(pretoken_counts(documents, **made_of).items())
    assert job.counted.n_bytes == sum(len(document.encode()) for document in documents) - len("<s>")


def test_files_are_counted_as_documents_and_bad_lines_are_reported(queue):
    files = {
        "a.jsonl": b'{"text": "low lower"}\nno\n{"body": 1}\n\xff\n{"text": "lowest"}',
        "b.txt.gz": gzip.compress(b"newest\n\xfe\nlowest"),
    }
    job = queue.submit(task(Corpus.of_bytes(files), vocab_size=270))
    assert job.wait(SECONDS)
    assert job.steps == list(
        tokviz.train_steps(["low lower", "lowest", "newest\nlowest"], vocab_size=270, split_pattern="gpt2")
    )
    assert (job.counted.n_documents, job.counted.n_bad_lines, job.counted.counts) == (3, 4, None)
    places = [(bad.file, bad.line) for bad in job.counted.bad_lines]
    assert places == [("a.jsonl", 2), ("a.jsonl", 3), ("a.jsonl", 4), ("b.txt.gz", 2)]


@pytest.mark.slow
def test_a_job_that_is_stopped_or_killed_keeps_its_merges_and_the_next_one_begins(queue):
    expected = tokviz.train_steps(LONG, vocab_size=60_000, split_pattern="gpt2")
    for end in (lambda job: job.stop(), lambda job: job._process.kill()):
        job, following = queue.submit(task()), queue.submit(task(["low low"], vocab_size=258))
        until(lambda job=job: len(job.steps) > 100)
        assert job.stage == "merging" and 0 < job.stage_progress < 1 and queue.n_jobs_waiting_before(following) == 0
        end(job)
        assert job.wait(SECONDS) and following.wait(SECONDS)
        assert job.stopped == (job.problem is None)
        assert job.stopped or "was killed" in job.problem
        known = [step for step, _ in zip(expected, range(len(job.steps)), strict=False)]
        assert job.steps[: len(known)] == known and len(following.steps) == 2
        expected = tokviz.train_steps(LONG, vocab_size=60_000, split_pattern="gpt2")


def test_jobs_wait_in_their_order_and_one_that_is_stopped_before_its_turn_does_no_work(queue):
    first, second, third = (queue.submit(task()) for _ in range(3))
    until(lambda: first.stage != "waiting")
    assert [queue.n_jobs_waiting_before(job) for job in (second, third)] == [0, 1]
    second.stop()
    assert second.has_ended and not first.has_ended and queue.n_jobs_waiting_before(third) == 0
    first.stop()
    until(lambda: third.stage != "waiting")
    assert second.has_ended and not second.steps
    third.stop()
    assert third.wait(SECONDS)


@pytest.mark.slow
def test_a_job_that_nobody_refers_to_ends_and_is_forgotten(queue):
    job = queue.submit(task())
    until(lambda job=job: job.steps)
    process, job_id, forgotten = job._process, job.id, queue.submit(task()).id
    assert queue.job(job_id) is job and queue.job(forgotten) is None
    following = queue.submit(task(["low low"], vocab_size=258))
    assert queue.n_jobs_waiting_before(following) == 0 and process.poll() is None
    process.send_signal(signal.SIGSTOP)  # or it might come to its end
    del job
    assert process.wait(SECONDS) != 0 and queue.job(job_id) is None
    assert following.wait(SECONDS) and len(following.steps) == 2


def learned(job):
    """Return the tokens of a job that has ended well."""
    assert job.wait(SECONDS)
    assert job.problem is None
    return [step.token_bytes for step in job.steps]


def test_ids_of_special_tokens_are_kept(queue):
    special = {"<s>": 1_101, "</s>": 300}
    job = queue.submit(task(["low lower<s>lower"], vocab_size=258, special_tokens=special))
    assert learned(job) == [b"lo", b"low"]
    assert job.tokenizer("low").special_tokens == special


def test_special_tokens_of_any_kind_are_taken(queue):
    job = queue.submit(task(["low lower<s>"], vocab_size=258, special_tokens={"<s>": 0}.keys()))
    assert learned(job) == [b"lo", b"low"]


@pytest.mark.slow
def test_a_job_that_fails_unexpectedly_says_so_and_the_next_one_begins(queue):
    for document, words in ((lambda: None, "pickle"), (5, "TypeError")):  # one fails here, one in the process
        job = queue.submit(task([document], vocab_size=258))
        assert job.wait(SECONDS) and "try another text" in job.problem and words in job.problem
        assert learned(queue.submit(task(["low low"], vocab_size=258))) == [b"lo", b"low"]


def main():
    """Wait for a task and end, in a process in the place of one that trains."""
    sys.stdin.buffer.read(1)
    sys.exit(3)


@pytest.mark.slow
def test_a_process_that_ends_by_itself_was_not_killed():
    # In a process of its own: the queue of the other tests would start such processes too.
    code = """if True:
        from tokviz.jobs import queue as training_queue
        from tokviz.system.child_process import ChildProcess
        training_queue.start_worker_process = lambda: ChildProcess("jobs.test_queue")
        from jobs.test_queue import SECONDS, task
        job = training_queue.TrainingQueue(slots=1).submit(task(["low"]))
        print(job.wait(SECONDS), job.problem)
    """
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    run = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    assert run.stdout.startswith("True ") and "ended by itself, with code 3" in run.stdout


def test_a_job_that_has_ended_is_not_stopped_and_holds_no_documents(queue):
    job = queue.submit(task(Corpus.of_bytes({"a.txt": b"low low"}), vocab_size=258))
    corpus = weakref.ref(job.task.texts[""])
    assert learned(job)
    job.stop()
    assert (
        not job.stopped
        and job.seconds_left_in_stage is None
        and (job.task.texts, job.task.plan.vocab_size) == ({}, 258)
    )
    until(lambda: corpus() is None)


def test_nothing_but_those_who_asked_for_a_job_holds_it_after_its_end(queue):
    job = queue.submit(task(["low low"], vocab_size=258))
    assert job.wait(SECONDS)
    held = weakref.ref(job)
    del job
    until(lambda: held() is None)


@pytest.mark.slow
def test_a_pattern_that_does_not_end_is_reported(queue):
    job = queue.submit(task(["a" * 60 + "b"], split_pattern="(a|aa)+$"))
    assert job.wait(SECONDS) and "did not end" in job.problem


def test_files_without_a_text_are_refused_by_name(queue):
    files = {"empty.txt": b"", "latin1.txt": "café".encode("latin-1")}
    job = queue.submit(task(Corpus.of_bytes(files)))
    assert job.wait(SECONDS)
    assert "no text to train on in empty.txt, latin1.txt; left out: latin1.txt, line 1" in job.problem


@pytest.mark.slow
@pytest.mark.parametrize(
    "work",
    [
        "task([LONG, LONG[::-1]], vocab_size=120_000)",
        # Says nothing until the pattern is given up, after a hundred seconds.
        "task(['a' * 60 + 'b' + ' ' * 20_000_000], split_pattern='(a|aa)+$')",
    ],
)
def test_the_process_that_trains_ends_with_its_server(work):
    code = (
        "import time\nfrom jobs.test_queue import *\nfrom tokviz.jobs.queue import TrainingQueue\n"
        f"job = TrainingQueue(1).submit({work})\n"
        "until(lambda: job._process)\n"
        "training = psutil.Process(job._process.pid)\n"
        "until(lambda: sum(p.cpu_times().user for p in [training, *training.children()]) > 1)\n"
        "print(job._process.pid, flush=True)\ntime.sleep(600)"
    )
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    server = subprocess.Popen(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path}, stdout=subprocess.PIPE, text=True
    )
    pid = int(server.stdout.readline())
    trains = psutil.Process(pid)
    assert trains.nice() > psutil.Process(server.pid).nice()
    server.send_signal(signal.SIGKILL)
    server.wait()
    until(lambda: ended(pid))


@pytest.mark.parametrize("n_documents", [1, pytest.param(3, marks=pytest.mark.slow), 25])
def test_a_job_does_not_train_on_what_it_holds_out_and_says_what_that_gives(queue, n_documents):
    documents = [f"{sample(kind)}{n}" for n, kind in zip(range(n_documents), cycle(["mixed", "thai", "english"]))]
    parts = list(documents_marked_held_out(documents))
    rest = [document for is_held_out, document in parts if not is_held_out]
    held = [document for is_held_out, document in parts if is_held_out]
    assert sum(map(len, held)) > 0 and len(rest) in (n_documents, n_documents - n_documents // 10)
    as_files = Corpus.of_bytes({f"{n}.txt": document.encode() for n, document in enumerate(documents)})
    for given in (documents, as_files):
        job = queue.submit(task(given, vocab_size=400, hold_out=True))
        assert job.wait(SECONDS) and job.problem is None
        learned = tokviz.train(rest, vocab_size=400, split_pattern="gpt2")
        assert job.tokenizer("t") == learned and len(job.steps) == 144
        assert job.counted.n_bytes == sum(len(document.encode()) for document in rest)
        assert job.held_out.n_bytes == sum(len(document.encode()) for document in held)
        for k in (1, 50, 144):
            cut = learned.truncated(k)
            assert job.held_out.n_tokens[k - 1] == sum(len(cut.encode(document)) for document in held)


@pytest.mark.slow
def test_a_job_holds_nothing_out_unless_asked_or_if_there_is_no_place_to_cut(queue):
    for given in (task(["low lower"], vocab_size=258), task(["a" * 99], vocab_size=258, hold_out=True)):
        job = queue.submit(given)
        assert job.wait(SECONDS) and job.problem is None and job.steps and job.held_out is None
