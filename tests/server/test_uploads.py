"""Limits of uploads that a browser keeps by itself hold for whoever asks without one."""

import pytest
from bench.stream_client import Tab, cookie_of
from coroutines import run_coroutine

from pages.ui.shared.text import FILE_MB_MAX


@pytest.mark.slow
def test_a_text_that_is_too_large_is_refused_by_the_server(address):
    async def complaint() -> str:
        async with Tab(address, "train") as tab:
            await tab.upload("_file 0", {"long.txt": b"a" * (FILE_MB_MAX * 1_000_000 + 1)}, cookie_of(address))
            await tab.until(lambda: any("did not work" in alert for alert in tab.alerts), seconds=20)
            return "\n".join(tab.alerts)

    assert "did not work" in run_coroutine(complaint())
