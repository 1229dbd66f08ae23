"""What a document tells the browser to fetch ahead is what a page fetches anyway, once."""

import urllib.request
from collections import Counter
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page
from polling import wait_until
from serving import ROOT, free_port, started

from tokviz.server.assets import PATH


@pytest.fixture(scope="module")
def silent_address() -> Iterator[str]:
    """A server of the same pages that names no modules."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    arguments = ["-m", "streamlit", "run", "tests/browser/apps/served.py", "--server.port", str(port)]
    with started(arguments, address, SCRIPT=str(ROOT / "app.py")):
        yield address


def fetched(page: Page, address: str) -> list[str]:
    """Return a list that grows by what a page fetches, by its address below the server's."""
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url.removeprefix(f"{address}/")))
    return urls


def test_a_page_that_is_told_nothing_fetches_these_modules_too(page: Page, app_address: str, silent_address: str):
    with urllib.request.urlopen(app_address) as answer:
        named = {entry[1 : entry.index(">")] for entry in answer.headers["link"].split(",")}
    urls = fetched(page, silent_address)
    page.goto(silent_address)
    wait_until(page, lambda: named <= {*urls}, seconds=30)


def test_nothing_is_fetched_twice_and_the_policy_allows_it_all(page: Page, app_address: str):
    urls = fetched(page, app_address)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(app_address)
    page.locator(".block .t").first.wait_for(timeout=30_000)
    modules = Counter(url for url in urls if url.endswith(".js"))
    assert PATH in modules
    assert max(modules.values()) == 1
    assert [words for words in said if "preload" in words or "Content Security Policy" in words] == []
