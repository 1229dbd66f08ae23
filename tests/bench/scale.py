"""Training from 2 to 240 MB: the command line of tokviz beside Hugging Face tokenizers and rustbpe.

    python tests/bench/scale.py FOLDER... [--megabytes 2 8 24 80 240] [--runs 1] [--chart scale.svg]

Makes a corpus of the texts in the folders, code and prose mixed: each file is a document, no two are equal, their order
is shuffled, and all are lines of one .jsonl file; a smaller corpus is the beginning of a larger one. Without folders,
of the standard library and the packages of this Python. Seconds and processor seconds are those of a whole
process and its children, which reads the file and learns the merges; peak memory is that of the largest process.
Trainers take turns. The two others need `pip install -r tests/bench/requirements.txt`.
"""

import argparse
import hashlib
import json
import random
import statistics
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import altair as alt
import pandas as pd
from train import PATTERN

ROOT = Path(__file__).parents[2]
SUFFIXES = {".py", ".pyi", ".txt", ".md", ".rst", ".h", ".html", ".js", ".c"}
LARGEST = 2_500_000  # bytes; a larger file would be much of a small corpus


def texts(folders: list[str]) -> Iterator[str]:
    """Yield the texts in the folders, shuffled, none twice."""
    paths = sorted({path for folder in folders for path in Path(folder).rglob("*") if path.suffix in SUFFIXES})
    random.Random(7).shuffle(paths)
    seen = set()
    for path in paths:
        data = path.read_bytes() if path.is_file() and path.stat().st_size <= LARGEST else b""
        digest = hashlib.sha256(data).digest()
        try:
            text = data.decode()
        except UnicodeDecodeError:
            continue
        if text and digest not in seen:
            seen.add(digest)
            yield text


def write_corpora(folder: str, sizes: list[int], folders: list[str]) -> dict[int, Path]:
    """Write a corpus of each size in megabytes, ascending; return their files."""
    documents, n_bytes, lines = texts(folders), 0, []
    corpora = {}
    for size in sizes:
        for text in documents:
            n_bytes += len(text.encode())
            lines.append(json.dumps({"text": text}, ensure_ascii=False) + "\n")
            if n_bytes >= size * 1e6:
                break
        corpora[size] = Path(folder, f"{size}.jsonl")
        corpora[size].write_text("".join(lines), "utf-8")
        print(f"{size} MB: {n_bytes / 1e6:.1f} MB in {len(lines):,} documents", flush=True)
    return corpora


def documents_of(corpus: str) -> Iterator[str]:
    with open(corpus, encoding="utf-8", newline="\n") as lines:
        for line in lines:
            yield json.loads(line)["text"]


def train_tokenizers(corpus: str, vocab_size: int) -> None:
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    split = pre_tokenizers.Split(Regex(PATTERN), behavior="isolated")
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, byte_level])
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=vocab_size, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(documents_of(corpus), trainer)


def train_rustbpe(corpus: str, vocab_size: int) -> None:
    import rustbpe

    rustbpe.Tokenizer().train_from_iterator(documents_of(corpus), vocab_size, pattern=PATTERN)


OTHERS = {"tokenizers": train_tokenizers, "rustbpe": train_rustbpe}


def measured(name: str, corpus: Path, vocab_size: int, folder: str) -> tuple[float, float, float]:
    """Return seconds, processor seconds and peak megabytes of one training in processes of its own."""
    command = [sys.executable, "-m", "tokviz", "train", str(corpus), "--vocab-size", str(vocab_size), "--quiet"]
    command += ["--output", str(Path(folder, "bench.tiktoken"))]
    if name in OTHERS:
        command = [sys.executable, __file__, "--child", name, str(corpus), "--vocab-size", str(vocab_size)]
    timed = "import os, resource, subprocess, sys, time; start = time.perf_counter()\n"
    timed += "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
    timed += "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
    timed += "print(time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)"
    command = [sys.executable, "-c", timed, *command]
    answer = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    seconds, processor, peak = map(float, answer.stdout.split())
    return seconds, processor, peak


def write_chart(rows: list[dict[str, str | float]], path: str) -> None:
    """Draw seconds over megabytes, both logarithmic, with a line for each trainer."""
    lines = alt.Chart(pd.DataFrame(rows), width=420, height=280, background="white").mark_line(point=True)
    chart = lines.encode(
        alt.X("megabytes:Q", scale=alt.Scale(type="log"), axis=alt.Axis(values=[row["megabytes"] for row in rows])),
        alt.Y("seconds:Q", scale=alt.Scale(type="log"), title="seconds to train"),
        alt.Color(
            "trainer:N",
            scale=alt.Scale(domain=["tokviz", *OTHERS], range=["#0b6e6e", "#7a5195", "#d55e00"]),
            legend=alt.Legend(orient="top", title=None),
        ),
        alt.Shape("trainer:N", legend=None),
    )
    chart.save(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("folders", nargs="*", default=[sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")])
    add("--megabytes", type=int, nargs="+", default=[2, 8, 24, 80, 240])
    add("--vocab-size", type=int, default=32768)
    add("--runs", type=int, default=1)
    add("--trainers", nargs="+", choices=("tokviz", *OTHERS), default=["tokviz", *OTHERS])
    add("--chart", help="a file to draw the seconds in, .svg or .png")
    add("--child", choices=OTHERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        OTHERS[options.child](options.folders[0], options.vocab_size)
        return
    with tempfile.TemporaryDirectory() as folder:
        corpora = write_corpora(folder, sorted(options.megabytes), options.folders)
        print("| MB | | seconds | processor seconds | peak MB |\n|---|---|---|---|---|")
        rows: list[dict[str, str | float]] = []
        for size, corpus in corpora.items():
            runs = {name: [] for name in options.trainers}
            for _ in range(options.runs):
                for name, figures in runs.items():
                    figures.append(measured(name, corpus, options.vocab_size, folder))
            for name, figures in runs.items():
                seconds, processor, peak = map(statistics.median, zip(*figures, strict=True))
                print(f"| {size} | {name} | {seconds:.1f} | {processor:.1f} | {peak:.0f} |", flush=True)
                rows.append({"megabytes": size, "trainer": name, "seconds": seconds})
    if options.chart:
        write_chart(rows, options.chart)


if __name__ == "__main__":
    main()
