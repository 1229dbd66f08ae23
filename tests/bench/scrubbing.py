"""How fast the time machine scrubs, measured in headless Chromium.

Run `python tests/bench/scrubbing.py` from the top of the repository; it starts a server of its own on a
free port and prints one table of medians. `--thai FILE` and `--english FILE` give real texts in place of the
defaults: the help topics of Python, and the Thai sample over and over.
"""

import random
from pydoc_data.topics import topics

from harness import Bench, bench_of, options_of, print_head, print_row, text_of
from playwright.sync_api import Page

from tokviz.core.samples import sample

APP = "tests/browser/apps/time_machine_app.py"
CORPUS_CHARACTERS = 300_000
STRIDE = 10  # steps in a row, a frame each, from each place on the timeline

GO = """
bench.go = (k) => {
  const field = bench.root().querySelector('[name=step]');
  field.value = k;
  field.dispatchEvent(new Event('input'));
};
"""

# From the click on the button that makes the text known to the first painted tokens.
OPEN = """() => new Promise((done) => {
  const button = [...document.querySelectorAll('button')].find((each) => each.innerText.trim() === 'Open');
  bench.bytes = 0;
  const start = performance.now();
  const watch = async () => {
    if (!bench.root()?.querySelector('#tokens .t')) return requestAnimationFrame(watch);
    done([await bench.painted() - start, bench.bytes]);
  };
  button.click();
  watch();
})"""

# One step in every frame: how long the frames are.
FRAMES = """([from, steps]) => new Promise((done) => {
  bench.go(from);
  const frames = [];
  let before = null;
  let left = steps;
  const frame = (now) => {
    if (before !== null) frames.push(now - before);
    before = now;
    if (left-- === 0) return done(frames);
    bench.go(++from);
    requestAnimationFrame(frame);
  };
  bench.painted().then(() => requestAnimationFrame(frame));
})"""

JUMP = """async (k) => {
  await bench.painted();
  const start = performance.now();
  bench.go(k);
  return await bench.painted() - start;
}"""

REST = """(k) => new Promise((done) => {
  bench.go(k);
  const start = performance.now();
  const watch = () => bench.root().querySelector('.decision.waiting') ? setTimeout(watch, 1) : done(performance.now() - start);
  watch();
})"""  # noqa: E501


def page_with(bench: Bench, text: str, size: int, **options: object) -> tuple[Page, float, float]:
    """Return a page that shows `size` bytes of a text, the milliseconds it took, and the bytes it was sent."""
    n = len(text.encode()[:size].decode(errors="ignore"))
    page = bench.page_with(text, {"n": n, **options}, scripts=GO, height=1000)
    page.get_by_role("button", name="Open").wait_for(timeout=120_000)
    page.wait_for_timeout(1000)
    milliseconds, sent = page.evaluate(OPEN)
    page.wait_for_timeout(800)
    return page, milliseconds, sent


def places(page: Page, count: int) -> list[int]:
    """Return steps spread at random over the width of the timeline."""
    position = "(at) => bench.root().querySelector('.slider').ariaValueMax ?? 0"
    n_merges = int(page.evaluate(position, 0) or 0)
    scale = random.Random(4)
    logarithmic = n_merges > 3000
    return [
        int((n_merges + 1) ** scale.random() - 1 if logarithmic else n_merges * scale.random()) for _ in range(count)
    ]


def frames(page: Page, runs: int) -> list[float]:
    """Return the length in milliseconds of frames that each show one step more."""
    found = []
    for k in places(page, runs):
        found += page.evaluate(FRAMES, [k, STRIDE])
        page.wait_for_timeout(500)  # for the server's answer
    return found


def jumps(page: Page, runs: int) -> list[float]:
    """Return milliseconds from a jump to a random step to its painting."""
    found = []
    for k in places(page, 3 * runs):
        found.append(page.evaluate(JUMP, k))
        page.wait_for_timeout(300)
    return found


def rests(page: Page, runs: int) -> list[float]:
    """Return milliseconds from the last movement to the answer of the server."""
    found = []
    for k in places(page, runs):
        found.append(page.evaluate(REST, k))
        page.wait_for_timeout(100)
    return found


def main() -> None:
    """Measure, and print the table."""
    arguments = options_of(__doc__, "english", "thai").parse_args()
    runs = arguments.runs
    english = text_of(arguments.english, "\n".join(topics.values()))
    thai = text_of(arguments.thai, sample("thai") * 4)
    trained = {"merges": 2000, "corpus": CORPUS_CHARACTERS}
    with bench_of(APP) as bench:
        print_head()
        for language, text in (("English", english), ("Thai", thai)):
            page, _, _ = page_with(bench, text, 5_000, **trained)
            print_row(f"one step a frame, 5 KB of {language}, 2,000 merges", frames(page, runs), "17 ms")
            print_row(f"names and pairs of the training text after a rest, {language}", rests(page, runs), "150 ms")
            page.close()
            page, _, _ = page_with(bench, text, 20_000, **trained)
            print_row(f"one step a frame, 20 KB of {language}, 2,000 merges", frames(page, runs), "33 ms")
            page.close()
            page, _, _ = page_with(bench, text, 20_000, tokenizer="cl100k_base")
            print_row(f"random jump on cl100k, 20 KB of {language}", jumps(page, runs), "50 ms")
            page.close()
            ready, sent = [], []
            for _ in range(max(5, runs // 4)):
                page, milliseconds, n_bytes = page_with(bench, text, 20_000, tokenizer="cl100k_base")
                ready.append(milliseconds)
                sent.append(n_bytes / 20_000)
                page.close()
            print_row(f"text known to page ready, 20 KB of {language} under cl100k", ready, "500 ms")
            print_row(f"sent for it, program included, bytes per byte of {language}", sent, "16", "", digits=1)


if __name__ == "__main__":
    main()
