"""How long the compare view takes to show what is typed, measured in headless Chromium.

Run `python tests/bench/comparing.py` from the top of the repository; it starts a server of its own on a free
port and prints one table of medians. `--thai FILE` and `--english FILE` are as for `typing.py`.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Not this folder, which would put its typing.py in the place of Python's own module.
sys.path[:1] = [str(ROOT), str(ROOT / "tests")]

import argparse  # noqa: E402
import shutil  # noqa: E402
import tempfile  # noqa: E402
import urllib.parse  # noqa: E402

from bench.in_page import TIMERS, hovers, keystrokes  # noqa: E402
from bench.table import print_head, print_row  # noqa: E402
from bench.typing import texts  # noqa: E402
from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402
from serving import CHROMIUM_FLAGS, serving  # noqa: E402

APP = "tests/browser/apps/compare_app.py"
SIX = ("gpt2", "cl100k_base", "o200k_base", "gpt2@5000", "cl100k_base@20000", "o200k_base@50000")

# The size of the text is written when all columns have been drawn, and once before where the tokens come late.
ARM_KEYSTROKE = """() => {
  const root = bench.root();
  const size = root.querySelector('.size');
  const before = size.textContent;
  window.result = bench.afterEvent('keydown', root.querySelector('textarea'), root.querySelector('.view'),
    () => size.textContent !== before && !root.querySelector('.pending'));
}"""


class Bench:
    """A browser and a server, and the measurements made with them."""

    def __init__(self, address: str, browser: Browser, folder: Path, runs: int) -> None:
        self.address, self.browser, self.folder, self.runs = address, browser, folder, runs

    def open(self, text: str, n: int) -> Page:
        """Return a page that shows a text under n tokenizers."""
        path = self.folder / "text.txt"
        path.write_text(text, encoding="utf-8")
        page = self.browser.new_page(viewport={"width": 1366, "height": 900}, bypass_csp=True)
        page.add_init_script(TIMERS)
        query = {"file": str(path), "n": len(text), "tokenizers": ",".join(SIX[:n])}
        page.goto(f"{self.address}/?{urllib.parse.urlencode(query)}")
        page.locator("textarea#editor").wait_for(timeout=60_000)
        page.wait_for_timeout(1000)
        page.get_by_role("button", name="Open").click()
        page.wait_for_function("bench.firstPaint", timeout=60_000)
        page.wait_for_timeout(2500)
        return page

    def keystrokes(self, text: str, n: int, *, folded: bool = False) -> list[float]:
        """Return milliseconds from a key to its text in all columns, half of them amid the text."""
        page = self.open(text, n)
        if folded:
            page.get_by_text("Show only where they differ").click()
            page.wait_for_timeout(500)
        found = keystrokes(page, ARM_KEYSTROKE, self.runs)
        page.close()
        return found

    def hovers(self, text: str, n: int) -> list[float]:
        """Return milliseconds from the pointer's arrival on a chip to its highlight in all columns."""
        page = self.open(text, n)
        chips = page.locator(".column .scroller").first.locator(".t:not(.part)")
        found = hovers(page, chips, self.runs)
        page.close()
        return found


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("english", "thai", "code"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--runs", type=int, default=20)
    arguments = parser.parse_args()
    sources = texts(arguments)
    english, thai = sources["english"], sources["thai"]
    with tempfile.TemporaryDirectory() as folder, serving(APP) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS)
        bench = Bench(address, browser, Path(folder), arguments.runs)
        print_head()
        for language, text in (("English", english), ("Thai", thai)):
            short = text[:5_000]
            print_row(
                f"keystroke, four tokenizers, 5,000 characters of {language}", bench.keystrokes(short, 4), "30 ms"
            )
            print_row(f"the same, six tokenizers, {language}", bench.keystrokes(short, 6), "50 ms")
            folded = bench.keystrokes(short, 4, folded=True)
            print_row(f"the same, four, only differences shown, {language}", folded, "50 ms")
            long = bench.keystrokes(text[:100_000], 4)
            print_row(f"four tokenizers, 100,000 characters of {language}", long, "150 ms")
        print_row("hover to highlight in four columns, 100,000 characters", bench.hovers(english[:100_000], 4), "33 ms")
        browser.close()


if __name__ == "__main__":
    main()
