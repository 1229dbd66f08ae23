"""One session does its worst while another types: how long the typist waits.

    python tests/bench/hostile.py [--rounds 1]

Starts a server of its own and two browser profiles. One types a key every 100 ms and notes the time from each key to
its counts on the page. The other opens links with hostile patterns and tokenizers, hostile files and foreign sockets,
one after the other. Printed are the typist's times while nothing else happens, and meanwhile.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Not this folder, which would put its typing.py in the place of Python's own typing module.
sys.path[:1] = [str(ROOT), str(ROOT / "tests")]

import argparse  # noqa: E402
import asyncio  # noqa: E402
import shutil  # noqa: E402
import statistics  # noqa: E402
import tempfile  # noqa: E402
import threading  # noqa: E402
import time  # noqa: E402

import websockets  # noqa: E402
from hostile_inputs import FILES, LINKS  # noqa: E402
from playwright.sync_api import BrowserContext, Page, sync_playwright  # noqa: E402
from serving import CHROMIUM_FLAGS, serving  # noqa: E402

TYPE = """() => {
  const root = [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]
    .map((host) => host.shadowRoot).find((root) => root?.querySelector('textarea#editor'));
  const editor = root.querySelector('textarea#editor');
  const counted = root.querySelector('[data-count=characters]');
  window.waits = [];
  const struck = new Map();
  const look = () => {
    const n = Number(counted.textContent.replaceAll(',', ''));
    for (const [length, at] of struck) if (length <= n) { waits.push(performance.now() - at); struck.delete(length); }
  };
  new MutationObserver(look).observe(counted, { childList: true, characterData: true, subtree: true });
  setInterval(() => {
    const length = [...editor.value].length + 1;
    struck.set(length, performance.now());
    editor.setRangeText('abcdefg '[length % 8], editor.value.length, editor.value.length, 'end');
    editor.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
  }, 100);
  window.waiting = () => struck.size ? performance.now() - Math.min(...struck.values()) : 0;
}"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print what the hostile session sees")
    arguments = parser.parse_args()
    with sync_playwright() as playwright, serving("app.py") as address, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS)
        typist = browser.new_context().new_page()
        typist.goto(address)
        typist.locator("textarea#editor").fill("a")
        time.sleep(3)
        typist.evaluate(TYPE)
        time.sleep(15)
        told("alone", typist)
        hostile = browser.new_context()
        for _ in range(arguments.rounds):
            for name, link in LINKS.items():
                opened_link(hostile, f"{address}{link}", name, arguments.show)
            told("while hostile links are opened", typist)
            for name, data in FILES.items():
                opened_file(hostile, address, Path(folder) / name, data, arguments.show)
            told("while hostile files are opened", typist)
            foreign_sockets(address)
            told("while foreign pages ask for sockets", typist)
        browser.close()


def told(what: str, page: Page) -> None:
    """Print the typist's times since the last call."""
    waits = sorted([*page.evaluate("waits.splice(0)"), page.evaluate("waiting()")])
    print(
        f"{what}: {len(waits)} keys, median {statistics.median(waits):.0f} ms, "
        f"99% within {waits[int(len(waits) * 0.99) - 1]:.0f} ms, longest {waits[-1]:.0f} ms",
        flush=True,
    )


def opened_link(context: BrowserContext, address: str, name: str, show: bool) -> None:
    """Open a link, and wait until its page rests or half a minute is over."""
    page = context.new_page()
    try:
        page.goto(address)
        page.locator("[data-testid=stApp]").wait_for()
        settled(page)
        if show:
            print(f"  {name}: {' | '.join(page.locator('[data-testid=stCode]').all_inner_texts())[:200]}")
    finally:
        page.close()


def opened_file(context: BrowserContext, address: str, path: Path, data: bytes, show: bool) -> None:
    """Open a tokenizer file on the playground."""
    path.write_bytes(data)
    page = context.new_page()
    try:
        page.goto(address)
        page.get_by_role("button", name="Open a tokenizer").click()
        page.locator("[data-testid=stFileUploader] input[type=file]").last.set_input_files(path)
        settled(page)
        if (button := page.get_by_role("button", name="Open it")).count():
            button.click()
            settled(page)
        if show:
            print(f"  {path.name}: {' | '.join(page.locator('[data-testid=stCode]').all_inner_texts())[:200]}")
    finally:
        page.close()


def settled(page: Page) -> None:
    """Wait until the script of a page rests for a second, half a minute at most."""
    rested = 0.0
    for _ in range(300):
        running = page.locator("[data-testid=stApp][data-test-script-state=running]").count()
        rested = 0.0 if running else rested + 0.1
        if rested > 1:
            return
        time.sleep(0.1)


def foreign_sockets(address: str) -> None:
    """Ask for sockets as pages of other sites do."""

    async def ask() -> None:
        for path in ("/_stcore/stream", "/live"):
            for _ in range(5):
                try:
                    await websockets.connect(f"{address.replace('http', 'ws')}{path}", origin="http://evil.example")
                except (websockets.WebSocketException, OSError):
                    continue

    thread = threading.Thread(target=lambda: asyncio.run(ask()))
    thread.start()
    thread.join(60)
    time.sleep(5)


if __name__ == "__main__":
    main()
