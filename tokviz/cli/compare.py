"""`tokviz compare`: one text under several tokenizers."""

import argparse

from tokviz.cli.common import Commands, new_command, print_json, print_table, text_of, tokenizer_of
from tokviz.corpus_paths import STDIN
from tokviz.metrics import metrics
from tokviz.tokenizer import Tokenizer

EPILOG = """\
  python -m tokviz compare gpt2 cl100k_base o200k_base --text story.txt
  cat story.txt | python -m tokviz compare books.model gpt2 --json

bytes/token: the higher, the fewer tokens a text takes. tokens/word: a word is a run of characters without
white space; there is no figure for scripts that are written without spaces between words."""


def add_commands(commands: Commands) -> None:
    """Add the command and its options."""
    command = new_command(commands, "compare", "count the tokens of a text under several tokenizers", EPILOG)
    command.add_argument("tokenizers", nargs="+", metavar="TOKENIZER", help="a file, or gpt2, cl100k_base, o200k_base")
    command.add_argument("--text", default=STDIN, metavar="FILE", help="a text; without one, standard input")
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the figures of each tokenizer; return the exit code."""
    tokenizers = [tokenizer_of(name) for name in options.tokenizers]
    text = text_of(options.text)
    rows = [_row(name, tokenizer, text) for name, tokenizer in zip(options.tokenizers, tokenizers, strict=True)]
    if options.json:
        print_json(rows)
        return 0
    head = ["tokenizer", "vocabulary", "tokens", "different", "bytes/token", "chars/token", "tokens/word"]
    print_table(head, [row.values() for row in rows])
    return 0


def _row(name: str, tokenizer: Tokenizer, text: str) -> dict[str, object]:
    figures = metrics(text, tokenizer.encode(text))
    return {
        "tokenizer": name,
        "n_vocab": tokenizer.n_vocab,
        "n_tokens": figures.n_tokens,
        "n_distinct": figures.n_distinct,
        "bytes_per_token": figures.bytes_per_token,
        "chars_per_token": figures.chars_per_token,
        "tokens_per_word": figures.fertility,
    }
