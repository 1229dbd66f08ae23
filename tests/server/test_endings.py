"""What a session held is gone soon after its end, though nobody asks the server anything any more."""

import asyncio
import time
import urllib.error
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.stream_client import Tab, cookie_of, put
from coroutines import run_coroutine
from serving import serving

MB = 1_000_000
UPLOADER = "_file 0"
KEPT = 2  # seconds, not ninety
HOLDINGS = Path(__file__).parent / "holdings"


class Server:
    """A running server, and what it holds."""

    def __init__(self, address: str, told: Path) -> None:
        self.address = address
        self._told = told

    def large(self) -> list[int]:
        """The sizes of all texts, bytes and arrays of a megabyte or more that the server holds, largest first."""
        self._told.unlink(missing_ok=True)
        while not self._told.exists():
            time.sleep(0.1)
        return sorted((int(line.split()[1]) for line in self._told.read_text().splitlines()), reverse=True)


@pytest.fixture
def server(tmp_path) -> Iterator[Server]:
    told = tmp_path / "told"
    options = ["--server.disconnectedSessionTTL", str(KEPT)]
    with serving("app.py", *options, PYTHONPATH=str(HOLDINGS), TOKVIZ_HOLDINGS=str(told)) as address:
        yield Server(address, told)


async def tab_with_text(address: str, number: int) -> Tab:
    """A tab, on one page or another, whose text of ten megabytes comes from a file; no two have the same."""
    tab = await Tab(address, ("train", "merges")[number % 2]).__aenter__()
    finished = tab.n_finished
    text = f"The text of tab {number}. ".encode() * (10 * MB // 20)
    await tab.upload(UPLOADER, {"text.txt": text}, cookie_of(address))
    await tab.until(lambda: tab.n_finished > finished)
    return tab


@pytest.mark.slow
def test_texts_are_gone_when_their_time_is_over(server):
    async def texts_of_five_tabs() -> int:
        tabs = [await tab_with_text(server.address, number) for number in range(5)]
        n_held = len(server.large())
        for tab in tabs:
            await tab.__aexit__()
        return n_held

    assert run_coroutine(texts_of_five_tabs()) >= 5
    time.sleep(KEPT + 3)
    assert [size for size in server.large() if size > 5 * MB] == []


@pytest.mark.slow
def test_a_session_keeps_a_limited_part_of_what_it_uploads(server):
    async def upload_without_a_widget() -> None:
        async with Tab(server.address, "train") as tab:
            cookie = cookie_of(server.address)
            url = f"{server.address}/_stcore/upload_file/{tab.session}/"
            for number in range(8):
                await asyncio.to_thread(put, f"{url}{number}", "orphan", bytes(45 * MB), cookie)
            assert server.large()[:5].count(45 * MB) == 4  # of 200 MB
            with pytest.raises(urllib.error.HTTPError, match="403"):
                await asyncio.to_thread(put, f"{url}9", "forged", b"", "no cookie")

    run_coroutine(upload_without_a_widget())
    time.sleep(KEPT + 3)
    assert [size for size in server.large() if size > 5 * MB] == []
