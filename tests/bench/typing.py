"""How long the token view takes to show what is typed, measured in headless Chromium.

Run `python tests/bench/typing.py` from the top of the repository; it starts a server of its own on a
free port and prints one table of medians. `--thai FILE`, `--english FILE` and `--code FILE` give real
texts in place of the defaults: the help topics of Python, its argparse and typing modules, and Thai
tokens of o200k drawn at random.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Not this folder, which would put this file in the place of Python's own typing module.
sys.path[:1] = [str(ROOT), str(ROOT / "tests")]

import argparse  # noqa: E402
import random  # noqa: E402
import shutil  # noqa: E402
import subprocess  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402
import typing  # noqa: E402
import urllib.parse  # noqa: E402
from collections.abc import Callable  # noqa: E402

from bench.in_page import SET_CARET, TIMERS, hovers, keystrokes  # noqa: E402
from bench.table import print_head, print_row  # noqa: E402
from playwright.sync_api import Page, sync_playwright  # noqa: E402
from serving import CHROMIUM_FLAGS, serving  # noqa: E402

APP = "tests/browser/apps/token_view_app.py"

ARM_KEYSTROKE = """() => {
  const root = bench.root();
  const editor = root.querySelector('textarea');
  const counts = root.querySelector('.counts');
  window.result = bench.afterEvent('keydown', editor, counts, () => true);
}"""

COUNT_REPAINTS = """() => {
  const root = bench.root();
  const editor = root.querySelector('textarea');
  const characters = root.querySelector('[data-count=characters]');
  const tokens = root.querySelector('[data-count=tokens]');
  window.repaints = 0;
  let dirty = false;
  new MutationObserver(() => { dirty = true; }).observe(root.querySelector('.counts'),
    { subtree: true, childList: true, characterData: true });
  const frame = () => {
    const behind = editor.value.length - Number(characters.textContent.replace(/,/g, ''));
    if (dirty && behind <= 3) window.repaints++;
    dirty = false;
    requestAnimationFrame(frame);
  };
  frame();
}"""


def synthetic_thai(n: int) -> str:
    """Return n characters of Thai tokens of o200k, low ranks more often, as in real text."""
    import tokviz

    thai = [
        token.decode()
        for token in tokviz.load("o200k_base").mergeable_ranks
        if len(token) >= 6 and all(b"\xe0\xb8\x80" <= token[i : i + 3] < b"\xe0\xba" for i in range(0, len(token), 3))
        and len(token) % 3 == 0
    ]  # fmt: skip
    weights = [1 / (10 + i) for i in range(len(thai))]
    pieces = random.Random(1).choices(thai, weights, k=n // 2)
    text = "".join(piece + (" " if i % 12 == 11 else "\n" if i % 90 == 89 else "") for i, piece in enumerate(pieces))
    return text[:n]


def texts(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the texts of the bench by name."""
    from pydoc_data.topics import topics

    english = Path(arguments.english).read_text() if arguments.english else "\n".join(topics.values())
    code = (
        Path(arguments.code).read_text()
        if arguments.code
        else "\n".join(Path(module.__file__ or "").read_text() for module in (argparse, subprocess, typing))
    )
    thai = Path(arguments.thai).read_text() if arguments.thai else synthetic_thai(100_000)
    return {"english": english, "code": code, "thai": thai, "line": english[:100_000].replace("\n", " ")}


