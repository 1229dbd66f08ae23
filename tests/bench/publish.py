"""Measure again, and put the tables into docs/benchmarks.md.

    TOKVIZ_CORPORA=FOLDER python tests/bench/publish.py [keystrokes] [train] [scrubbing] [comparing] [vocabulary] …

Runs the benches named, or all of them, one after the other, and puts what each prints between its markers. The folder
holds the texts: `wikitext2_valid_test.txt`, `thai_wiki_small.txt` and `d2l_zh.txt`.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

BENCHES = Path(__file__).parent
BENCHMARKS = BENCHES.parents[1] / "docs" / "benchmarks.md"
MARKED = r"(<!-- {name} -->\n).*?(<!-- end -->)"
WITH_TEXTS = ("keystrokes", "scrubbing", "comparing")


def printed(name: str, corpora: Path) -> str:
    """Return what a bench prints."""
    texts = ("--english", corpora / "wikitext2_valid_test.txt", "--thai", corpora / "thai_wiki_small.txt")
    command = [sys.executable, BENCHES / f"{name}.py", *(texts if name in WITH_TEXTS else ())]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def main() -> None:
    """Run the benches and rewrite the file after each of them."""
    corpora = os.environ.get("TOKVIZ_CORPORA")
    if corpora is None:
        sys.exit("Say where the texts are: TOKVIZ_CORPORA=FOLDER")
    known = re.findall("<!-- (?!end)([a-z]+) -->", BENCHMARKS.read_text("utf-8"))
    names = sys.argv[1:] or known
    if unknown := set(names) - set(known):
        sys.exit(f"No such bench: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    for name in names:
        table = printed(name, Path(corpora))
        page = BENCHMARKS.read_text("utf-8")
        marked = re.compile(MARKED.format(name=name), re.DOTALL)
        BENCHMARKS.write_text(marked.sub(lambda m, table=table: f"{m[1]}\n{table}\n\n{m[2]}", page), "utf-8")


if __name__ == "__main__":
    main()
