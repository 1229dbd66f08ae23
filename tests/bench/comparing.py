"""How long the compare view takes to show what is typed, measured in headless Chromium.

Run `python tests/bench/comparing.py` from the top of the repository; it starts a server of its own on a free
port and prints one table of medians. `--thai FILE` and `--english FILE` are as for `keystrokes.py`.
"""

from harness import Bench, bench_of, options_of, print_head, print_row
from in_page import hovers, keystrokes
from keystrokes import texts
from playwright.sync_api import Page

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


def page_with(bench: Bench, text: str, n: int) -> Page:
    """Return a page that shows a text under n tokenizers."""
    return bench.open(bench.page_with(text, {"tokenizers": ",".join(SIX[:n])}, width=1366), wait=2500)


def key_times(bench: Bench, text: str, n: int, runs: int, *, folded: bool = False) -> list[float]:
    """Return milliseconds from a key to its text in all columns, half of them amid the text."""
    page = page_with(bench, text, n)
    if folded:
        page.get_by_text("Only where they differ").click()
        page.wait_for_timeout(500)
    found = keystrokes(page, ARM_KEYSTROKE, runs)
    page.close()
    return found


def main() -> None:
    """Measure, and print the table."""
    arguments = options_of(__doc__, "english", "thai", "code").parse_args()
    sources, runs = texts(arguments), arguments.runs
    with bench_of(APP) as bench:
        print_head()
        for language in ("English", "Thai"):
            text = sources[language.lower()]
            short = text[:5_000]
            name = f"keystroke, four tokenizers, 5,000 characters of {language}"
            print_row(name, key_times(bench, short, 4, runs), "30 ms")
            print_row(f"the same, six tokenizers, {language}", key_times(bench, short, 6, runs), "50 ms")
            name = f"the same, four, only differences shown, {language}"
            print_row(name, key_times(bench, short, 4, runs, folded=True), "50 ms")
            name = f"four tokenizers, 100,000 characters of {language}"
            print_row(name, key_times(bench, text[:100_000], 4, runs), "150 ms")
        page = page_with(bench, sources["english"][:100_000], 4)
        chips = page.locator(".column .scroller").first.locator(".t:not(.part)")
        print_row("hover to highlight in four columns, 100,000 characters", hovers(page, chips, runs), "33 ms")


if __name__ == "__main__":
    main()
