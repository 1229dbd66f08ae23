"""`tokviz count`: the bytes, characters and words of a text, and how wide their one-hot vectors are."""

import argparse
from collections.abc import Iterator, Sequence

from tokviz.analysis.word_rules import WORD_RULES
from tokviz.cli.common import Commands, new_command, print_json, print_table, text_of
from tokviz.core.patterns import SPLIT_PATTERNS
from tokviz.core.pretokens import pretokens, well_formed
from tokviz.training.corpus_paths import STDIN

EPILOG = """\
  python -m tokviz count story.txt
  python -m tokviz count story.txt --split-pattern '([,.:;?_!"()\\x27]|--|\\s)'

A vocabulary of all different words needs an entry for each, and a one-hot vector, a single 1 among zeros, is as
wide as the vocabulary; "numbers in all" is what a text takes in such vectors. White space does not count: it is
dropped around words, and is not a word by itself. (Bytes and characters include it.)

--split-pattern counts the pretokens of a split pattern in the same way. What a pattern does not match is a pretoken
too, so the example above counts what re.split(pattern, text) gives, without white space. For the tokens that a
tokenizer makes of a text, see python -m tokviz compare."""


def add_commands(commands: Commands) -> None:
    """Add the command and its options."""
    command = new_command(commands, "count", "count the words of a text, in all and different ones", EPILOG)
    command.add_argument("file", nargs="?", default=STDIN, metavar="FILE", help="a text; by default standard input")
    patterns = f"{', '.join(SPLIT_PATTERNS)}, or a regular expression; may be given several times"
    command.add_argument("--split-pattern", action="append", default=[], metavar="PATTERN", help=patterns)
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the counts; return the exit code."""
    rows = list(_rows(text_of(options.file), options.split_pattern))
    if options.json:
        print_json(rows)
    else:
        heads = ["", "in all", "different", "different in lower case", "one-hot width", "numbers in all"]
        print_table(heads, [row.values() for row in rows])
    return 0


def _rows(text: str, split_patterns: Sequence[str]) -> Iterator[dict[str, object]]:
    yield _row("bytes", [str(byte) for byte in text.encode()], width=256) | {"n_distinct_lower": None}
    yield _row("characters", list(text))
    for name, words in WORD_RULES.items():
        yield _row(f"words, {name}", words(text))
    for pattern in split_patterns:
        pieces = (pretoken.strip() for pretoken in pretokens(well_formed(text), pattern))
        yield _row(f"pretokens, {pattern}", [piece for piece in pieces if piece])


def _row(unit: str, pieces: Sequence[str], *, width: int | None = None) -> dict[str, object]:
    n_distinct = len(set(pieces))
    width = n_distinct if width is None else width
    return {
        "unit": unit,
        "n_total": len(pieces),
        "n_distinct": n_distinct,
        "n_distinct_lower": len({piece.lower() for piece in pieces}),
        "one_hot_width": width,
        "n_numbers": len(pieces) * width,
    }
