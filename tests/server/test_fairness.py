"""Twelve tabs whose split pattern never ends, each typing, and others who work beside them."""

import asyncio
import statistics
import time

import pytest
from bench.stream_client import Tab, cookie_of
from coroutines import run_coroutine
from hostile_inputs import cutting, link
from live_page import Page, seconds_to_cut
from serving import serving

N_TYPISTS, N_HOSTILE, NEWCOMERS = 4, 12, 8
HOSTILE = link(text="a" * 5_000 + "c", options=cutting("(?:a|aa|aaa)+$"))
SECONDS_MAX, KEY_SECONDS_MAX = 3.0, 0.1


async def seconds_to_open(address: str, cookie: str, number: int) -> float:
    """Return the seconds from giving the file of a tokenizer to its being open."""
    async with Tab(address) as tab:
        begun = time.perf_counter()
        await tab.upload("_tokenizer_file 0", {"own.model": f"minbpe v1\n[a-z]+|{number}\n0\n97 98\n".encode()}, cookie)
        before = len(tab.codes)
        await tab.until(lambda: tab.codes[before:] or "_tokenizer_file 1" in tab.elements)
        assert "_tokenizer_file 1" in tab.elements, tab.codes
    return time.perf_counter() - begun


async def beside_hostile_tabs(address: str) -> tuple[list[float], list[float], list[float], list[Page]]:
    """Return the seconds that newcomers wait for a pattern and a file, those of typists' keys, and the hostile."""
    cookie = await asyncio.to_thread(cookie_of, address)
    tabs = [Tab(address) for _ in range(N_TYPISTS)] + [Tab(address, "bytes", HOSTILE) for _ in range(N_HOSTILE)]
    for tab in tabs:
        await tab.__aenter__()
    pages = list(map(Page, tabs))
    typists, hostile = pages[:N_TYPISTS], pages[N_TYPISTS:]
    typing = []
    for each in pages:
        typing.append(asyncio.create_task(each.type()))
        await asyncio.sleep(0.5)
    patterns, files = [], []
    for number in range(NEWCOMERS):
        pattern = link(text="one two " * 200, options=cutting(f"[a-z]+ ?|{number}"))
        patterns.append(await seconds_to_cut(address, pattern))
        files.append(await seconds_to_open(address, cookie, number))
        await asyncio.sleep(2)
    assert not any(task.done() for task in typing)
    for task in typing:
        task.cancel()
    await asyncio.gather(*typing, return_exceptions=True)
    for tab in tabs:
        await tab.__aexit__()
    return patterns, files, [second for each in typists for second in each.seconds], hostile


@pytest.mark.slow
@pytest.mark.alone
def test_twelve_tabs_whose_pattern_never_ends_leave_room_for_others():
    with serving("app.py") as address:
        patterns, files, keys, hostile = run_coroutine(beside_hostile_tabs(address))
    assert max(patterns) < SECONDS_MAX and max(files) < SECONDS_MAX
    assert statistics.quantiles(keys, n=100)[98] < KEY_SECONDS_MAX
    assert all(each.notices for each in hostile)
