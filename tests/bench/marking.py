"""What it costs a key that the text is looked through for what hides in it, measured in headless Chromium.

Run `python tests/bench/marking.py` from the top of the repository; it starts a server of its own on a free port and
prints one table. Each text is typed into with the marks switched on and off, in turn.
"""

from pydoc_data.topics import topics

from harness import Bench, bench_of, options_of, print_head, print_row
from in_page import keystrokes
from keystrokes import APP, ARM_KEYSTROKE, synthetic_thai

ROUNDS = 3


def milliseconds(bench: Bench, text: str, hidden: str, runs: int) -> list[float]:
    """Return how long each key takes to its painted tokens."""
    options = {"tokenizer": "o200k_base", "height": 400, "hidden": hidden}
    page = bench.open(bench.page_with(text, options), wait=1500)
    found = keystrokes(page, ARM_KEYSTROKE, runs)
    page.close()
    return found


def main() -> None:
    """Measure, and print the table."""
    runs = options_of(__doc__).parse_args().runs
    english = "\n".join(topics.values())
    thai = synthetic_thai(20_000)
    hiding = "".join(f"{english[i : i + 100]}\u200b" for i in range(0, 20_000, 100))
    with bench_of(APP) as bench:
        print_head()
        for name, text in (
            ("5,000 characters of English", english[:5_000]),
            ("20,000 characters of English", english[:20_000]),
            ("20,000 characters of Thai", thai),
            ("20,000 characters of English, 200 of them hidden", hiding),
        ):
            found: dict[str, list[float]] = {"yes": [], "no": []}
            for _ in range(ROUNDS):
                for hidden, measured in found.items():
                    measured += milliseconds(bench, text, hidden, max(2, runs // ROUNDS))
            print_row(f"{name}, marks on", found["yes"])
            print_row("the same, off", found["no"])


if __name__ == "__main__":
    main()