class Bench:
    """A browser and a server, and the measurements made with them."""

    def __init__(self, address: str, page_of: Callable[[], Page], folder: Path, runs: int) -> None:
        self.address, self.page_of, self.folder, self.runs = address, page_of, folder, runs

    def open(self, text: str, tokenizer: str = "o200k_base") -> Page:
        """Return a page that shows a text."""
        path = self.folder / "text.txt"
        path.write_text(text, encoding="utf-8")
        page = self.page_of()
        page.add_init_script(TIMERS)
        query = {"file": str(path), "n": len(text), "tokenizer": tokenizer, "height": 400}
        page.goto(f"{self.address}/?{urllib.parse.urlencode(query)}")
        page.locator("textarea#editor").wait_for()
        page.wait_for_timeout(500)
        page.get_by_role("button", name="Open").click()
        page.wait_for_function("bench.firstPaint", timeout=60_000)
        page.wait_for_timeout(1500)
        return page

    def keystrokes(self, text: str, tokenizer: str = "o200k_base") -> list[float]:
        """Return milliseconds from a key to its recoloured text, half of them amid the text."""
        page = self.open(text, tokenizer)
        found = keystrokes(page, ARM_KEYSTROKE, self.runs)
        page.close()
        return found

    def repaints(self, text: str) -> int:
        """Return how many repaints coloured a text at most 3 keys old while 60 keys were struck."""
        page = self.open(text)
        page.evaluate(SET_CARET, "end")
        page.evaluate(COUNT_REPAINTS)
        start = time.perf_counter()
        for i in range(60):
            page.keyboard.press("the quick brown fox jumps "[i % 26])
            time.sleep(max(0, start + (i + 1) * 0.06 - time.perf_counter()))
        page.wait_for_timeout(400)
        found = page.evaluate("window.repaints")
        page.close()
        return found

    def first_paint(self, text: str) -> float:
        """Return milliseconds from the arrival of an opened text's data to its painted chips."""
        page = self.open(text)
        found = page.evaluate("bench.firstPaint - bench.arrived")
        page.close()
        return found

    def hovers(self, text: str) -> list[float]:
        """Return milliseconds from the pointer's arrival on a chip to its painted highlight."""
        page = self.open(text)
        chips = page.locator("#tokens .block .t")
        found = hovers(page, chips, self.runs)
        page.close()
        return found


def english_of_tokens(text: str, n: int) -> str:
    """Return the beginning of a text that is about n tokens of o200k long, repeated if need be."""
    import tokviz

    tokenizer = tokviz.load("o200k_base")
    ids = tokenizer.encode(text[: n * 6])
    while len(ids) < n:
        ids = ids + ids
    return tokenizer.decode_bytes(ids[:n]).decode(errors="ignore")


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("english", "thai", "code"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--runs", type=int, default=20)
    arguments = parser.parse_args()
    sources = texts(arguments)
    english, thai = sources["english"], sources["thai"][:100_000]
    with tempfile.TemporaryDirectory() as folder, serving(APP) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS)
        bench = Bench(
            address,
            lambda: browser.new_page(viewport={"width": 1280, "height": 900}, bypass_csp=True),
            Path(folder),
            arguments.runs,
        )

        print_head()
        print_row("keystroke to recoloured text, 100 characters", bench.keystrokes(english[:100]), "20 ms")
        print_row("the same, 5,000 characters", bench.keystrokes(english[:5_000]), "20 ms")
        print_row("the same, 100,000 characters of English", bench.keystrokes(english[:100_000]), "40 ms")
        print_row("the same, 100,000 characters of Python code", bench.keystrokes(sources["code"][:100_000]), "60 ms")
        print_row("the same, 100,000 characters of Thai", bench.keystrokes(thai), "50 ms")
        print_row("the same under gpt2", bench.keystrokes(thai, "gpt2"), "60 ms")
        print_row("the same, one line of 100,000 characters", bench.keystrokes(sources["line"]), "80 ms")
        print_row(
            "60 keys at 60 ms into 20,000 characters: repaints",
            [bench.repaints(english[:20_000]) for _ in range(3)],
            "50",
            "",
        )
        many = english_of_tokens(english, 100_000)
        print_row(
            "first paint of 100,000 tokens",
            [bench.first_paint(many) for _ in range(max(3, arguments.runs // 4))],
            "150 ms",
        )
        print_row("hover to highlight at 100,000 tokens", bench.hovers(many), "33 ms")
        browser.close()


if __name__ == "__main__":
    main()
