"""`tokviz encode` and `tokviz decode`: text in, token ids out, and back; of whole corpora see `corpus_ids`."""

import argparse
import sys

from tokviz.cli import corpus_ids
from tokviz.cli.options import Commands, add_allow_special, allowed_special, new_command
from tokviz.cli.rows import add_output, print_result
from tokviz.cli.streams import text_of
from tokviz.cli.tokenizers import TOKENIZER, add_options, add_tokenizer, tokenizer_of
from tokviz.core.ids import parsed_ids
from tokviz.core.patterns import shortened
from tokviz.core.vocabulary import Vocabulary
from tokviz.training.corpus_paths import STDIN


def add_commands(commands: Commands) -> None:
    """Add both commands and their options."""
    examples = ("tokviz encode books.model story.txt > story.ids", "tokviz encode gpt2 books/ --output ids.bin")
    encode = new_command(commands, "encode", "turn text into token ids", *examples)
    names = f"{TOKENIZER}; then a file, or with --output files, folders and globs"
    encode.add_argument("names", nargs="+", metavar="TOKENIZER|PATH", help=names)
    encode.add_argument("-t", "--tokenizer", metavar="TOKENIZER", help="the tokenizer, if it is not named first")
    corpus_ids.add_options(encode)
    add_options(encode)
    add_allow_special(encode)
    add_output(encode)
    encode.set_defaults(run=run_encode)
    decode = new_command(commands, "decode", "turn token ids into text", "echo 15496 995 | tokviz decode gpt2")
    add_tokenizer(decode)
    ids = "a file of ids, between white space, commas, brackets or quotes; by default standard input"
    decode.add_argument("file", nargs="?", default=STDIN, metavar="FILE", help=ids)
    add_output(decode)
    decode.set_defaults(run=run_decode)


def run_encode(options: argparse.Namespace) -> int:
    """Print the ids of a text, or write those of a corpus; return the exit code."""
    first = [] if options.tokenizer else options.names[:1]
    name, paths = options.tokenizer or first[0], options.names[len(first) :] or [STDIN]
    allowed = allowed_special(options)
    if options.output:
        return corpus_ids.run(options, name, paths, allowed)
    if len(paths) > 1 or options.separator:
        raise ValueError("several files, and --separator, are for --output: name one")
    tokenizer = tokenizer_of(name, options)
    ids = tokenizer.encode(text_of(paths[0]), allowed_special=allowed)
    if options.json:
        print_result(options, {"tokenizer": tokenizer.name, "n_tokens": len(ids), "ids": ids})
    else:
        print(*ids)
    return 0


def run_decode(options: argparse.Namespace) -> int:
    """Print the text of ids; return the exit code."""
    tokenizer = tokenizer_of(options.tokenizer, options)
    ids, others = parsed_ids(text_of(options.file))
    if others:
        more = f", nor are {len(others) - 1:,} more" if len(others) > 1 else ""
        raise ValueError(f"{shortened(others[0])} is not a token id{more}")
    if options.json:
        print_result(options, {"tokenizer": tokenizer.name, "n_tokens": len(ids), "text": tokenizer.decode(ids)})
    elif isinstance(tokenizer, Vocabulary):
        sys.stdout.buffer.write(tokenizer.decode_bytes(ids))
    else:
        sys.stdout.buffer.write(tokenizer.decode(ids).encode("utf-8", "replace"))
    return 0
