"""`tokviz encode` and `tokviz decode`: text in, token ids out, and back; of whole corpora see `corpus_ids`."""

import argparse
import sys

from tokviz.cli import corpus_ids
from tokviz.cli.common import Commands, new_command, print_json, text_of
from tokviz.cli.tokenizers import RANKS_ONLY, TOKENIZER, add_options, tokenizer_of
from tokviz.core.ids import parsed_ids
from tokviz.core.patterns import shortened
from tokviz.core.vocabulary import Vocabulary
from tokviz.training.corpus_paths import STDIN

ENCODE = f"""\
  echo "Hello world" | tokviz encode gpt2
  tokviz encode books.model story.txt --json
  tokviz encode gpt2 chat.txt --allow-special "<|endoftext|>"

Special tokens in the text are plain text unless you allow them, by name or with --allow-special all.
The ids are on one line, separated by spaces. The text is taken as it is, including its last line end.

{corpus_ids.EPILOG}

{RANKS_ONLY}"""

DECODE = f"""\
  echo 15496 995 | tokviz decode gpt2
  tokviz encode gpt2 story.txt | tokviz decode gpt2 | cmp - story.txt

White space, commas, brackets or quotes may separate the ids, as in a JSON list. The output is exactly the bytes
of the tokens; with --json, bytes that are not UTF-8 become U+FFFD. For a tokenizer that is not byte-level BPE
it is the text that its library gives back, which may differ from the one that was encoded: WordPiece puts a
space between words, and SentencePiece mostly drops one before the text.

{RANKS_ONLY}"""


def add_commands(commands: Commands) -> None:
    """Add both commands and their options."""
    encode = new_command(commands, "encode", "turn text into token ids", ENCODE)
    decode = new_command(commands, "decode", "turn token ids into text", DECODE)
    encode.add_argument(
        "names", nargs="+", metavar="TOKENIZER|PATH", help=f"{TOKENIZER}; then a file, or with --output PATHs"
    )
    encode.add_argument("-t", "--tokenizer", metavar="TOKENIZER", help="the tokenizer, if it is not named first")
    corpus_ids.add_options(encode)
    decode.add_argument("tokenizer", metavar="TOKENIZER", help=TOKENIZER)
    decode.add_argument(
        "file", nargs="?", default=STDIN, metavar="FILE", help="a file of ids; by default standard input"
    )
    for command, run in ((encode, run_encode), (decode, run_decode)):
        add_options(command)
        command.add_argument("--json", action="store_true", help="print the result as JSON")
        command.set_defaults(run=run)
    encode.add_argument("--allow-special", action="append", default=[], metavar="TOKEN", help="a special token, or all")


def run_encode(options: argparse.Namespace) -> int:
    """Print the ids of a text, or write those of a corpus; return the exit code."""
    first = [] if options.tokenizer else options.names[:1]
    name, paths = options.tokenizer or first[0], options.names[len(first) :] or [STDIN]
    allowed = "all" if "all" in options.allow_special else options.allow_special
    if options.output:
        return corpus_ids.run(options, name, paths, allowed)
    if len(paths) > 1 or options.separator:
        raise ValueError("several files, and --separator, are for --output: name one")
    tokenizer = tokenizer_of(name, options)
    ids = tokenizer.encode(text_of(paths[0]), allowed_special=allowed)
    if options.json:
        print_json({"tokenizer": tokenizer.name, "n_tokens": len(ids), "ids": ids})
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
        print_json({"tokenizer": tokenizer.name, "n_tokens": len(ids), "text": tokenizer.decode(ids)})
    elif isinstance(tokenizer, Vocabulary):
        sys.stdout.buffer.write(tokenizer.decode_bytes(ids))
    else:
        sys.stdout.buffer.write(tokenizer.decode(ids).encode("utf-8", "replace"))
    return 0
