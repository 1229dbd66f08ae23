"""`tokviz split`: a text in chunks of at most a number of tokens, as lines of JSON."""

import argparse
import json
from dataclasses import asdict

from tokviz.cli.options import Commands, add_command
from tokviz.cli.streams import read_file_or_stdin_text
from tokviz.cli.tokenizers import DEFAULT, TOKENIZER, add_tokenizer_options, read_or_load_tokenizer
from tokviz.corpus.paths import STDIN
from tokviz.seams.chunks import split


def add_to_commands(commands: Commands) -> None:
    """Add the command and its options."""
    example = "tokviz split --tokens 512 --overlap 64 story.txt -t o200k_base > chunks.jsonl"
    command = add_command(commands, "split", "cut a text into chunks of at most N tokens", print_chunks, example)
    add = command.add_argument
    add("file", nargs="?", default=STDIN, metavar="FILE", help="a text; by default standard input")
    add("--tokens", type=int, default=512, metavar="N", help="the most tokens of a chunk (512)")
    add("--overlap", type=int, default=0, metavar="N", help="tokens of a chunk that the next one repeats (0)")
    add("-t", "--tokenizer", default=DEFAULT, metavar="TOKENIZER", help=f"{TOKENIZER} ({DEFAULT})")
    add_tokenizer_options(command)


def print_chunks(options: argparse.Namespace) -> None:
    """Print a line of JSON for each chunk."""
    tokenizer, text = read_or_load_tokenizer(options.tokenizer, options), read_file_or_stdin_text(options.file)
    for chunk in split(text, tokenizer, tokens=options.tokens, overlap=options.overlap):
        print(json.dumps(asdict(chunk), ensure_ascii=False))
