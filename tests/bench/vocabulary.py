"""How fast the vocabulary browser filters the 200,000 tokens of o200k, measured in headless Chromium.

Run `python tests/bench/vocabulary.py` from the top of the repository; it starts a server of its own on a free
port and prints one table. `--tokenizer NAME` takes another tokenizer that ships.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Not this folder, which would put its typing.py in the place of Python's own module.
sys.path[:1] = [str(ROOT), str(ROOT / "tests")]

import argparse  # noqa: E402
import shutil  # noqa: E402
import statistics  # noqa: E402

from bench.in_page import TIMERS  # noqa: E402
from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402
from polling import wait_until  # noqa: E402
from serving import CHROMIUM_FLAGS, serving  # noqa: E402

from pages.ui.session_tokenizers.trained_records import pack  # noqa: E402

# From the key, as the browser stamps it, to the frame that shows the rows found.
KEYS = """() => {
  const root = [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
    .map((host) => host.shadowRoot).find((root) => root?.querySelector('.vocabulary'));
  const field = root.querySelector('[name=query]');
  bench.keys = [];
  let pressed = null;
  field.addEventListener('keydown', (event) => { pressed = event.timeStamp; }, { capture: true });
  // A Thai or Chinese letter comes without a key, as from an input method.
  field.addEventListener('beforeinput', (event) => { pressed ??= event.timeStamp; }, { capture: true });
  root.addEventListener('input', async () => {
    const start = pressed;
    pressed = null;
    bench.keys.push(await bench.painted() - start);
  });
  field.focus();
}"""
CASES = {
    "a letter, as text": ("text", ["e", "t", "ก", "的"]),
    "words, letter by letter": ("text", ["ingredient", " international", "ประเทศไทย"]),
    "the same in small and capital letters apart": ("case", ["e", "ingredient", " international"]),
    "bytes in hex": ("hex", ["e0b8", "20696e"]),
}


def opened(browser: Browser, address: str, tokenizer: str) -> tuple[Page, float, int]:
    """Return the page with the vocabulary, milliseconds until its rows stood there, and the bytes it was sent."""
    page = browser.new_page(viewport={"width": 1280, "height": 1000}, bypass_csp=True)
    page.add_init_script(TIMERS)
    page.goto(f"{address}/vocabulary/?s={pack({'options': {'tokenizer': tokenizer}})}")
    wait_until(
        page,
        "[...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]"
        ".some((host) => host.shadowRoot?.querySelector('.entry'))",
        seconds=120,
    )
    return page, page.evaluate("performance.now()"), page.evaluate("bench.bytes")


def keys(page: Page, how: str, texts: list[str], runs: int) -> list[float]:
    """Return milliseconds from each key to the painted rows."""
    page.locator("[name=how]").select_option("hex" if how == "hex" else "text")
    page.locator("[name=caseless]").set_checked(how != "case")
    field = page.locator("[name=query]")
    found = []
    for _ in range(runs):
        for text in texts:
            field.fill("")
            page.wait_for_timeout(200)
            page.evaluate("bench.keys = []")
            for letter in text:
                page.keyboard.press(letter) if letter.isascii() else page.keyboard.type(letter)
                page.wait_for_timeout(60)
            found += [key for key in page.evaluate("bench.keys") if key == key]
    return found


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokenizer", default="o200k_base")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with serving("app.py") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS)

        def row(name: str, values: list[float]) -> None:
            spread = f"{min(values):.0f}–{max(values):.0f}"
            print(f"| {name} | {statistics.median(values):.0f} ms | {spread} | {len(values)} |", flush=True)

        print("| | median | range | runs |\n|---|---|---|---|")
        page, first, _ = opened(browser, address, arguments.tokenizer)
        row("from the address to the rows, first visitor of a server", [first])
        page.close()
        later = []
        for _ in range(arguments.runs):
            page, milliseconds, n_bytes = opened(browser, address, arguments.tokenizer)
            later.append(milliseconds)
            page.close()
        row("the same, every other visitor", later)
        page, _, _ = opened(browser, address, arguments.tokenizer)
        page.wait_for_timeout(1500)
        page.evaluate(KEYS)
        for name, (how, texts) in CASES.items():
            row(f"key to filtered rows: {name}", keys(page, how, texts, arguments.runs))
        page.evaluate("bench.bytes = 0")
        page.get_by_role("link", name="Train").click()
        page.get_by_role("heading", name="Train", exact=True).wait_for()
        page.get_by_role("link", name="Vocabulary").click()
        page.locator(".entry").first.wait_for()
        again = page.evaluate("bench.bytes")
        print(f"\nSent on the first visit: {n_bytes:,} bytes; on coming back from another page: {again:,}.")
        browser.close()


if __name__ == "__main__":
    main()
