"""How long the token view takes to show what is typed, measured in headless Chromium.

Run `python tests/bench/keystrokes.py` from the top of the repository; it starts a server of its own on a
free port and prints one table of medians. `--thai FILE`, `--english FILE` and `--code FILE` give real
texts in place of the defaults: the help topics of Python, its argparse and typing modules, and Thai
tokens of o200k drawn at random.
"""

import argparse
import random
import subprocess
import time
import typing
from pathlib import Path
from pydoc_data.topics import topics

from harness import Bench, bench_of, options_of, print_head, print_row, text_of
from in_page import SET_CARET, hovers, keystrokes
from playwright.sync_api import Page

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
    modules = (argparse, subprocess, typing)
    english = text_of(arguments.english, "\n".join(topics.values()))
    code = text_of(arguments.code, "\n".join(Path(module.__file__ or "").read_text() for module in modules))
    thai = Path(arguments.thai).read_text("utf-8") if arguments.thai else synthetic_thai(100_000)
    return {"english": english, "code": code, "thai": thai, "line": english[:100_000].replace("\n", " ")}


def page_with(bench: Bench, text: str, tokenizer: str = "o200k_base") -> Page:
    """Return a page that shows a text."""
    return bench.open(bench.page_with(text, {"tokenizer": tokenizer, "height": 400}), wait=1500)


def repaints(bench: Bench, text: str) -> int:
    """Return how many repaints coloured a text at most 3 keys old while 60 keys were struck."""
    page = page_with(bench, text)
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


def first_paint(bench: Bench, text: str) -> float:
    """Return milliseconds from the arrival of an opened text's data to its painted chips."""
    page = page_with(bench, text)
    found = page.evaluate("bench.firstPaint - bench.arrived")
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
    arguments = options_of(__doc__, "english", "thai", "code").parse_args()
    sources = texts(arguments)
    english, thai = sources["english"], sources["thai"][:100_000]
    many = english_of_tokens(english, 100_000)
    with bench_of(APP) as bench:
        print_head()
        for name, text, tokenizer, goal in (
            ("keystroke to recoloured text, 100 characters", english[:100], "o200k_base", "20 ms"),
            ("the same, 5,000 characters", english[:5_000], "o200k_base", "20 ms"),
            ("the same, 100,000 characters of English", english[:100_000], "o200k_base", "40 ms"),
            ("the same, 100,000 characters of Python code", sources["code"][:100_000], "o200k_base", "60 ms"),
            ("the same, 100,000 characters of Thai", thai, "o200k_base", "50 ms"),
            ("the same under gpt2", thai, "gpt2", "60 ms"),
            ("the same, one line of 100,000 characters", sources["line"], "o200k_base", "80 ms"),
        ):
            page = page_with(bench, text, tokenizer)
            print_row(name, keystrokes(page, ARM_KEYSTROKE, arguments.runs), goal)
            page.close()
        counts = [repaints(bench, english[:20_000]) for _ in range(3)]
        print_row("60 keys at 60 ms into 20,000 characters: repaints", counts, "50", "")
        paints = [first_paint(bench, many) for _ in range(max(3, arguments.runs // 4))]
        print_row("first paint of 100,000 tokens", paints, "150 ms")
        page = page_with(bench, many)
        shown = hovers(page, page.locator("#tokens .block .t"), arguments.runs)
        print_row("hover to highlight at 100,000 tokens", shown, "33 ms")


if __name__ == "__main__":
    main()
