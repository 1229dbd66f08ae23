"""What a command reads whole, from a file or standard input, and what it says on standard error."""

import sys
from collections.abc import Sequence
from contextlib import suppress

from tokviz.corpus.corpus import BadLine, Corpus
from tokviz.corpus.paths import STDIN, standard_input
from tokviz.system.input_file import open_file
from tokviz.text.words import quantity

LINES_NAMED = 10


def read_file_or_stdin_bytes(path: str) -> bytes:
    """Return what a file or standard input ("-") holds; errors as in `open_file`."""
    if path == STDIN:
        return standard_input().read()
    with open_file(path) as file:
        return file.read()


def read_file_or_stdin_text(path: str) -> str:
    """Return the text of a file or of standard input; ValueError if it is not UTF-8."""
    data = read_file_or_stdin_bytes(path)
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


def say_left_out_lines(bad_lines: Sequence[BadLine | str], n_bad: int) -> None:
    """Say on standard error which lines were left out, naming the first of `n_bad`."""
    for bad in bad_lines[:LINES_NAMED]:
        say(f"left out: {bad}")
    if n_bad > LINES_NAMED:
        say(f"left out: {quantity(n_bad - LINES_NAMED, 'more line')}")


def say_left_out_lines_of_corpus(corpus: Corpus) -> None:
    """Say which lines of a corpus that was read were left out; ValueError if nothing is left."""
    say_left_out_lines(corpus.bad_lines, corpus.n_bad)
    if corpus.n_bad and len(corpus.without_text) == len(corpus.files):
        raise ValueError("there is no text in what is left")
