"""Bodies of every shape: each is answered or refused in words, takes little memory, and holds up nobody who types."""

import asyncio
import sys
import time
import tracemalloc
from contextlib import suppress

import psutil
import pytest
from bench.stream_client import Tab
from coroutines import run_coroutine
from hostile_bodies import FILLS, bodies, check
from live_page import Page
from serving import ROOT, free_port, started

from tokviz.api import PATH
from tokviz.api.fields import parsed_request
from tokviz.api.messages import DecodeRequest, EncodeRequest
from tokviz.api.refusal import Refusal, problem_response
from tokviz.api.routes import ENDPOINTS, OF_INFERENCE_SERVERS

SENDERS = 3
KEY_SECONDS_MAX = 0.1
MB = 1_000_000
MEMORY_MAX = 600 * MB  # more than before


def test_short_bodies_of_every_shape_are_answered_or_refused_in_words():
    endpoints = {PATH + each.path: each for each in ENDPOINTS} | {each.path: each for each in OF_INFERENCE_SERVERS}
    for name, path, body in bodies(300):
        try:
            check(name, 200, b"".join(endpoints[path].answer_chunks(body)))
        except Refusal as e:
            check(name, e.status, problem_response(e.status, e.words).body)
        except ValueError as e:
            check(name, 400, problem_response(400, str(e)).body)


@pytest.mark.parametrize("name", ["empty lists", "lists of empty lists", "trues", "deep lists", "objects", "names"])
def test_long_bodies_become_objects_in_a_child_process_only(name):
    for model, field in ((EncodeRequest, b"input"), (DecodeRequest, b"ids")):
        body = b'{"%s":%s}' % (field, FILLS[name](MB).encode())
        tracemalloc.start()
        try:
            with pytest.raises(Refusal):
                parsed_request(model, body)
            assert tracemalloc.get_traced_memory()[1] < 4 * len(body)
        finally:
            tracemalloc.stop()


async def typing_beside_programs(address: str, process: psutil.Process) -> tuple[list[float], list[float], int]:
    """Return the seconds of keys alone, and beside bodies of every shape, and the most memory that the server had."""
    async with Tab(address) as tab:
        typist = Page(tab)
        typing = asyncio.create_task(typist.type())
        await asyncio.sleep(10)
        alone, most = len(typist.seconds), 0
        script = [sys.executable, str(ROOT / "tests" / "hostile_bodies.py"), address]
        senders = [
            await asyncio.create_subprocess_exec(*script, f"127.0.0.{2 + part}", str(part), str(SENDERS))
            for part in range(SENDERS)
        ]
        ends = asyncio.gather(*(sender.wait() for sender in senders))
        while not ends.done():
            await asyncio.sleep(0.2)
            most = max(most, process.memory_info().rss)
        assert await ends == [0] * SENDERS
        typing.cancel()
        with suppress(asyncio.CancelledError):
            await typing
    return typist.seconds[:alone], typist.seconds[alone:], most


@pytest.mark.slow
@pytest.mark.alone
def test_whoever_types_beside_long_bodies_of_every_shape_waits_for_none(tmp_path):
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = ["-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with started(command, address, log=tmp_path / "log", TOKVIZ_API="1", MALLOC_ARENA_MAX="2") as server:
        process = psutil.Process(server.pid)
        time.sleep(10)  # while the rank tables are read
        before = process.memory_info().rss
        alone, beside, most = run_coroutine(typing_beside_programs(address, process))
    assert "Traceback" not in (tmp_path / "log").read_text()
    found = f"{max(beside):.3f} s at most, {max(alone):.3f} alone; {most // MB} MB at most, {before // MB} before"
    assert most - before < MEMORY_MAX and max(beside) < KEY_SECONDS_MAX, found
