"""Work in guarded child processes: what dies there is a plain error here, and nobody else notices."""

import multiprocessing
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import time

import psutil
import pytest
from hostile_inputs import FILES, PATTERNS
from processes import children_of, ended, until

from tokviz import Tokenizer
from tokviz.core.patterns import overwhelms_compiler, pattern_name_or_regex
from tokviz.core.pretokens import pretokens
from tokviz.families.library_training import train_sentencepiece
from tokviz.formats.files import read_tokenizer
from tokviz.system import sandbox, sandbox_child
from tokviz.system.child_turns import Client, Task
from tokviz.system.sandbox import SandboxError, call
from tokviz.text.alternatives import alternatives, cuts


def children() -> list[psutil.Process]:
    return children_of("tokviz.system.sandbox_worker")


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern[:20])
@pytest.mark.slow
def test_a_hostile_pattern_cuts_or_ends_in_a_plain_error_at_little_cost_to_this_process(pattern):
    text = "a" * 20_000 + "c"
    work, memory = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for use in (
        lambda: pretokens(text, pattern, timeout=0.5),
        lambda: cuts(text, pattern, timeout=0.5),
        lambda: alternatives(pattern),
        lambda: Tokenizer("x", pattern, {bytes([i]): i for i in range(256)}),
    ):
        try:
            use()
        except ValueError as e:
            assert "split pattern" in str(e) and len(str(e)) < 300
    assert time.process_time() - work < 0.5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 100_000  # kilobytes


def test_a_pattern_that_crashes_its_engine_is_named_in_a_plain_error():
    with pytest.raises(ValueError, match=r"the split pattern '\(\?:\|a\)\{300000\}' crashed the process that ran it"):
        pattern_name_or_regex("(?:|a){300000}")
    assert pretokens("a1b2", "[a-z]") == ["a", "1", "b", "2"]


@pytest.mark.slow
def test_a_pattern_that_ended_a_process_is_known_as_such():
    assert overwhelms_compiler("(?:|a){299999}") and not overwhelms_compiler("(a") and not overwhelms_compiler("a|b")


@pytest.mark.slow
def test_others_go_on_while_a_pattern_fills_memory():
    pauses, done = [], threading.Event()

    def typist():
        while not done.is_set():
            begun = time.perf_counter()
            pretokens("it's 12 o'clock", "gpt2")
            time.sleep(0.005)
            pauses.append(time.perf_counter() - begun)

    thread = threading.Thread(target=typist)
    thread.start()
    for pattern in ("a{9999999}", "(?:|a){299999}"):
        with pytest.raises(ValueError):
            pattern_name_or_regex(pattern)
    done.set()
    thread.join()
    assert len(pauses) > 10 and max(pauses) < 0.5


@pytest.mark.parametrize(
    ("function", "arguments", "why"),
    [
        (os.abort, (), "crash"),
        (bytearray, (10**11,), "memory"),
        (os.system, ("kill -SEGV $PPID",), "crash"),
        pytest.param(eval, ("[None for _ in iter(int, 1)]",), None, marks=pytest.mark.slow),
    ],
)
def test_the_reasons_why_a_child_ends_are_distinguished(function, arguments, why):
    with pytest.raises(SandboxError, match=r"^toy ") as caught:
        call(function, *arguments, seconds=0.2, what="toy")
    assert why in (None, caught.value.why)
    assert call(os.path.basename, "a/b", seconds=5, what="toy") == "b"


def request_of(function, *arguments):
    return pickle.dumps((function, arguments, 5.0))


def test_a_child_without_memory_for_a_request_ends_as_one_that_has_too_little():
    no_more = "import resource as r; r.setrlimit(r.RLIMIT_AS, (1, r.getrlimit(r.RLIMIT_AS)[1]))"
    child = sandbox_child.Child()
    assert child.send_and_get_reply(request_of(exec, no_more), None, lambda: False)
    assert child.send_and_get_reply(request_of(len, bytes(10_000_000)), None, lambda: False) is None
    assert child.end_with_exit_code() == -signal.SIGKILL


# What a call leaves in its child: 1.2 GB of address space, of which nothing is in memory, or it would be replaced.
LEAVES = "import mmap\nimport tokviz.system.sandbox as s\ns.left = mmap.mmap(-1, 1_200_000_000)"
TRIES = "bytearray(900_000_000) and hasattr(__import__('tokviz.system.sandbox').system.sandbox, 'left')"
ABORTS = "hasattr(__import__('tokviz.system.sandbox').system.sandbox, 'left') and __import__('os').abort()"


