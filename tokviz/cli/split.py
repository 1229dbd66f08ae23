"""`tokviz split` and `tokviz truncate`: a text in chunks of at most a number of tokens, or only its first tokens."""

import argparse
import json
import sys
from dataclasses import asdict

from tokviz.cli.options import Commands, add_allow_special_option, add_command, allowed_special
from tokviz.cli.streams import read_file_or_stdin_text, say
from tokviz.cli.tokenizers import DEFAULT, TOKENIZER, add_tokenizer_options, read_or_load_tokenizer
from tokviz.core.spans import text_spans
from tokviz.corpus.paths import STDIN
from tokviz.seams.chunks import split
from tokviz.text.words import quantity


def add_to_commands(commands: Commands) -> None:
    """Add both commands and their options."""
    example = "tokviz split --tokens 512 --overlap 64 story.txt -t o200k_base > chunks.jsonl"
    command = add_command(commands, "split", "cut a text into chunks of at most N tokens", print_chunks, example)
    add = command.add_argument
    add("--tokens", type=int, default=512, metavar="N", help="the most tokens of a chunk (512)")
    add("--overlap", type=int, default=0, metavar="N", help="tokens of a chunk that the next one repeats (0)")
    example = "tokviz truncate -t gpt-4o 1000 story.txt > beginning.txt"
    truncate = add_command(commands, "truncate", "print the first N tokens of a text", print_truncated_text, example)
    truncate.add_argument("n", type=int, metavar="N", help="the most tokens to print")
    truncate.add_argument("--from-end", action="store_true", help="print the last N tokens instead")
    add_allow_special_option(truncate)
    for one in (command, truncate):
        add = one.add_argument
        add("file", nargs="?", default=STDIN, metavar="FILE", help="a text; by default standard input")
        add("-t", "--tokenizer", default=DEFAULT, metavar="TOKENIZER", help=f"{TOKENIZER} ({DEFAULT})")
        add_tokenizer_options(one)


def print_chunks(options: argparse.Namespace) -> None:
    """Print a line of JSON for each chunk."""
    tokenizer, text = read_or_load_tokenizer(options.tokenizer, options), read_file_or_stdin_text(options.file)
    for chunk in split(text, tokenizer, tokens=options.tokens, overlap=options.overlap):
        print(json.dumps(asdict(chunk), ensure_ascii=False))


def print_truncated_text(options: argparse.Namespace) -> None:
    """Print the first or the last tokens of a text, without a part of a character."""
    if options.n < 0:
        raise ValueError(f"N must be a number of tokens, 0 or more, not {options.n}")
    tokenizer, text = read_or_load_tokenizer(options.tokenizer, options), read_file_or_stdin_text(options.file)
    spans = text_spans(tokenizer, text, allowed_special=allowed_special(options))
    data = spans.data
    if options.n < len(spans) and options.from_end:
        data = data[[*spans.byte_starts, len(data)][-1 - options.n] :]
    elif options.n < len(spans):
        data = data[: [0, *spans.byte_ends][options.n]]
    whole = data.decode(errors="ignore").encode()
    sys.stdout.buffer.write(whole)
    if len(whole) < len(data):
        say(f"printed less than {quantity(options.n, 'token')}: the cut would be inside a character")
