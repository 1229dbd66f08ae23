"""Encoding, counting and decoding: tokviz beside tiktoken, and gigatoken where it is installed.

    TOKVIZ_CORPORA=FOLDER python tests/bench/encode.py [--runs 9] [tokenizer.json ...]

Twelve rows of encoding: three vocabularies, and code, Thai, Chinese and English from the sources of Python's standard
library and from the folder. All take turns in one process, and a ratio is that of two neighbouring runs; the table
has medians. tiktoken runs `encode_ordinary` on one thread. gigatoken is built anew for each run, as its caches make
the second run of one text another matter, and runs on one thread too. Four rows more for each tokenizer.json that is
given, beside the `tokenizers` library.
"""

import argparse
import base64
import importlib.util
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[0] = str(ROOT)
os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(ROOT / "assets" / "tiktoken"))

import numpy as np  # noqa: E402
import tiktoken  # noqa: E402
import tokenizers  # noqa: E402

import tokviz  # noqa: E402
from tokviz.core import batch  # noqa: E402

NAMES = ("gpt2", "cl100k_base", "o200k_base")
FILES = {"Thai": "thai_wiki_small.txt", "Chinese": "d2l_zh.txt", "English": "wikitext2_valid_test.txt"}
CODE = 4_000_000  # characters
Work = Callable[[], object]


def texts(corpora: Path) -> dict[str, str]:
    """Return the four texts."""
    sources = sorted(Path(os.__file__).parent.glob("*.py"))
    code = "".join(path.read_text("utf-8", errors="replace") for path in sources)[:CODE]
    return {"code": code} | {name: (corpora / file).read_text("utf-8") for name, file in FILES.items()}


def in_turns(
    works: Mapping[str, Work], runs: int, *, before: Mapping[str, Work] | None = None
) -> dict[str, list[float]]:
    """Return the seconds of each work, run after run; what comes before one is not timed."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(runs):
        for name, work in works.items():
            (before or {}).get(name, lambda: None)()
            start = time.perf_counter()
            work()
            seconds[name].append(time.perf_counter() - start)
    return seconds


def print_rows(title: str, seconds: Mapping[str, list[float]], base: str) -> None:
    """Print medians, and the median of the ratios to a base run by run."""
    cells = []
    for name, values in seconds.items():
        cells.append(f"{statistics.median(values) * 1000:.0f} ms")
        if name != base:
            ratio = statistics.median(a / b for a, b in zip(values, seconds[base], strict=True))
            cells.append(f"{ratio:.2f}")
    print(f"| {title} | {' | '.join(cells)} |", flush=True)


class Gigatoken:
    """gigatoken with a vocabulary of tiktoken's, read from a file of ranks."""

    def __init__(self, tokenizer: tokviz.Tokenizer, folder: str) -> None:
        self._path, self._pattern = Path(folder, tokenizer.name), tokenizer.split_pattern
        ranks = sorted(tokenizer.mergeable_ranks.items(), key=lambda pair: pair[1])
        self._path.write_bytes(b"".join(base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks))

    def build(self) -> None:
        import gigatoken

        self.tokenizer = gigatoken.Tokenizer.from_tiktoken(self._path, self._pattern, {})

    def encode(self, text: str) -> list[int]:
        return self.tokenizer.encode(text).tolist()


def encoding_table(samples: Mapping[str, str], runs: int, folder: str) -> None:
    """Print the twelve rows."""
    with_gigatoken = importlib.util.find_spec("gigatoken") is not None
    last = " gigatoken | times tiktoken |" if with_gigatoken else ""
    print(f"| | tiktoken | tokviz | times tiktoken |{last}\n|---|---|---|---|{'---|---|' if last else ''}")
    for name in NAMES:
        theirs, ours = tiktoken.get_encoding(name), tokviz.load(name)
        giga = Gigatoken(ours, folder) if with_gigatoken else None
        for language, text in samples.items():
            assert ours.encode(text) == theirs.encode_ordinary(text)
            works = {"tiktoken": lambda: theirs.encode_ordinary(text), "tokviz": lambda: ours.encode(text)}  # noqa: B023
            if giga:
                works["gigatoken"] = lambda: giga.encode(text)  # noqa: B023
            before = {"gigatoken": giga.build} if giga else None
            size = f"{len(text.encode()) / 1e6:.1f} MB"
            print_rows(f"{name}, {language}, {size}", in_turns(works, runs, before=before), "tiktoken")