@pytest.mark.slow
@pytest.mark.parametrize("expression", [TRIES, ABORTS], ids=["memory", "abort"])
def test_what_earlier_calls_left_in_a_child_does_not_end_a_call(expression):
    n_before = len(children())
    call(exec, LEAVES, seconds=5, what="toy", key="left")
    assert call(eval, expression, seconds=5, what="toy", key="left") is False
    assert len(children()) <= max(n_before, 1)


def test_a_call_that_ends_every_child_is_made_twice_at_most(monkeypatch):
    call(abs, -1, seconds=5, what="toy")
    made = []
    monkeypatch.setattr(sandbox_child.Child, "send_and_get_reply", lambda *_: made.append(1) and None)
    monkeypatch.setattr(sandbox_child.Child, "end_with_exit_code", lambda child: child.end() or -signal.SIGABRT)
    with pytest.raises(SandboxError, match="crashed"), sandbox.as_task(Task(Client())):
        call(abs, -1, seconds=5, what="toy")
    assert len(made) == 2


def test_errors_of_the_function_are_raised_here():
    with pytest.raises(ValueError, match="invalid literal"):
        call(int, "x", seconds=5, what="toy")
    with pytest.raises(KeyError, match="nothing"):
        call(dict.__getitem__, {}, "nothing", seconds=5, what="toy")
    with pytest.raises(ValueError, match="No such file"):  # of a class of the function's own
        call(os.stat, "no/such/file", seconds=5, what="toy")


