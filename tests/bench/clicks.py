"""How often a click is lost that comes at once behind typing, while both cores are busy.

    python tests/bench/clicks.py [--runs 300] [--busy 2]

Types a word, and with no pause clicks: a sample, the link to Train, Train, and the link back to the playground, in
turn. A click is lost where nothing has come of it after twenty seconds. Beside it so many processes count. Printed is
how many clicks were lost, of which kind, and how long it took until something had come of the others.
"""

import statistics
import subprocess
import sys
import time
from collections import Counter

from harness import bench_of, options_of
from playwright.sync_api import Locator, Page, expect

from tokviz.core.samples import sample

SECONDS = 20
WORD = "typed "
KINDS = ("sample", "link to Train", "Train", "link back")


def main() -> None:
    """Count and print."""
    options = options_of(__doc__, runs=300)
    options.add_argument("--busy", type=int, default=2)
    chosen = options.parse_args()
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(chosen.busy)]
    try:
        with bench_of("app.py") as bench:
            measure(bench.page(width=1366, height=768), chosen.runs)
    finally:
        for process in busy:
            process.kill()


def measure(page: Page, tries: int) -> None:
    """Try so many clicks, and print what came of them."""
    lost: Counter[str] = Counter()
    seconds = []
    for n in range(tries):
        kind = KINDS[n % len(KINDS)]
        editor = page.get_by_label("Training text" if kind in KINDS[2:] else "Text", exact=True)
        expect(editor).to_be_editable(timeout=60_000)
        text = editor.input_value() + WORD
        click, wanted, holds = attempt(page, kind, n, text)
        expect(click).to_be_enabled(timeout=60_000)
        editor.focus()
        page.keyboard.press("Control+End")
        page.keyboard.type(WORD)
        click.dispatch_event("click")
        began = time.monotonic()
        while not came_true(wanted, holds):
            lost[kind] += 1
            print(f"try {n}: the click on {kind} was lost", flush=True)
            click.dispatch_event("click")
            began = time.monotonic()
        seconds.append(time.monotonic() - began)
    print(f"{lost.total()} of {tries} clicks lost: {dict(lost)}")
    print(f"until something had come of one: median {statistics.median(seconds):.2f} s, longest {max(seconds):.2f} s")


def came_true(wanted: Locator, holds: str) -> bool:
    """Return whether something is seen in time, or holds a text that is not empty."""
    try:
        if holds:
            expect(wanted).to_have_value(holds, timeout=1_000 * SECONDS)
        else:
            expect(wanted).to_be_visible(timeout=1_000 * SECONDS)
    except AssertionError:
        return False
    return True


def attempt(page: Page, kind: str, n: int, text: str) -> tuple[Locator, Locator, str]:
    """Return what to click, where something is to come of it, and which text that then holds (empty: it is seen)."""
    if kind == "sample":
        name = ("english", "thai", "chinese")[n // len(KINDS) % 3]
        button = page.get_by_role("button", name=name.capitalize(), exact=True)
        return button, page.get_by_label("Text", exact=True), sample(name)
    if kind == "link to Train":
        return page.get_by_role("link", name="Train"), page.get_by_label("Training text", exact=True), text
    if kind == "Train":
        result = page.get_by_text(f"merges from {len(text.encode()):,} bytes")
        return page.get_by_role("button", name="Train", exact=True), result, ""
    return page.get_by_role("link", name="Playground"), page.get_by_label("Text", exact=True), text


if __name__ == "__main__":
    main()
