"""`tokviz compare`: one text under several tokenizers."""

import argparse

from tokviz.cli.options import Commands, add_command, add_parameters_option
from tokviz.cli.rows import SHARE, Rows, add_output_options, print_result
from tokviz.cli.streams import read_file_or_stdin_text
from tokviz.cli.tokenizers import TOKENIZER, add_tokenizer_options, read_or_load_tokenizers
from tokviz.corpus.paths import STDIN
from tokviz.text.tables import text_figures
from tokviz.vocabulary.cost import n_embedding_and_output_parameters

HEADS = {
    "tokenizer": "tokenizer",
    "n_vocab": "vocabulary",
    "n_tokens": "tokens",
    "n_distinct": "different",
    "bytes_per_token": "bytes/token",
    "chars_per_token": "chars/token",
    "tokens_per_word": "tokens/word",
}


def add_to_commands(commands: Commands) -> None:
    """Add the command and its options."""
    examples = (
        "tokviz compare gpt2 o200k_base --text story.txt",
        "tokviz compare a.tiktoken b.tiktoken --split-pattern gpt2 --split-pattern o200k --text story.txt",
    )
    command = add_command(
        commands, "compare", "count the tokens of a text under several tokenizers", print_comparison, *examples
    )
    command.add_argument("tokenizers", nargs="+", metavar="TOKENIZER", help=TOKENIZER)
    command.add_argument("--text", default=STDIN, metavar="FILE", help="a text; by default standard input")
    add_parameters_option(command)
    add_tokenizer_options(command, several=True)
    add_output_options(command, csv=True)


def print_comparison(options: argparse.Namespace) -> None:
    """Print the figures of each tokenizer."""
    tokenizers, text = read_or_load_tokenizers(options.tokenizers, options), read_file_or_stdin_text(options.text)
    named = zip(options.tokenizers, tokenizers, strict=True)
    records = [{"tokenizer": name, **text_figures(tokenizer, text)} for name, tokenizer in named]
    heads = dict(HEADS)
    if options.parameters is not None:
        heads["embedding"] = "embedding"
        for record in records:
            record["embedding"], _ = n_embedding_and_output_parameters(record["n_vocab"], options.parameters, tied=True)
    if any(record["unknown_share"] for record in records):
        heads["unknown_share"] = "unknown"
    print_result(options, Rows(records, heads, {"unknown_share": SHARE}))