def test_callers_at_once_share_a_few_children():
    results = []
    threads = [
        threading.Thread(target=lambda n=n: results.append(call(abs, -n, seconds=5, what="toy"))) for n in range(40)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == list(range(40))
    assert len(children()) <= sandbox.CHILDREN_MAX


def test_a_result_whose_making_calls_again_is_had_by_a_client_of_one_child():
    with sandbox.as_task(Task(Client(), max_wait=2)):
        tokenizer = read_tokenizer(b"minbpe v1\n[a-z]+|-\n0\n97 98\n", "own.model")
        assert tokenizer.encode("ab") == [256]


def test_work_that_nobody_waits_for_is_killed_and_its_child_is_free():
    begun = time.monotonic()
    task = Task(Client(), is_abandoned=lambda: time.monotonic() > begun + 0.2)
    with sandbox.as_task(task), pytest.raises(SandboxError, match="nobody waits"):
        call(eval, "[None for _ in iter(int, 1)]", seconds=60, what="toy")
    assert task.was_cancelled
    assert sandbox_child._free  # whoever comes next need not wait for one to start
    until(lambda: not [child for child in children() if child.cpu_percent(0.1) > 50])  # but for one that begins


WORK = """
import time
ends = time.process_time() + {seconds}
while time.process_time() < ends: pass
raise ValueError(str(__import__("os").nice(0)))
"""


@pytest.mark.parametrize(("seconds", "is_low_then"), [(0.0, False), (0.35, True)])
def test_only_a_call_that_takes_long_gets_what_others_leave_of_the_processors(monkeypatch, seconds, is_low_then):
    monkeypatch.setattr(sandbox_child, "_free", [])
    with pytest.raises(ValueError) as niceness:
        call(exec, WORK.format(seconds=seconds), seconds=20, what="toy")
    assert (int(str(niceness.value)) == sandbox_child.LOW) == is_low_then
    for child in sandbox_child._free:
        child.end()


class FreeChild:
    """A child that nobody uses, by what `take` looks at."""

    def __init__(self, name: str, *keys: str, is_low: bool = False) -> None:
        self.name, self.keys, self.is_low = name, {*keys}, is_low

    def poll(self) -> None:
        """It has not ended."""


@pytest.mark.parametrize(
    ("key", "leaves_one", "taken"),
    [("other", False, "fast"), ("known", False, "first"), ("slow's", False, "slow"), ("other", True, "fast")],
)
def test_the_free_child_that_knows_the_key_is_taken_or_one_that_is_not_slow(monkeypatch, key, leaves_one, taken):
    free = [FreeChild("first", "known"), FreeChild("fast"), FreeChild("slow", "slow's", is_low=True)]
    monkeypatch.setattr(sandbox_child, "_free", free)
    assert sandbox_child.take_child(key, leaves_one=leaves_one).name == taken
    assert taken not in [child.name for child in sandbox_child._free]


def test_the_last_free_child_is_left_to_a_client_that_has_not_worked_for_long(monkeypatch):
    monkeypatch.setattr(sandbox_child, "_free", [FreeChild("last")])
    monkeypatch.setattr(sandbox_child, "Child", lambda: FreeChild("new"))
    assert [sandbox_child.take_child("", leaves_one=leaves).name for leaves in (True, False, False)] == [
        "new",
        "last",
        "new",
    ]


def test_a_client_whose_call_ended_its_child_has_to_wait_and_is_told_so():
    task = Task(Client(), retries=True)
    with sandbox.as_task(task):
        with pytest.raises(SandboxError, match="crashed"):
            call(os.abort, seconds=5, what="toy")
        with pytest.raises(SandboxError, match=r"^toy has to wait \d seconds?, because .* runs by itself") as refused:
            call(abs, -1, seconds=5, what="toy")
    assert refused.value.why == "busy" and task.retry_at
    assert call(abs, -1, seconds=5, what="toy") == 1  # for anybody else


def test_a_child_killed_between_two_calls_is_replaced():
    sandbox_child.start_child_if_none_free()
    for child in children():
        child.send_signal(signal.SIGKILL)
        child.wait(10)
    assert call(abs, -1, seconds=5, what="toy") == 1


@pytest.mark.slow
def test_a_child_that_has_grown_is_replaced():
    first = call(os.getpid, seconds=5, what="toy")
    assert call(len, bytes(10), seconds=5, what="toy") == 10 and call(os.getpid, seconds=5, what="toy") == first
    call(
        exec, "import tokviz.system.sandbox\ntokviz.system.sandbox.held = b'a' * 1_050_000_000", seconds=20, what="toy"
    )
    assert call(os.getpid, seconds=5, what="toy") != first


def _answer_of_a_copy(queue):
    queue.put(call(os.getppid, seconds=5, what="toy"))


def test_a_copy_of_this_process_uses_children_of_its_own():
    sandbox_child.start_child_if_none_free()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    copy = context.Process(target=_answer_of_a_copy, args=(queue,))
    copy.start()
    assert queue.get(timeout=20) == copy.pid
    copy.join(20)
    assert call(os.getppid, seconds=5, what="toy") == os.getpid()


@pytest.mark.parametrize("how", ["", "os.kill(os.getpid(), 9)"])
def test_children_end_with_their_parent(how):
    code = "import os; from tokviz.system import sandbox; "
    code += "print(sandbox.call(os.getpid, seconds=5, what='toy'), flush=True)"
    code += f"; {how}" if how else ""
    run = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, timeout=60, check=False)
    until(lambda: ended(int(run.stdout)))


REFUSALS = {
    "doublings.model": r"makes a token of 131,072 bytes; at most 128,000 are allowed",
    "chain.model": r"more than 10,000,000 bytes|did not end within",
    "pattern.model": "crashed the process",
    "pattern.json": "crashed the process",
    "long.tiktoken": "a token of more than 128,000 bytes",
    "lines.tiktoken": "line 2: the token b'a' has the rank 0 already",
    "lists.json": r"memory|did not end|model",
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.slow
def test_a_file_that_asks_for_minutes_or_gigabytes_costs_this_process_little(name, monkeypatch):
    monkeypatch.setattr("tokviz.formats.files.READ_SECONDS", 3.0)
    work, memory = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rules = {} if name.endswith(".json") else {"split_pattern": "gpt2"}
    with pytest.raises(ValueError, match=REFUSALS[name]):
        read_tokenizer(FILES[name](), name, **rules)
    assert time.process_time() - work < 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 300_000  # kilobytes


@pytest.mark.slow
def test_a_training_that_does_not_end_is_ended(monkeypatch):
    monkeypatch.setattr("tokviz.families.library_training.SECONDS", 0.5)
    with pytest.raises(ValueError, match="training did not end"):
        train_sentencepiece("ab" * 100_000, vocab_size=300, model_type="unigram")
    until(lambda: not [child for child in children() if child.cpu_percent(0.1) > 50])  # but for one that begins
