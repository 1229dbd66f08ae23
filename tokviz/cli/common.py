"""What the commands share: the text of a file, JSON, CSV and tables."""

import argparse
import csv
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from tokviz.system.input_file import open_file
from tokviz.training.corpus import BadLine
from tokviz.training.corpus_paths import STDIN, standard_input

Commands = argparse._SubParsersAction
LINES_NAMED = 10


def new_command(commands: Commands, name: str, short: str, epilog: str) -> argparse.ArgumentParser:
    """Return the parser of a command, with one line in the list of commands and more in its own help."""
    return commands.add_parser(
        name,
        help=short,
        description=short[0].upper() + short[1:] + ".",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_parameters(command: argparse.ArgumentParser) -> None:
    """Add the option that asks for the parameters a vocabulary costs."""
    help_text = "also the parameters that the vocabulary costs a model of this width (GPT-2 small: 768)"
    command.add_argument("--parameters", type=int, metavar="WIDTH", help=help_text)


def bytes_of(path: str) -> bytes:
    """Return what a file or standard input ("-") holds; errors as in `open_file`."""
    if path == STDIN:
        return standard_input().read()
    with open_file(path) as file:
        return file.read()


def text_of(path: str) -> str:
    """Return the text of a file or of standard input; ValueError if it is not UTF-8."""
    data = bytes_of(path)
    try:
        return data.decode()
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        where = "standard input" if path == STDIN else path
        raise ValueError(f"{where}, line {line}: not UTF-8: byte {data[e.start]} at offset {e.start}") from e


def say(text: str) -> None:
    """Print on standard error; continue silently if that is closed."""
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def say_left_out(bad_lines: Sequence[BadLine], n_bad: int) -> None:
    """Say on standard error which lines were left out, naming the first of `n_bad`."""
    for bad in bad_lines[:LINES_NAMED]:
        say(f"left out: {bad}")
    if n_bad > LINES_NAMED:
        say(f"left out: {n_bad - LINES_NAMED:,} more lines")


def print_json(result: object) -> None:
    """Print a result as one line of JSON."""
    print(json.dumps(result, ensure_ascii=False))


def print_csv(rows: Sequence[Mapping[str, object]]) -> None:
    """Print rows with the same keys as CSV, under the keys of the first; None is an empty cell."""
    writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def print_table(head: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    """Print rows under their headings, all but the first column aligned right."""
    cells = [[_cell(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    for first, *rest in ([*head], *cells):
        on_right = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        print("  ".join([first.ljust(widths[0]), *on_right]).rstrip())


def _cell(value: object) -> str:
    """Return a value as a table shows it.

    >>> _cell(50257), _cell(4.096), _cell(None), _cell("gpt2")
    ('50,257', '4.10', '-', 'gpt2')
    """
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, int):
        return f"{value:,}"
    return "-" if value is None else str(value)
