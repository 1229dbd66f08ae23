"""Time and peak memory of training: tokviz beside Hugging Face tokenizers and rustbpe.

    python tests/bench/train.py [CORPUS VOCAB_SIZE] [--runs 5]

Without a corpus, the rows of docs/benchmarks.md: Thai and Chinese text from the folder that TOKVIZ_CORPORA names, and
the sources of Python's standard library, tests left out. Every run is a process of its own; the trainers take
turns, so that a machine that slows down slows all of them. Seconds are those of training alone, from a text in
memory to the merges; memory is the peak of the whole process and its children. Medians are printed with their
ranges, and the ratio to tokviz run by run. The two others need `pip install -r tests/bench/requirements.txt`.
"""

import argparse
import importlib.util
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[2])

# cl100k in a form that the regex engines of the other two read alike; it cuts as cl100k does.
PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
)


def train_tokviz(text: str, vocab_size: int) -> None:
    import tokviz

    tokviz.train(text, vocab_size=vocab_size, split_pattern="cl100k")


def train_tokenizers(text: str, vocab_size: int) -> None:
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PATTERN), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=vocab_size, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator([text], trainer)


def train_rustbpe(text: str, vocab_size: int) -> None:
    import rustbpe

    rustbpe.Tokenizer().train_from_iterator([text], vocab_size, pattern=PATTERN)


TRAINERS = {"tokviz": train_tokviz, "tokenizers": train_tokenizers, "rustbpe": train_rustbpe}


def child(name: str, corpus: str, vocab_size: int) -> None:
    """Train once and print seconds and peak memory in megabytes as JSON."""
    text = Path(corpus).read_text("utf-8")
    importlib.import_module(name)  # importing is not training
    start = time.perf_counter()
    TRAINERS[name](text, vocab_size)
    seconds = time.perf_counter() - start
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    peak = sum(resource.getrusage(some).ru_maxrss for some in who) / 1024
    print(json.dumps([seconds, peak]))


def measured(name: str, corpus: str, vocab_size: int) -> list[float]:
    """Return seconds and megabytes of one training in a process of its own."""
    command = [sys.executable, __file__, corpus, str(vocab_size), "--child", name]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


ROWS = (("thai_wiki_small.txt", 512), ("thai_wiki_small.txt", 8192), ("d2l_zh.txt", 8192), ("stdlib.txt", 32768))


def stdlib_sources(folder: str) -> Path:
    """Return a file of the sources of the standard library joined, tests left out."""
    library = Path(os.__file__).parent
    left_out = {"site-packages", "test", "tests"}
    sources = sorted(path for path in library.rglob("*.py") if not left_out & set(path.parts))
    result = Path(folder) / "stdlib.txt"
    result.write_text("".join(path.read_text("utf-8", errors="replace") for path in sources), "utf-8")
    return result


def table(corpus: Path, vocab_size: int, n_runs: int) -> None:
    """Run all trainers in turns and print their figures."""
    installed = [name for name in TRAINERS if importlib.util.find_spec(name)]
    runs = {name: [] for name in installed}
    for _ in range(n_runs):
        for name in installed:
            runs[name].append(measured(name, str(corpus), vocab_size))
    megabytes = corpus.stat().st_size / 1e6
    print(f"\n{corpus.name}, {megabytes:.1f} MB, vocabulary {vocab_size:,}, {n_runs} runs\n")
    print("| | seconds | range | peak MB | tokviz takes, times |\n|---|---|---|---|---|")
    for name, rows in runs.items():
        seconds, memory = zip(*rows, strict=True)
        ratio = statistics.median(a[0] / b for a, b in zip(runs["tokviz"], seconds, strict=True))
        print(
            f"| {name} | {statistics.median(seconds):.2f} | {min(seconds):.2f}–{max(seconds):.2f} "
            f"| {statistics.median(memory):.0f} | {ratio:.2f} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?")
    parser.add_argument("vocab_size", nargs="?", type=int)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--child", choices=TRAINERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child, options.corpus, options.vocab_size)
        return
    for name in TRAINERS:
        if not importlib.util.find_spec(name):
            print(f"{name} is not installed: pip install -r tests/bench/requirements.txt")
    if options.corpus:
        table(Path(options.corpus), options.vocab_size, options.runs)
        return
    with tempfile.TemporaryDirectory() as folder:
        corpora = Path(os.environ["TOKVIZ_CORPORA"])
        for name, vocab_size in ROWS:
            path = stdlib_sources(folder) if name == "stdlib.txt" else corpora / name
            table(path, vocab_size, options.runs)


if __name__ == "__main__":
    main()
