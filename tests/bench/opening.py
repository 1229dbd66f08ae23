"""How long a page takes from its address, and from a click on its link, to what it is about, in headless Chromium.

Run `python tests/bench/opening.py` from the top of the repository. It serves the app and a Streamlit app of two pages
with one line each, and opens all of them in turns, so that a busy machine slows them alike. What tokviz adds is a
page's time less the median of a page of one line: the app's first page is held against the first, the others against
the second, because Streamlit first looks for its server below a page's own address, and takes time over it. A cache is
empty in a new profile, and full once the profile has seen the page.
"""

import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness import options_of, print_head, print_row, serving
from navigation import INSPECT, inspect_menu, page_link
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from polling import wait_until_idle
from programs import chromium
from serving import CHROMIUM_FLAGS, free_port, started

REST = 1_000  # milliseconds before the next click, when the charts of a page are there too
LINE = 'import streamlit as st\n\nst.text("One line.")\n'
LINES = {"app.py": "a page of one line", "pages/second.py": "one line, second page"}
# By the last part of its address, what a page paints first of what it is about, on itself or in a component.
OPENED = {"Playground": ("", ".block .t"), "Merges": ("merges", ".block .t"), "Learn": ("lessons", ".block .t")}
# By its link, what a page shows that no page before it does.
CLICKED = {
    "Merges": ".timeline",
    "Compare": ".column .t",
    "Languages": ".st-key-said [data-testid=stText]",
    "Train": ".st-key-desk-settings",
    "Vocabulary": ".listing [role=option]",
    "Bytes & patterns": "tbody.text tr",
    "Seams": ".section .t",
    "Learn": ".st-key-lessons",
    "Playground": ".tokens:has(.modes:not([hidden])) .block .t",
}

# `bench.paint(selector)` is when the first frame with such an element has been painted, in milliseconds of the page.
PAINT = """
window.bench = {
  found: (selector) => [document, ...[...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
    .map((host) => host.shadowRoot)].some((root) => root?.querySelector(selector)?.checkVisibility()),
  paint: (selector) => new Promise((done, fail) => {
    setTimeout(() => fail(new Error(`no ${selector} after 30 s`)), 30_000);
    const look = () => {
      if (!bench.found(selector)) return requestAnimationFrame(look);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => done(performance.now());
      port2.postMessage(0);
    };
    look();
  }),
};
"""
CLICK = """async (link, selector) => {
  const start = performance.now();
  link.click();
  return await bench.paint(selector) - start;
}"""


@contextmanager
def one_line() -> Iterator[str]:
    """Serve two pages of one line; yield the address of the first."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        for script in LINES:
            Path(folder, script).parent.mkdir(exist_ok=True)
            Path(folder, script).write_text(LINE)
        script = str(Path(folder, "app.py"))
        options = ["--server.port", str(port), "--client.showSidebarNavigation", "false"]
        with started(["-m", "streamlit", "run", script, *options], f"http://127.0.0.1:{port}"):
            yield f"http://127.0.0.1:{port}"


def opened(profile: BrowserContext, address: str, selector: str) -> float:
    """Return milliseconds from an address to the painted page."""
    page = profile.new_page()
    page.add_init_script(PAINT)
    page.goto(address, wait_until="commit")
    milliseconds = page.evaluate("(selector) => bench.paint(selector)", selector)
    page.close()
    return milliseconds


def openings(
    browser: Browser, pages: dict[str, tuple[str, str]], runs: int
) -> dict[str, tuple[list[float], list[float]]]:
    """Return by page the milliseconds it took to open with an empty cache and with a full one."""
    found: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in pages}
    for turn in range(runs + 1):
        for name, (address, selector) in pages.items():
            profile = browser.new_context(viewport={"width": 1280, "height": 900})
            for cache in found[name]:
                milliseconds = opened(profile, address, selector)
                if turn:  # the first one warms the server
                    cache.append(milliseconds)
            profile.close()
    return found


def clicked(page: Page, name: str, selector: str) -> float:
    """Return milliseconds from a click on a page's link to the painted page."""
    if name in INSPECT:
        inspect_menu(page).click()
    milliseconds = page_link(page, name).evaluate(CLICK, selector)
    wait_until_idle(page)
    page.wait_for_timeout(REST)
    return milliseconds


def clicks(browser: Browser, address: str, runs: int) -> dict[str, tuple[list[float], list[float]]]:
    """Return by page the milliseconds it took to come from the page before it, in a new profile and again."""
    found: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in CLICKED}
    for _ in range(runs):
        profile = browser.new_context(viewport={"width": 1280, "height": 900})
        page = profile.new_page()
        page.add_init_script(PAINT)
        page.goto(address)
        page.evaluate("bench.paint('.block .t')")
        for visit in range(2):
            for name, selector in CLICKED.items():
                found[name][visit].append(clicked(page, name, selector))
        profile.close()
    return found


def main() -> None:
    """Measure, and print the table."""
    runs = options_of(__doc__, runs=10).parse_args().runs
    with one_line() as line, serving("app.py") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        first_page, second_page = LINES.values()
        pages = {first_page: (line, "[data-testid=stText]"), second_page: (f"{line}/second", "[data-testid=stText]")}
        pages |= {name: (f"{address}/{path}", selector) for name, (path, selector) in OPENED.items()}
        found = openings(browser, pages, runs)
        print_head()
        for i, cache in enumerate(("empty", "full")):
            for name, caches in found.items():
                print_row(f"address to paint, {cache} cache: {name}", caches[i])
                if name in OPENED:
                    floor = statistics.median(found[second_page if OPENED[name][0] else first_page][i])
                    print_row("of it added by tokviz", [each - floor for each in caches[i]], "200 ms" if not i else "")
        for name, (first, again) in clicks(browser, address, runs).items():
            print_row(f"link to paint: {name}, first visit", first, "200 ms")
            print_row(f"link to paint: {name}, again", again, "200 ms")
        browser.close()


if __name__ == "__main__":
    main()
