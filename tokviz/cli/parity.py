"""`tokviz parity`: what the same sentences cost in each language, under several tokenizers."""

import argparse
from collections.abc import Sequence
from dataclasses import replace

from tokviz.cli.options import Commands, add_command
from tokviz.cli.rows import SHARE, Rows, add_output_options, print_result
from tokviz.cli.streams import read_file_or_stdin_bytes
from tokviz.cli.tokenizers import DEFAULT, add_tokenizer_options, add_tokenizers_option, read_or_load_tokenizers
from tokviz.corpus.paths import STDIN
from tokviz.languages.parallel_files import language_code, read_sentences, sentences_of_table
from tokviz.languages.parity import ParityRow, Sentence, parity_rows
from tokviz.languages.table import parallel_sentences

HEADS = {
    "name": "language",
    "language": "code",
    "parity": "parity",
    "parity_low": "95% from",
    "parity_high": "to",
    "lowest_premium": "lowest",
    "median_premium": "median",
    "highest_premium": "highest",
    "n_tokens": "tokens",
    "bytes_per_token": "bytes/token",
}


def add_to_commands(commands: Commands) -> None:
    """Add the command and its options."""
    examples = ("tokviz parity -t gpt2 -t o200k_base", "tokviz parity -t books.model --languages th lo --csv")
    command = add_command(
        commands, "parity", "show what the same sentences cost in each language", print_parity, *examples
    )
    add = command.add_argument
    add_tokenizers_option(command)
    own = command.add_mutually_exclusive_group()
    own.add_argument("--file", metavar="PATH", help="a table of your own sentences, or - for standard input")
    own.add_argument("--folder", metavar="PATH", help="a folder with a file of sentences for each language")
    add("--languages", nargs="+", metavar="LANGUAGE", help="only these and the reference (all)")
    add("--reference", default="en", metavar="LANGUAGE", help="the language to compare with (en)")
    add_tokenizer_options(command, several=True)
    add_output_options(command, csv=True)


def print_parity(options: argparse.Namespace) -> None:
    """Print what each language costs under each tokenizer."""
    names = options.tokenizers or [DEFAULT]
    reference = language_code(options.reference)
    sentences = _chosen_sentences(_given_or_builtin_sentences(options), options.languages, reference)
    of_each = [
        parity_rows(tokenizer, sentences, reference=reference, name=name)
        for name, tokenizer in zip(names, read_or_load_tokenizers(names, options), strict=True)
    ]
    records = [row._asdict() for rows in of_each for row in rows]
    rows = Rows(records, HEADS | {"parity": names[0]}, {"unknown_share": SHARE})
    base = next(row for row in of_each[0] if row.language == reference)
    caption = f"tokens relative to {base.name}, for the same sentences ({base.n_sentences:,})"
    caption += ", with 95% intervals (bootstrap)"
    print_result(options, rows, f"{caption}\n{_parity_table(of_each, rows)}")


def _given_or_builtin_sentences(options: argparse.Namespace) -> list[dict[str, str]]:
    if options.file == STDIN:
        return sentences_of_table("standard input", read_file_or_stdin_bytes(STDIN))
    path = options.file or options.folder
    return parallel_sentences() if path is None else read_sentences(path)


def _chosen_sentences(sentences: Sequence[Sentence], languages: Sequence[str] | None, reference: str) -> list[Sentence]:
    """Return the sentences in the languages to show; ValueError for one that they lack."""
    asked = {reference: None} | dict.fromkeys(map(language_code, languages or ()))
    for code in asked:
        if code not in sentences[0]:
            other = ": compare with one of these by --reference" if code == reference else ""
            raise ValueError(f"there are no sentences in {code}; there are some in {', '.join(sentences[0])}{other}")
    return [{code: sentence[code] for code in (asked if languages else sentence)} for sentence in sentences]


def _parity_table(of_each: Sequence[Sequence[ParityRow]], rows: Rows) -> Rows:
    """Return a row for each language, the dearest under the first tokenizer first: its figures, or several parities."""
    if len(of_each) == 1:
        unknown = {"unknown_share": "unknown"} if any(row.unknown_share for row in of_each[0]) else {}
        return replace(rows, heads={**rows.heads, **unknown})
    found = [{row.language: row for row in each} for each in of_each]
    heads = ["language", "code", *(each[0].tokenizer for each in of_each)]
    lines = [[row.name, row.language, *(each[row.language] for each in found)] for row in of_each[0]]
    return replace(Rows.of_lines(heads, lines), formatters=dict.fromkeys(range(2, len(heads)), _parity_cell))


def _parity_cell(row: ParityRow) -> str:
    """Return a parity, its 95% confidence interval, and how much of the text is unknown."""
    parity = "-" if row.parity is None else f"{row.parity:.2f}"
    if row.parity_low is not None and row.parity_low != row.parity_high:
        parity += f" ({row.parity_low:.2f}–{row.parity_high:.2f})"
    return f"{parity} ({row.unknown_share:.0%} unknown)" if row.unknown_share >= 0.005 else parity
