"""How the cost of counting and merging grows with the corpus, and what memory a stream takes.

    python tests/bench/growth.py CORPUS [--vocab-size 8192] [--chart growth.svg]
    python tests/bench/growth.py --stream

The first cuts a corpus in half again and again, and prints for each size the time a megabyte takes to be
counted and the time a merge takes; a chart draws both over the megabytes: linear in bytes is a level line. The
second makes 50 MB and 500 MB of text out of 50,000 words, streams each through the command line's corpus in a
process of its own, and prints the peak memory of both. Times are processor time, which others on the machine
disturb less.
"""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[2])

import argparse  # noqa: E402
import random  # noqa: E402
import resource  # noqa: E402
import subprocess  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402

import altair as alt  # noqa: E402
import pandas as pd  # noqa: E402

from tokviz.corpus.corpus import Corpus  # noqa: E402
from tokviz.corpus.counting import pretoken_counts  # noqa: E402
from tokviz.training.training import steps_from_counts  # noqa: E402


def growth(corpus: Path, vocab_size: int) -> pd.DataFrame:
    """Print a table of costs for the corpus halved, and halved again; return it."""
    text = corpus.read_text("utf-8")
    rows = []
    print("| MB | distinct pretokens | merges | ms a MB, counting | µs a merge |\n|---|---|---|---|---|")
    for size in (len(text) >> k for k in range(6, -1, -1)):
        part = text[:size]
        start = time.process_time()
        counts = pretoken_counts([part])
        counting = time.process_time() - start
        start = time.process_time()
        n_merges = sum(1 for _ in steps_from_counts(counts, vocab_size=vocab_size))
        merging = time.process_time() - start
        megabytes = len(part.encode()) / 1e6
        per_megabyte, per_merge = 1e3 * counting / megabytes, 1e6 * merging / max(n_merges, 1)
        print(f"| {megabytes:.2f} | {len(counts):,} | {n_merges:,} | {per_megabyte:.0f} | {per_merge:.0f} |")
        rows += [(megabytes, "counting, ms a megabyte", per_megabyte), (megabytes, "merging, µs a merge", per_merge)]
    return pd.DataFrame(rows, columns=["megabytes", "cost", "time"])


def write_chart(costs: pd.DataFrame, path: str) -> None:
    """Draw both costs over the size of the corpus, which doubles from point to point."""
    lines = alt.Chart(costs, width=420, height=240, background="white").mark_line(point=True)
    chart = lines.encode(
        alt.X("megabytes:Q", scale=alt.Scale(type="log", base=2), title="megabytes of text"),
        alt.Y("time:Q", title=None),
        alt.Color("cost:N", scale=alt.Scale(range=["#0b6e6e", "#d55e00"]), legend=alt.Legend(orient="top", title=None)),
        alt.Shape("cost:N", legend=None),
    )
    chart.save(path)


def write_text(path: Path, megabytes: int) -> None:
    """Write a text of about so many megabytes out of 50,000 words."""
    choose = random.Random(7)
    words = ["".join(choose.choices("abcdefghijklmnopqrstuvwxyz", k=choose.randint(2, 9))) for _ in range(50_000)]
    with path.open("w") as file:
        while file.tell() < megabytes * 1e6:
            file.write(" ".join(choose.choices(words, k=20_000)) + "\n")


def stream() -> None:
    """Print the time and peak memory of counting 50 MB and 500 MB."""
    with tempfile.TemporaryDirectory() as folder:
        for megabytes in (50, 500):
            path = Path(folder, f"{megabytes}.txt")
            write_text(path, megabytes)
            print(subprocess.check_output([sys.executable, __file__, str(path), "--count"], text=True), end="")


def count(path: str) -> None:
    """Count one file and print what that took."""
    start = time.perf_counter()
    counts = pretoken_counts(Corpus([path]))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{Path(path).stem} MB: {len(counts):,} pretokens, {time.perf_counter() - start:.0f} s, peak {peak:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?")
    parser.add_argument("--vocab-size", type=int, default=8192)
    parser.add_argument("--chart", help="a file to draw the costs in, .svg or .png")
    parser.add_argument("--stream", action="store_true")
    parser.add_argument("--count", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stream:
        stream()
    elif options.count:
        count(options.corpus)
    else:
        costs = growth(Path(options.corpus), options.vocab_size)
        if options.chart:
            write_chart(costs, options.chart)


if __name__ == "__main__":
    main()
