"""What the commands share: a tokenizer by name or file, the text of a file, JSON and tables."""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tokviz.corpus import STDIN
from tokviz.pretrained import PRETRAINED, load
from tokviz.tokenizer import Tokenizer

Commands = argparse._SubParsersAction


def new_command(commands: Commands, name: str, short: str, epilog: str) -> argparse.ArgumentParser:
    """Return the parser of a command that has one line in the list of all, and more to read in its own help."""
    return commands.add_parser(
        name,
        help=short,
        description=short[0].upper() + short[1:] + ".",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def tokenizer_of(name: str) -> Tokenizer:
    """Return the tokenizer in a file, or the one that ships under a name."""
    if Path(name).exists():
        return Tokenizer.read(name)
    if name in PRETRAINED:
        return load(name)
    raise ValueError(f"there is no file {name!r}, and the names that ship are {', '.join(PRETRAINED)}")


def bytes_of(path: str) -> bytes:
    """Return what a file or standard input ("-") holds."""
    return sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()


def text_of(path: str) -> str:
    """Return the text of a file or of standard input; ValueError where it is no UTF-8."""
    data = bytes_of(path)
    try:
        return data.decode()
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        where = "standard input" if path == STDIN else path
        raise ValueError(f"{where}, line {line}: no UTF-8: byte {data[e.start]} at offset {e.start}") from e


def print_json(result: object) -> None:
    """Print a result as one line of JSON."""
    print(json.dumps(result, ensure_ascii=False))


def print_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows under their heads; numbers with thousands marked, on the right."""
    cells = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    for row in ([*head], *cells):
        first, *rest = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join([row[0].ljust(len(first)), *rest]).rstrip())
