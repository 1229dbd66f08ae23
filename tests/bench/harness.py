"""What the benches share: a server with an app, Chromium with a page of it, and the table that is printed."""

import argparse
import statistics
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import serving as servers  # noqa: E402
from in_page import TIMERS  # noqa: E402
from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402
from programs import chromium  # noqa: E402

__all__ = ["Bench", "bench_of", "options_of", "print_head", "print_row", "serving", "text_of"]

STARTED = 10.0  # seconds: a server answers before it has read its tables and imported what the pages show


class Bench:
    """The address of a server, a browser, and a file that the server's app shows."""

    def __init__(self, address: str, browser: Browser, path: Path) -> None:
        self.address, self._browser, self._path = address, browser, path

    def page(self, path: str = "", *, scripts: str = "", width: int = 1280, height: int = 900) -> Page:
        """Return a page at a path of the server, with the timers and other scripts to run before any of its own."""
        page = self._browser.new_page(viewport={"width": width, "height": height}, bypass_csp=True)
        page.add_init_script(TIMERS + scripts)
        page.goto(self.address + path)
        return page

    def page_with(self, text: str, query: dict[str, object], **options: object) -> Page:
        """Return a page of an app that shows a text, which it reads from a file, and what the query says."""
        self._path.write_text(text, encoding="utf-8")
        query = {"file": str(self._path), "n": len(text), **query}
        return self.page(f"/?{urllib.parse.urlencode(query)}", **options)

    def open(self, page: Page, *, wait: int) -> Page:
        """Show the text in the app, and return the page once it is painted and has rested, `wait` milliseconds."""
        page.locator("textarea#editor").wait_for(timeout=60_000)
        page.wait_for_timeout(1000)
        page.get_by_role("button", name="Open").click()
        page.wait_for_function("bench.firstPaint", timeout=60_000)
        page.wait_for_timeout(wait)
        return page


@contextmanager
def serving(app: str, **environment: str) -> Iterator[str]:
    """Start an app as the tests do, and yield its address once the server has settled."""
    with servers.serving(app, **environment) as address:
        time.sleep(STARTED)
        yield address


@contextmanager
def bench_of(app: str) -> Iterator[Bench]:
    """Start a server with an app, and a browser."""
    with tempfile.TemporaryDirectory() as folder, serving(app) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=servers.CHROMIUM_FLAGS)
        yield Bench(address, browser, Path(folder, "text.txt"))
        browser.close()


def options_of(description: str | None, *texts: str, runs: int = 20) -> argparse.ArgumentParser:
    """Return the options that the benches share: a file for each of the texts, and how often to measure."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    for name in texts:
        parser.add_argument(f"--{name}", metavar="FILE")
    parser.add_argument("--runs", type=int, default=runs)
    return parser


def text_of(file: str | None, default: str) -> str:
    """Return the text of a file, or the default if there is none."""
    return Path(file).read_text("utf-8") if file else default


def print_head() -> None:
    """Print the head of the table."""
    print("| | median | range | runs | goal |\n|---|---|---|---|---|", flush=True)


def print_row(name: str, values: Sequence[float], goal: str = "", unit: str = " ms", digits: int = 0) -> None:
    """Print median and range of the values as soon as they are measured; the median is to stay under the goal."""
    spread = f"{min(values):.{digits}f}–{max(values):.{digits}f}"
    print(f"| {name} | {statistics.median(values):.{digits}f}{unit} | {spread} | {len(values)} | {goal} |", flush=True)
