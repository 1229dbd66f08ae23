"""`tokviz count`: the bytes, characters and words of texts, and how wide their one-hot vectors are.

With tokenizers it counts the tokens of a data set, document by document (see `dataset`).
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from tokviz.analysis.distinct import Distinct
from tokviz.analysis.word_rules import WORD_RULES
from tokviz.cli import dataset
from tokviz.cli.common import Commands, new_command, print_csv, print_json, print_table, say_left_out
from tokviz.core.patterns import SPLIT_PATTERNS, pattern_name
from tokviz.core.pretokens import pretoken_runs
from tokviz.training.blocks import WORDS, TextCut
from tokviz.training.corpus import Corpus
from tokviz.training.corpus_paths import STDIN
from tokviz.training.counting import blocks_of

EPILOG = (
    """\
  tokviz count story.txt
  tokviz count books/ more.jsonl.gz --text-key content
  tokviz count story.txt --split-pattern '([,.:;?_!"()\\x27]|--|\\s)'

PATHs are as in tokviz train: in a .jsonl file only the texts count. Memory grows by eight bytes with each
different word, not with the files.

A vocabulary of all different words needs an entry for each, and a one-hot vector, a single 1 among zeros, is as
wide as the vocabulary; "numbers in all" is what a text takes in such vectors. White space does not count: it is
dropped around words, and is not a word by itself. (Bytes and characters include it.)

words, white space: what white space separates. words, punctuation apart: runs of letters, digits and _, and every
other character by itself. words, by rules: as spaCy cuts English, by its rules if it is installed, else by a few.

--split-pattern counts the pretokens of a split pattern in the same way. What a pattern does not match is a pretoken
too, so the third example above counts what re.split(pattern, text) gives, without white space. With a pattern of your
own a document is held in memory as a whole.

"""
    + dataset.EPILOG
)


def add_commands(commands: Commands) -> None:
    """Add the command and its options."""
    command = new_command(commands, "count", "count the words of texts, or the tokens of a data set", EPILOG)
    paths = "files, folders or globs; by default standard input"
    command.add_argument("paths", nargs="*", default=[STDIN], metavar="PATH", help=paths)
    command.add_argument(
        "--text-key", default="text", metavar="KEY", help='the key of the text in lines of JSON ("text")'
    )
    stdin = "the format of standard input and other pipes (txt)"
    command.add_argument("--stdin", choices=("txt", "jsonl"), default="txt", help=stdin)
    patterns = f"{', '.join(SPLIT_PATTERNS)}, or a regular expression; may be given several times"
    patterns += "; with --tokenizer that of a file that lacks one"
    command.add_argument("--split-pattern", action="append", default=[], metavar="PATTERN", help=patterns)
    dataset.add_options(command)
    shown = command.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print the result as JSON")
    shown.add_argument("--csv", action="store_true", help="print the table as CSV")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the counts; return the exit code."""
    if options.tokenizers:
        return dataset.run(options)
    dataset.refuse_options(options)
    corpus = Corpus(options.paths, text_key=options.text_key, stdin=options.stdin)
    rows = _rows(corpus, options.split_pattern)
    say_left_out(corpus.bad_lines, corpus.n_bad)
    if options.json:
        print_json(rows)
    elif options.csv:
        print_csv(rows)
    else:
        heads = ["", "in all", "different", "different in lower case", "one-hot width", "numbers in all"]
        print_table(heads, [row.values() for row in rows])
    return 0


class _Unit:
    """Pieces of a kind in documents that come block by block: how many there are, and how many different ones.

    between: white space that ends a document where pieces end at white space anyway; empty where they may not.
    """

    def __init__(self, name: str, cut: TextCut, pieces: Callable[[str], Iterable[str]], between: str) -> None:
        self._name, self._cut, self._pieces, self._between = name, cut, pieces, between
        self._n_total, self._distinct, self._lower = 0, Distinct(), Distinct()

    def add(self, part: str, *, closed: bool = False) -> None:
        """Take a part of a document, and the last one of all if `closed`."""
        if text := self._cut.text(part, closed=closed):
            pieces = list(self._pieces(text))
            self._n_total += len(pieces)
            different = set(pieces)
            self._distinct.add(different)
            self._lower.add(piece.lower() for piece in different)

    def end_document(self) -> None:
        """Note that a document ends here; small ones are cut together, which is quicker."""
        self.add(self._between, closed=not self._between)

    def row(self) -> dict[str, object]:
        """Return the figures of all documents."""
        self.add("", closed=True)
        return _row(self._name, self._n_total, len(self._distinct), len(self._lower))


def _rows(corpus: Corpus, split_patterns: Sequence[str]) -> list[dict[str, object]]:
    units = [_Unit(f"words, {name}", TextCut(WORDS), words, "\n") for name, words in WORD_RULES.items()]
    for pattern in split_patterns:
        units.append(_Unit(f"pretokens, {pattern}", TextCut.of_pattern(pattern_name(pattern)), _stripped(pattern), ""))
    n_bytes = n_chars = 0
    different_bytes: set[int] = set()
    characters: set[str] = set()
    for document in corpus:
        for block in blocks_of(document):
            data = block.encode()
            n_bytes, n_chars = n_bytes + len(data), n_chars + len(block)
            different_bytes.update(data)
            characters.update(block)
            for unit in units:
                unit.add(block)
        for unit in units:
            unit.end_document()
    return [
        _row("bytes", n_bytes, len(different_bytes), None, width=256),
        _row("characters", n_chars, len(characters), len({character.lower() for character in characters})),
        *(unit.row() for unit in units),
    ]


def _stripped(pattern: str) -> Callable[[str], Iterable[str]]:
    """Return the function from a text to its pretokens under a pattern, without white space."""
    return lambda text: filter(None, map(str.strip, chain.from_iterable(pretoken_runs(text, pattern))))


def _row(
    unit: str, n_total: int, n_distinct: int, n_distinct_lower: int | None, *, width: int | None = None
) -> dict[str, object]:
    width = n_distinct if width is None else width
    return {
        "unit": unit,
        "n_total": n_total,
        "n_distinct": n_distinct,
        "n_distinct_lower": n_distinct_lower,
        "one_hot_width": width,
        "n_numbers": n_total * width,
    }
