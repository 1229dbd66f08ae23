"""`tokviz truncate`: the first tokens of a text, or the last, as text."""

import argparse
import sys

import numpy as np

from tokviz.cli.options import Commands, add_allow_special_option, add_command, allowed_special
from tokviz.cli.streams import read_file_or_stdin_text, say
from tokviz.cli.tokenizers import DEFAULT, TOKENIZER, add_tokenizer_options, read_or_load_tokenizer
from tokviz.core.spans import text_spans
from tokviz.corpus.paths import STDIN
from tokviz.text.words import quantity


def add_to_commands(commands: Commands) -> None:
    """Add the command and its options."""
    example = "tokviz truncate -t gpt-4o 1000 story.txt > beginning.txt"
    command = add_command(commands, "truncate", "print the first N tokens of a text", print_truncated_text, example)
    add = command.add_argument
    add("n", type=int, metavar="N", help="the most tokens to print")
    add("file", nargs="?", default=STDIN, metavar="FILE", help="a text; by default standard input")
    add("-t", "--tokenizer", default=DEFAULT, metavar="TOKENIZER", help=f"{TOKENIZER} ({DEFAULT})")
    add("--from-end", action="store_true", help="print the last N tokens instead")
    add_allow_special_option(command)
    add_tokenizer_options(command)


def print_truncated_text(options: argparse.Namespace) -> None:
    """Print as many tokens as asked for, fewer if a character would be torn."""
    if options.n < 0:
        raise ValueError(f"N must be a number of tokens, 0 or more, not {options.n}")
    tokenizer, text = read_or_load_tokenizer(options.tokenizer, options), read_file_or_stdin_text(options.file)
    spans = text_spans(tokenizer, text, allowed_special=allowed_special(options))
    n_all = len(spans)
    if options.n >= n_all:
        sys.stdout.buffer.write(spans.data)
        return
    if options.from_end:
        cuts = np.append(spans.byte_starts, len(spans.data))[n_all - options.n :]
    else:
        cuts = np.insert(spans.byte_ends, 0, 0)[options.n :: -1]
    n_left_out = int(np.isin(cuts, spans.character_starts).argmax())  # of those asked for
    cut = cuts[n_left_out]
    sys.stdout.buffer.write(spans.data[cut:] if options.from_end else spans.data[:cut])
    if n_left_out:
        say(f"kept {options.n - n_left_out:,} of {quantity(options.n, 'token')}, since one more would tear a character")
