"""How fast the vocabulary browser filters the 200,000 tokens of o200k, measured in headless Chromium.

Run `python tests/bench/vocabulary.py` from the top of the repository; it starts a server of its own on a free
port and prints one table. `--tokenizer NAME` takes another tokenizer that ships.
"""

from harness import Bench, bench_of, options_of, print_head, print_row
from playwright.sync_api import Page
from polling import wait_until

from tokviz.records.packing import pack

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


def page_of(bench: Bench, tokenizer: str) -> tuple[Page, float, int]:
    """Return the page with the vocabulary, milliseconds until its rows stood there, and the bytes it was sent."""
    page = bench.page(f"/vocabulary/?s={pack({'options': {'tokenizer': tokenizer}})}", height=1000)
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
    parser = options_of(__doc__, runs=5)
    parser.add_argument("--tokenizer", default="o200k_base")
    arguments = parser.parse_args()
    with bench_of("app.py") as bench:
        print_head()
        page, first, _ = page_of(bench, arguments.tokenizer)
        print_row("from the address to the rows, first visitor of a server", [first])
        page.close()
        later = []
        for _ in range(arguments.runs):
            page, milliseconds, n_bytes = page_of(bench, arguments.tokenizer)
            later.append(milliseconds)
            page.close()
        print_row("the same, every other visitor", later)
        page, _, _ = page_of(bench, arguments.tokenizer)
        page.wait_for_timeout(1500)
        page.evaluate(KEYS)
        for name, (how, texts) in CASES.items():
            print_row(f"key to filtered rows: {name}", keys(page, how, texts, arguments.runs))
        page.evaluate("bench.bytes = 0")
        page.get_by_role("link", name="Train").click()
        page.get_by_role("heading", name="Train", exact=True).wait_for()
        page.get_by_role("link", name="Vocabulary").click()
        page.locator(".entry").first.wait_for()
        again = page.evaluate("bench.bytes")
        print(f"\nSent on the first visit: {n_bytes:,} bytes; on coming back from another page: {again:,}.")


if __name__ == "__main__":
    main()