def file_table(paths: list[Path], samples: Mapping[str, str], runs: int) -> None:
    """Print four rows for each tokenizer.json; both must give the same ids."""
    print("\n| | tokenizers | tokviz | times tokenizers |\n|---|---|---|---|")
    for path in paths:
        theirs, ours = tokenizers.Tokenizer.from_file(str(path)), tokviz.read(path)
        assert isinstance(ours, tokviz.Tokenizer), f"{path} runs through its library: {ours.reason}"
        theirs.encode_special_tokens = True  # are plain text there too
        for language, text in samples.items():
            works: dict[str, Work] = {
                "tokenizers": lambda: theirs.encode(text, add_special_tokens=False).ids,  # noqa: B023
                "tokviz": lambda: ours.encode(text),  # noqa: B023
            }
            assert works["tokviz"]() == works["tokenizers"]()
            title = f"{path.parent.name}, {language}, {len(text.encode()) / 1e6:.1f} MB"
            print_rows(title, in_turns(works, runs), "tokenizers")


def other_tables(samples: Mapping[str, str], runs: int) -> None:
    """Print short texts, decoding, counting, and many texts on one core and on all."""
    theirs, ours = tiktoken.get_encoding("o200k_base"), tokviz.load("o200k_base")
    ids = [i for text in samples.values() for i in theirs.encode_ordinary(text)][:1_000_000]
    array, english = np.array(ids, np.uint32), samples["English"]
    lines = [line for text in samples.values() for line in text.splitlines(keepends=True)]
    print("\n| o200k_base | tiktoken | tokviz | times tiktoken |\n|---|---|---|---|")
    rows: dict[str, tuple[Work, Work]] = {
        "20 characters, a thousand times": (
            lambda: [theirs.encode_ordinary(english[:20]) for _ in range(1_000)],
            lambda: [ours.encode(english[:20]) for _ in range(1_000)],
        ),
        "a million ids to text": (lambda: theirs.decode(ids), lambda: ours.decode(ids)),
        "a million ids in an array to text": (lambda: theirs.decode(array), lambda: ours.decode(array)),
        "tokens of English, counted": (lambda: len(theirs.encode_ordinary(english)), lambda: ours.count(english)),
        f"{len(lines):,} lines, encode_batch": (
            lambda: theirs.encode_ordinary_batch(lines),
            lambda: ours.encode_batch(lines),
        ),
    }
    for title, (one, other) in rows.items():
        print_rows(title, in_turns({"tiktoken": one, "tokviz": other}, runs), "tiktoken")
    print("\n| o200k_base, tokviz | all cores | one core | times all cores |\n|---|---|---|---|")
    for title, many in (("lines", lines), ("four long texts", list(samples.values()))):

        def count(cores: Callable[[], int], many: list[str] = many) -> None:
            batch.n_cores = cores
            assert sum(ours.count_iter(many))

        n_cores = batch.n_cores
        works = {"all": lambda: count(n_cores), "one": lambda: count(lambda: 1)}  # noqa: B023
        print_rows(f"{title}, count_iter", in_turns(works, runs), "all")
        batch.n_cores = n_cores


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("files", type=Path, nargs="*", metavar="tokenizer.json", help="whose folder is its name here")
    options = parser.parse_args()
    samples = texts(Path(os.environ["TOKVIZ_CORPORA"]))
    with tempfile.TemporaryDirectory() as folder:
        encoding_table(samples, options.runs, folder)
    other_tables(samples, options.runs)
    if options.files:
        file_table(options.files, samples, options.runs)


if __name__ == "__main__":
    main()
