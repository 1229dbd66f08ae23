"""`tokviz compare`: one text under several tokenizers."""

import argparse

from tokviz.analysis.comparison import text_figures
from tokviz.analysis.vocabulary_cost import vocabulary_parameters
from tokviz.cli.common import Commands, add_parameters, new_command, print_json, print_table, text_of
from tokviz.cli.tokenizers import RANKS_ONLY, TOKENIZER, add_options, tokenizers_of
from tokviz.training.corpus_paths import STDIN

EPILOG = f"""\
  tokviz compare gpt2 cl100k_base o200k_base --text story.txt
  cat story.txt | tokviz compare books.model gpt2 --json
  tokviz compare a.tiktoken b.tiktoken --split-pattern gpt2 --split-pattern o200k --text story.txt

bytes/token: the higher, the fewer tokens a text takes. tokens/word: a word is a run of characters without
white space; there is no figure for scripts that are written without spaces between words. unknown: the share of the
characters, not counting white space, that no token stands for; a tokenizer that answers [UNK] for a word takes few
tokens and loses the word. The column appears only if one of the tokenizers has such characters.

embedding, with --parameters: the size of the matrix with a row for each token; the output of a model has another
one of these, unless it uses the same.

{RANKS_ONLY}"""


def add_commands(commands: Commands) -> None:
    """Add the command and its options."""
    command = new_command(commands, "compare", "count the tokens of a text under several tokenizers", EPILOG)
    command.add_argument("tokenizers", nargs="+", metavar="TOKENIZER", help=TOKENIZER)
    command.add_argument("--text", default=STDIN, metavar="FILE", help="a text; by default standard input")
    add_parameters(command)
    add_options(command, several=True)
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the figures of each tokenizer; return the exit code."""
    tokenizers = tokenizers_of(options.tokenizers, options)
    text = text_of(options.text)
    rows = [
        {"tokenizer": name, **text_figures(tokenizer, text)}
        for name, tokenizer in zip(options.tokenizers, tokenizers, strict=True)
    ]
    if options.parameters is not None:
        for row, tokenizer in zip(rows, tokenizers, strict=True):
            row["embedding"], _ = vocabulary_parameters(tokenizer.n_vocab, options.parameters, tied=True)
    if options.json:
        print_json(rows)
        return 0
    head = ["tokenizer", "vocabulary", "tokens", "different", "bytes/token", "chars/token", "tokens/word"]
    if options.parameters is not None:
        head.append("embedding")
    shares = [row.pop("unknown_share") for row in rows]
    if any(shares):
        head.append("unknown")
        rows = [row | {"unknown": f"{share:.1%}"} for row, share in zip(rows, shares, strict=True)]
    print_table(head, [row.values() for row in rows])
    return 0
