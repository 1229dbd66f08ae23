"""`tokviz parity`: what the same sentences cost in each language, under several tokenizers."""

import argparse
from collections.abc import Sequence

from tokviz.analysis.parity import ParityRow, Sentence, parity_rows
from tokviz.cli.common import Commands, bytes_of, new_command, print_csv, print_json, print_table
from tokviz.cli.tokenizers import RANKS_ONLY, TOKENIZER, add_options, tokenizers_of
from tokviz.languages.parallel_files import language_code, read_sentences, sentences_of_table
from tokviz.languages.table import LANGUAGES, parallel_sentences
from tokviz.training.corpus_paths import STDIN

EPILOG = f"""\
  tokviz parity -t gpt2 -t o200k_base
  tokviz parity -t books.model --languages th lo km --csv > books.csv
  tokviz parity -t gpt2 --file sentences.tsv --reference th
  tokviz parity -t gpt2 --folder flores200_dataset/dev

Parity is the tokens of a language for the same sentences, relative to English or another --reference: 2.00 costs twice
as much. The sentences are twelve built-in ones in each of these languages, or your own:
{", ".join(LANGUAGES)}

--file has a column for each language between tabs: the first line names the languages, by codes such as th, zh-Hant or
tha_Thai, and each other line says the same in all of them. --folder has a file for each language, as FLORES-200 has:
tha_Thai.dev, or th.txt. Line 1 says the same in every file, and so on. All is UTF-8.

With one tokenizer the table also has the premiums of single sentences: lowest, median and highest. --csv and --json
have all figures for all tokenizers, --json with the premium of each sentence. "unknown" is the share of a text that no
token stands for; such a text seems cheap, and its words are lost.

{RANKS_ONLY}"""


def add_commands(commands: Commands) -> None:
    """Add the command and its options."""
    command = new_command(commands, "parity", "show what the same sentences cost in each language", EPILOG)
    add = command.add_argument
    add("-t", "--tokenizer", action="append", metavar="TOKENIZER",
        help=f"{TOKENIZER}; may be given several times (cl100k_base)")  # fmt: skip
    own = command.add_mutually_exclusive_group()
    own.add_argument("--file", metavar="PATH", help="a table of your own sentences, or - for standard input")
    own.add_argument("--folder", metavar="PATH", help="a folder with a file of sentences for each language")
    add("--languages", nargs="+", metavar="LANGUAGE", help="only these and the reference (all)")
    add("--reference", default="en", metavar="LANGUAGE", help="the language to compare with (en)")
    add_options(command, several=True)
    shown = command.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help="print all figures as JSON")
    shown.add_argument("--csv", action="store_true", help="print all figures as CSV")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print what each language costs under each tokenizer; return the exit code."""
    names = options.tokenizer or ["cl100k_base"]
    reference = language_code(options.reference)
    sentences = _chosen(_sentences(options), options.languages, reference)
    of_each = [
        parity_rows(tokenizer, sentences, reference=reference, name=name)
        for name, tokenizer in zip(names, tokenizers_of(names, options), strict=True)
    ]
    rows = [row._asdict() for rows in of_each for row in rows]
    if options.json:
        print_json(rows)
    elif options.csv:
        print_csv([{key: value for key, value in row.items() if key != "premiums"} for row in rows])
    else:
        _print(of_each, reference)
    return 0


def _sentences(options: argparse.Namespace) -> list[dict[str, str]]:
    if options.file == STDIN:
        return sentences_of_table("standard input", bytes_of(STDIN))
    path = options.file or options.folder
    return parallel_sentences() if path is None else read_sentences(path)


def _chosen(sentences: Sequence[Sentence], languages: Sequence[str] | None, reference: str) -> list[Sentence]:
    """Return the sentences in the languages to show; ValueError for one that they lack."""
    asked = {reference: None} | dict.fromkeys(map(language_code, languages or ()))
    for code in asked:
        if code not in sentences[0]:
            other = ": compare with one of these by --reference" if code == reference else ""
            raise ValueError(f"there are no sentences in {code}; there are some in {', '.join(sentences[0])}{other}")
    return [{code: sentence[code] for code in (asked if languages else sentence)} for sentence in sentences]


def _print(of_each: Sequence[Sequence[ParityRow]], reference: str) -> None:
    """Print a row for each language, the dearest under the first tokenizer first."""
    first, *others = of_each
    base = next(row for row in first if row.language == reference)
    print(f"tokens relative to {base.name}, for the same sentences ({base.n_sentences:,})")
    if not others:
        head = ["language", "code", first[0].tokenizer, "lowest", "median", "highest", "tokens", "bytes/token"]
        kept = ("name", "language", "parity", "lowest_premium", "median_premium", "highest_premium", "n_tokens",
                "bytes_per_token")  # fmt: skip
        cells = [[getattr(row, name) for name in kept] for row in first]
        if any(row.unknown_share for row in first):
            head.append("unknown")
            cells = [[*line, f"{row.unknown_share:.1%}"] for line, row in zip(cells, first, strict=True)]
        print_table(head, cells)
        return
    found = [{row.language: row for row in rows} for rows in of_each]
    print_table(
        ["language", "code", *(rows[0].tokenizer for rows in of_each)],
        [[row.name, row.language, *(_cell(rows[row.language]) for rows in found)] for row in first],
    )


def _cell(row: ParityRow) -> str:
    """Return a parity, and how much of the text is unknown."""
    parity = "-" if row.parity is None else f"{row.parity:.2f}"
    return f"{parity} ({row.unknown_share:.0%} unknown)" if row.unknown_share >= 0.005 else parity
